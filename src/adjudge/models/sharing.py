"""One pace for everybody in this process who asks one endpoint."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from adjudge.models.pace import Pace

_MOST = 64
_lock = Lock()
_paces: OrderedDict[tuple[str, str | None, float | None, float | None], Pace] = OrderedDict()


def shared_pace(
    provider: str, url: str | None, rpm: float | None = None, tpm: float | None = None
) -> Pace:
    """The pace at ``url`` (``None``: the provider's own) with these limits; what was learned there
    earlier is known. Of more than 64 endpoints the one asked least recently is forgotten.

    >>> shared_pace("openai", None) is shared_pace("openai", None)
    True
    """
    there = provider, url, rpm, tpm
    with _lock:
        pace = _paces.setdefault(there, Pace(rpm, tpm))
        _paces.move_to_end(there)
        if len(_paces) > _MOST:
            _paces.popitem(last=False)
        return pace
