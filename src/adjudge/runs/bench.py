"""One judge, method and reader: all that turns a piece of input into verdicts."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from adjudge.contract import Evidence, Fault, Judge, Method, Opinion, Verdict, conclude
from adjudge.inputs import Piece
from adjudge.runs.asking import NeedsModel, opinion_alone
from adjudge.runs.brief import Brief
from adjudge.runs.failures import crashed, unreadable
from adjudge.runs.reading import CaseReader, Item

_log = logging.getLogger("adjudge")


class UnknownMethod(Fault, LookupError):
    """The judge has no method of this name."""


class Outcome(NamedTuple):
    """A verdict as its JSON line, with what the caller needs of it without parsing."""

    case_id: str | None
    text: str
    brief: Brief


class Passed(NamedTuple):
    """A case that is not judged here: it has a position, and may have an id."""

    case_id: str | None


class Bench:
    """Judges cases one by one. Raises ``UnknownMethod``, ``UnknownReader``, and ``NeedsModel``
    where the method asks a model and ``with_model`` does not promise one."""

    def __init__(
        self, judge: Judge, method: str | None, reader: str | None, *, with_model: bool = False
    ) -> None:
        self.judge = judge
        self.method = _method(judge, method, with_model)
        self.reader = CaseReader(judge, reader)

    def outcomes(
        self, piece: Piece, default_id: str, skip: int = 0, judged: int = 0
    ) -> Iterator[Outcome | Passed]:
        """The verdicts on ``piece`` by a method that asks no model, less the first ``skip``; the
        first ``judged`` cases are passed over.

        Their positions count from the first case of the piece.
        """
        for index, item in enumerate(self.reader.items(piece, default_id)):
            if index >= max(skip, judged):
                yield self.outcome(item, index)
            elif index >= skip:
                yield Passed(item.id)

    def outcome(self, item: Item, position: int) -> Outcome:
        """The verdict on one item. Whatever the judge's code raises becomes an ``error``."""
        if item.error is not None:
            return self.unreadable(item, position)
        try:
            evidence = self.evidence(item)
            opinion = opinion_alone(self.method, item.case, evidence)
            return self.concluded(item, evidence, [opinion], position)
        except Exception as fault:
            return self.crashed(item, fault, position)

    def evidence(self, item: Item) -> Evidence[Any]:
        """What the judge proves, and after it what was made safe while reading."""
        evidence = self.judge.check(item.case)
        findings = item.record.findings
        return evidence.with_findings(findings) if findings else evidence

    def concluded(
        self,
        item: Item,
        evidence: Evidence[Any],
        opinions: Sequence[Opinion],
        position: int,
        *,
        quorum: int | None = None,
    ) -> Outcome:
        """The verdict from opinions."""
        return outcome_of(
            conclude(
                self.judge,
                item.case,
                evidence,
                opinions,
                position=position,
                method=self.method.name,
                quorum=quorum,
            )
        )

    def unreadable(self, item: Item, position: int) -> Outcome:
        """The verdict on an item that is no case."""
        assert item.error is not None
        return outcome_of(
            unreadable(
                self.judge,
                self.method.name,
                item.record,
                item.error,
                position=position,
                case_id=item.id,
            )
        )

    def crashed(self, item: Item, fault: BaseException, position: int) -> Outcome:
        """The verdict where the judge's code raised ``fault``."""
        _log.debug("judging %s failed", item.id, exc_info=fault)
        return outcome_of(
            crashed(
                self.judge,
                self.method.name,
                item.record,
                fault,
                position=position,
                case_id=item.id,
            )
        )


def outcome_of(verdict: Verdict) -> Outcome:
    """A verdict as an outcome."""
    return Outcome(verdict.case_id, verdict.to_json(), Brief.of(verdict))


def _method(judge: Judge, name: str | None, with_model: bool) -> Method:
    methods = judge.methods()
    if name is not None and name not in methods:
        near = difflib.get_close_matches(name, methods, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise UnknownMethod(
            f"method: the {judge.name} judge has {', '.join(methods)}, found {name[:80]!r}{hint}"
        )
    method = judge.method(name, with_model=with_model)
    if method.needs_model and not with_model:
        alone = ", ".join(m.name for m in methods.values() if not m.needs_model)
        there = f"; without one the {judge.name} judge has {alone}" if alone else ""
        raise NeedsModel(f"method {method.name}: expected a model to ask, found none{there}")
    return method
