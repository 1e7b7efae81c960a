"""The order in which a hash set of small numbers is walked.

VirtualHome's executor keeps neighbours in such sets and sometimes takes the first one, so that what
it takes hangs on the numbers and on the order in which they came in. This is the open addressing of
CPython's sets (``Objects/setobject.c``), spelt out so that it holds whatever runs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_SMALLEST = 8
_PROBES = 9
_SHIFT = 5


@lru_cache(maxsize=8192)
def hash_order(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers (0 or more), as they come in, in the order of the set's slots.

    >>> hash_order((65, 1001, 33, 12))
    (65, 12, 1001, 33)
    """
    table: list[int | None] = [None] * _SMALLEST
    for used, number in enumerate(dict.fromkeys(numbers), start=1):
        _put(table, number)
        if used * 5 >= (len(table) - 1) * 3:
            size = _SMALLEST
            while size <= used * 4:
                size *= 2
            table = _moved(table, size)
    return tuple(number for number in table if number is not None)


def _moved(table: Iterable[int | None], size: int) -> list[int | None]:
    larger: list[int | None] = [None] * size
    for number in table:
        if number is not None:
            _put(larger, number)
    return larger


def _put(table: list[int | None], number: int) -> None:
    """Into its own slot, one of the next few where the table goes on that far, or by leaps."""
    mask = len(table) - 1
    slot, rest = number & mask, number
    while True:
        near = _PROBES if slot + _PROBES <= mask else 0
        for place in range(slot, slot + near + 1):
            if table[place] is None:
                table[place] = number
                return
        rest >>= _SHIFT
        slot = (slot * 5 + 1 + rest) & mask
