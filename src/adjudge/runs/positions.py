"""A set of positions in one bit each."""

from __future__ import annotations


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
