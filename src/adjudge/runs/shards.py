"""A part of a run that one machine can judge without asking the others what they do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from adjudge.contract import Fault
from adjudge.runs.places import ALL_CASES, Place


class BadShard(Fault, ValueError):
    """Not a shard: which text or numbers, and what is expected."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The ``index``-th of ``count`` shards, from 1.

    A record belongs to one of them by a hash of its number in the input: shards are of about the
    same size whatever the order of the records, and the cases of one record, which share much of
    their prompts, stay together.

    >>> shards = [Shard(index, 3) for index in (1, 2, 3)]
    >>> [sum(shard.holds(record) for record in range(3000)) for shard in shards]
    [1000, 1027, 973]
    >>> all(sum(shard.holds(record) for shard in shards) == 1 for record in range(3000))
    True
    """

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.index <= self.count:
            raise BadShard(
                f"shard: expected one of 1/{max(self.count, 1)} to "
                f"{max(self.count, 1)}/{max(self.count, 1)}, found {self}"
            )

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From ``INDEX/COUNT``; raises ``BadShard``.

        >>> Shard.parse("2/3")
        Shard(index=2, count=3)
        """
        index, slash, count = text.partition("/")
        if not (slash and index.isdecimal() and count.isdecimal()) or len(text) > 20:
            raise BadShard(f"shard: expected a part such as 1/3, found {text[:40]!r}")
        return cls(int(index), int(count))

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def holds(self, record: int) -> bool:
        """Whether the record of this number belongs to it."""
        digest = blake2b(record.to_bytes(8, "little"), digest_size=8).digest()
        return int.from_bytes(digest, "little") % self.count == self.index - 1


def of_shard(shard: Shard | None, there: Iterable[Place]) -> Iterable[Place]:
    """All places; those of other shards with nothing to judge in them.

    Their cases still have their positions and ids: what stands twice is found in every shard.
    """
    if shard is None:
        return there
    return (
        place if shard.holds(place.number) else replace(place, judged=ALL_CASES) for place in there
    )
