"""Which names were seen, and where first, in a few bytes a name."""

from __future__ import annotations

from array import array
from hashlib import blake2b


class _Hashes:
    """Names as 64-bit hashes, so that memory stays small at millions of them: four fifths full at
    most, where a name that is new is looked for in some ten slots."""

    def __init__(self) -> None:
        self._count = 0
        self._clear(1 << 10)

    def __contains__(self, name: str) -> bool:
        hashed = _hash(name)
        return self._hashes[self._slot(hashed)] == hashed

    def _clear(self, size: int) -> None:
        self._mask = size - 1
        self._hashes = array("Q", bytes(8 * size))

    def _slot(self, hashed: int) -> int:
        slot = hashed & self._mask
        while self._hashes[slot] not in (0, hashed):
            slot = (slot + 1) & self._mask
        return slot

    def _put(self, slot: int, hashed: int) -> None:
        self._hashes[slot] = hashed
        self._count += 1
        if self._count * 5 > self._mask * 4:
            self._grow()

    def _grow(self) -> None:
        old = self._hashes
        self._clear((self._mask + 1) * 2)
        for hashed in old:
            if hashed:
                self._hashes[self._slot(hashed)] = hashed


class Seen(_Hashes):
    """A set of names; 8 bytes a slot.

    >>> seen = Seen()
    >>> seen.add("mug")
    >>> "mug" in seen, "cup" in seen
    (True, False)
    """

    def add(self, name: str) -> None:
        """Put one in."""
        hashed = _hash(name)
        slot = self._slot(hashed)
        if self._hashes[slot] != hashed:
            self._put(slot, hashed)


class FirstSeen(_Hashes):
    """A map from name to a number that says where it first stood; 16 bytes a slot.

    >>> seen = FirstSeen()
    >>> seen.add("mug", 0), seen.add("cup", 1), seen.add("mug", 2)
    (None, None, 0)
    """

    def add(self, name: str, where: int) -> int | None:
        """Where ``name`` first stood; if it is new, ``None``, and from now on ``where``."""
        hashed = _hash(name)
        slot = self._slot(hashed)
        if self._hashes[slot] == hashed:
            return self._wheres[slot]
        self._wheres[slot] = where
        self._put(slot, hashed)
        return None

    def where(self, name: str) -> int | None:
        """Where ``name`` first stood, if it was seen."""
        hashed = _hash(name)
        slot = self._slot(hashed)
        return self._wheres[slot] if self._hashes[slot] == hashed else None

    def _clear(self, size: int) -> None:
        super()._clear(size)
        self._wheres = array("Q", bytes(8 * size))

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
