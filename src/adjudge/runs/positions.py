"""A number for each of millions, in a bit or two bytes each."""

from __future__ import annotations

from array import array


class Positions:
    """Positions of verdicts; an eighth of a byte for each up to the highest.

    >>> some = Positions()
    >>> some.add(9)
    >>> 9 in some, 8 in some, 1_000_000 in some
    (True, False, False)
    """

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, position: int) -> None:
        """Put one in."""
        byte = position >> 3
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits)))
        self._bits[byte] |= 1 << (position & 7)

    def __contains__(self, position: int) -> bool:
        byte = position >> 3
        return byte < len(self._bits) and bool(self._bits[byte] >> (position & 7) & 1)


class Counts:
    """A number for each index, in two bytes; from 65,535 on it is that.

    >>> counts = Counts()
    >>> counts.raise_one(3)
    >>> counts[3], counts[4]
    (1, 0)
    """

    def __init__(self) -> None:
        self._numbers = array("H")

    def raise_one(self, index: int) -> None:
        """Count one more at ``index``."""
        if index >= len(self._numbers):
            self._numbers.extend(bytes(index + 1 - len(self._numbers)))
        if self._numbers[index] < 65_535:
            self._numbers[index] += 1

    def __getitem__(self, index: int) -> int:
        return self._numbers[index] if index < len(self._numbers) else 0
