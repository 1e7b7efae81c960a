"""What a view is."""

from __future__ import annotations

from typing import NamedTuple

from adjudge.contract import JsonObject


class View(NamedTuple):
    """``headline``: one line that says what the case is about. ``blocks``: see ``parts``."""

    headline: str
    blocks: list[JsonObject]
