"""Data as it stands in the page: JSON that cannot end a script element, and JSON made small."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

from markupsafe import Markup

_ESCAPES = str.maketrans(
    {char: f"\\u{ord(char):04x}" for char in ("<", ">", "&", "\u2028", "\u2029")}
)


def script_json(value: Any) -> Markup:
    """JSON for inside ``<script type="application/json">``: nothing in it can end the element.

    >>> print(script_json({"text": "</script><script>"}))
    {"text":"\\u003c/script\\u003e\\u003cscript\\u003e"}
    """
    return Markup(_json(value).translate(_ESCAPES))


def packed(value: Any) -> str:
    """JSON, compressed with gzip, in base64: the same bytes for the same value."""
    return base64.b64encode(gzip.compress(_json(value).encode(), 6, mtime=0)).decode("ascii")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
