"""One case before its jurors: what they are asked, and the verdict once all have answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from adjudge.contract import BUDGET, Ask, Opinion, Question, Reply, Usage
from adjudge.inputs import Piece
from adjudge.runs.bench import Bench, Outcome
from adjudge.runs.brief import is_left_open
from adjudge.runs.reading import Item


class JurorName(NamedTuple):
    """A juror as opinions name it."""

    model: str
    sample: int


class Begin(NamedTuple):
    """A case is to be judged: its position, and where to read it, as the ``nth`` of its piece.
    ``item`` is the case, read already, where it need not be read again."""

    position: int
    number: int
    piece: Piece
    default_id: str
    nth: int
    item: Item | None


class Answered(NamedTuple):
    """A juror's replies to what it was last asked about a case."""

    position: int
    juror: int
    replies: Mapping[str, Reply]


class Left(NamedTuple):
    """A case is left without a verdict: nothing of it need be kept."""

    position: int


Step = tuple[Question, ...] | Outcome | None
"""What to ask next, the verdict, or nothing: other jurors have not answered yet."""


class Sitting:
    """One case, its evidence and what each juror has answered so far."""

    def __init__(
        self,
        bench: Bench,
        jurors: Sequence[JurorName],
        quorum: int | None,
        begin: Begin,
        item: Item,
    ) -> None:
        self.item = item
        self.position = begin.position
        self._bench = bench
        self._jurors = jurors
        self._quorum = quorum
        self._evidence = bench.evidence(item)
        self._given: list[dict[str, Reply]] = [{} for _ in jurors]
        self._rounds = [0] * len(jurors)
        self._opinions: list[Opinion | None] = [None] * len(jurors)

    def begin(self) -> Step:
        """What every juror is asked first; the method's steps are pure, so it is the same."""
        step = self._step({}, rounds=0)
        if isinstance(step, Ask):
            self._rounds = [1] * len(self._jurors)
            return step.questions
        self._opinions = [_signed(step, juror, {}) for juror in self._jurors]
        return self._verdict()

    def answered(self, juror: int, replies: Mapping[str, Reply]) -> Step:
        """What this juror is asked next, if anything; the verdict where it was the last one."""
        given = self._given[juror]
        given.update(replies)
        step = _not_asked(replies) or self._step(given, self._rounds[juror])
        if isinstance(step, Ask):
            self._rounds[juror] += 1
            return step.questions
        self._opinions[juror] = _signed(step, self._jurors[juror], given)
        return None if None in self._opinions else self._verdict()

    def _step(self, given: Mapping[str, Reply], rounds: int) -> Ask | Opinion:
        """A method may ask ``max_rounds`` times; one that then still asks has no opinion."""
        method = self._bench.method
        step = method.step(self.item.case, self._evidence, given)
        if isinstance(step, Ask) and rounds >= method.max_rounds:
            reason = f"no_opinion: still asking after {method.max_rounds}"
            return Opinion(status="invalid", reason=reason)
        return step

    def _verdict(self) -> Outcome:
        opinions = [opinion for opinion in self._opinions if opinion is not None]
        quorum = self._quorum
        if any(is_left_open(opinion.status, opinion.reason) for opinion in opinions):
            # who is heard must not depend on the budget: all are, or there is no verdict yet
            opinions.sort(key=lambda o: not is_left_open(o.status, o.reason))
            quorum = len(opinions)
        return self._bench.concluded(
            self.item, self._evidence, opinions, self.position, quorum=quorum
        )


class Sittings:
    """All cases that one worker has before it. What the judge's code raises becomes the verdict."""

    def __init__(self, bench: Bench, jurors: Sequence[JurorName], quorum: int | None) -> None:
        self._bench = bench
        self._jurors = jurors
        self._quorum = quorum
        self._open: dict[int, Sitting] = {}
        self._read: tuple[int, list[Item]] = (-1, [])

    def handle(self, message: Begin | Answered | Left) -> Step:
        """The next step of the case that ``message`` is about; never raises."""
        if isinstance(message, Left):
            self._open.pop(message.position, None)
            return None
        if isinstance(message, Begin):
            item = message.item or self._item(message)
            try:
                sitting = Sitting(self._bench, self._jurors, self._quorum, message, item)
                step = sitting.begin()
            except Exception as fault:
                return self._bench.crashed(item, fault, message.position)
            if not isinstance(step, Outcome):
                self._open[message.position] = sitting
            return step
        before = self._open.get(message.position)
        if before is None:  # another juror's step ended it
            return None
        try:
            step = before.answered(message.juror, message.replies)
        except Exception as fault:
            step = self._bench.crashed(before.item, fault, message.position)
        if isinstance(step, Outcome):
            del self._open[message.position]
        return step

    def _item(self, begin: Begin) -> Item:
        """The case read once more; a record with many cases is read once for all of them."""
        number, items = self._read
        if number != begin.number:
            items = list(self._bench.reader.items(begin.piece, begin.default_id))
            self._read = (begin.number, items)
        return items[begin.nth]


def _not_asked(replies: Mapping[str, Reply]) -> Opinion | None:
    """The opinion of a juror that was not asked all it should have been, whatever the method."""
    if any(is_left_open(reply.status, reply.reason) for reply in replies.values()):
        return Opinion(status="skipped", reason=BUDGET)
    return None


def _signed(opinion: Opinion, juror: JurorName, given: Mapping[str, Reply]) -> Opinion:
    """The opinion with who gave it and what that took."""
    replies = _once(given)
    return opinion.model_copy(
        update={
            "model": juror.model,
            "sample": juror.sample,
            "replies": tuple(_record(key, reply) for key, reply in given.items()),
            "usage": _usage(replies),
            "cost_usd": _cost(replies),
        }
    )


def _record(key: str, reply: Reply) -> dict[str, Any]:
    return {"key": key, "status": reply.status, "reason": reply.reason, "text": reply.text}


def _once(given: Mapping[str, Reply]) -> list[Reply]:
    """The replies, one that answers several questions of the case once: it was paid for once."""
    return list({reply.meta.get("key", name): reply for name, reply in given.items()}.values())


def _usage(replies: Sequence[Reply]) -> Usage:
    return replies[0].usage if len(replies) == 1 else sum((r.usage for r in replies), Usage())


def _cost(replies: Iterable[Reply]) -> float | None:
    total = 0.0
    for reply in replies:
        cost = reply.meta.get("cost_usd", 0.0 if reply.usage.calls == 0 else None)
        if cost is None:
            return None
        total += cost
    return total
