"""numpy is an extra: whoever needs it says so."""

from __future__ import annotations

import importlib.util

from adjudge.contract import Fault


class NeedsNumpy(Fault, ImportError):
    """The statistics need numpy, and there is none."""


def need_numpy() -> None:
    """Raise ``NeedsNumpy`` where numpy is not installed."""
    if importlib.util.find_spec("numpy") is None:
        raise NeedsNumpy("statistics: expected numpy, found none; pip install 'adjudge[stats]'")
