"""Which ids were seen, and where first, in a few bytes an id."""

from __future__ import annotations

from array import array
from hashlib import blake2b


class FirstSeen:
    """A map from id to a number that says where it first stood; 16 bytes a slot, half full at most.

    Ids are kept as 64-bit hashes: memory stays small at millions of cases.

    >>> seen = FirstSeen()
    >>> seen.add("mug", 0), seen.add("cup", 1), seen.add("mug", 2)
    (None, None, 0)
    """

    def __init__(self) -> None:
        self._count = 0
        self._clear(1 << 10)

    def _clear(self, size: int) -> None:
        self._mask = size - 1
        self._hashes = array("Q", bytes(8 * size))
        self._wheres = array("Q", bytes(8 * size))

    def __contains__(self, name: str) -> bool:
        hashed = _hash(name)
        return self._hashes[self._slot(hashed)] == hashed

    def add(self, name: str, where: int = 0) -> int | None:
        """Where ``name`` first stood; if it is new, ``None``, and from now on ``where``."""
        hashed = _hash(name)
        slot = self._slot(hashed)
        if self._hashes[slot] == hashed:
            return self._wheres[slot]
        self._hashes[slot] = hashed
        self._wheres[slot] = where
        self._count += 1
        if self._count * 2 > self._mask:
            self._grow()
        return None

    def _slot(self, hashed: int) -> int:
        slot = hashed & self._mask
        while self._hashes[slot] not in (0, hashed):
            slot = (slot + 1) & self._mask
        return slot

    def _grow(self) -> None:
        old = zip(self._hashes, self._wheres, strict=True)
        self._clear((self._mask + 1) * 2)
        for hashed, where in old:
            if hashed:
                slot = self._slot(hashed)
                self._hashes[slot] = hashed
                self._wheres[slot] = where


def _hash(name: str) -> int:
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1  # 0 marks a free slot
