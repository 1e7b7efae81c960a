"""A judge as a source of rewards: cases in, one verdict a case out, whatever happens."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from adjudge.contract import Fault, Judge, Verdict
from adjudge.models import MemoryCache
from adjudge.rewards.completions import Completion, completed
from adjudge.runs.api import AnyJudge, judge_stream, make
from adjudge.runs.asking import Asker
from adjudge.runs.engine import Task
from adjudge.runs.panel import Asking, Panel, make_panel

_ID = "completion-{}"
_REPLIES_KEPT = 10_000

_log = logging.getLogger("adjudge")

CaseOf = Callable[[Any, Completion, Mapping[str, Any]], Any]
"""From a prompt, a completion and the row's other columns to a case; ``None``: not to be judged."""

RewardOf = Callable[[Verdict], float | None]
"""From a scored verdict to a finite number, or ``None``; no other verdict has a reward."""


class NotJudged(Fault, RuntimeError):
    """There is no verdict with a reward where a number is called for."""


def reward_of(verdict: Verdict) -> float | None:
    """The verdict's own reward."""
    return verdict.reward


@dataclass(frozen=True)
class Judged:
    """What one completion came to: its verdict, or why there is none."""

    verdict: Verdict | None
    reward: float | None
    reason: str | None


@dataclass(frozen=True)
class RewardSource:
    """Judges completions with one judge and method.

    ``asking`` says which models it asks and how (see ``adjudge.runs.panel.Asking``); their
    connections stay open until ``aclose``. ``askers`` are jurors of another kind. ``column`` holds
    the case that a completion completes (an object or its JSON), unless ``case`` makes it.
    ``reward`` makes a number, or ``None``, of a scored verdict.
    """

    judge: AnyJudge
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    askers: Sequence[Asker] = ()
    asking: Asking = field(default_factory=Asking)
    case: CaseOf | None = None
    column: str = "case"
    reward: RewardOf = reward_of

    @cached_property
    def made(self) -> Judge:
        """The judge with its options. Raises ``UnknownJudge``, ``BadOption``."""
        return make(self.judge, self.options)

    @cached_property
    def _panel(self) -> Panel | None:
        if self.asking.get("model") is None:
            return None
        panel = make_panel(self.asking)
        cache = MemoryCache(_REPLIES_KEPT)
        for client in panel.made:
            client.keep_in(cache)
        return panel

    @property
    def jurors(self) -> Sequence[Asker]:
        """Whom the judge asks. Raises ``BadAsking``, ``ModelSpecError``."""
        return self._panel.jurors if self._panel is not None else self.askers

    def check(self) -> None:
        """Raise what judging would: ``UnknownMethod``, ``NeedsModel``, ``BadAsking`` …"""
        Task(self.made, self.method).bench(with_model=bool(self.jurors))

    async def aclose(self) -> None:
        """Close the models' connections."""
        if self._panel is not None:
            await self._panel.aclose()

    def case_of(self, prompt: Any, completion: Completion, row: Mapping[str, Any]) -> Any:
        """The case for one completion. Raises ``BadRow``."""
        if self.case is not None:
            return self.case(prompt, completion, row)
        return completed(self.made.name, row.get(self.column), completion)

    async def judged(self, cases: Sequence[Any], *, seconds: float | None = None) -> list[Judged]:
        """One result a case, in order. A case that is ``None`` is not judged.

        What is not done after ``seconds`` is ``None`` with the reason ``timeout``. Ids in the cases
        are replaced: several completions of one prompt are cases of their own. ``Fault`` where a
        case makes several verdicts.
        """
        there = [i for i, case in enumerate(cases) if case is not None]
        found: dict[int, Verdict] = {}
        late = False
        try:
            async with asyncio.timeout(seconds):
                named = [_named(cases[i], i) for i in there]
                stream = judge_stream(
                    self.made, named, self.method, askers=self.jurors, **self._quorum
                )
                async with aclosing(stream) as verdicts:
                    async for verdict in verdicts:
                        found[_index(verdict, there)] = verdict
        except TimeoutError:
            late = True
        missing = "timeout" if late else "no_verdict"
        return [
            self._one(found.get(i), "no_case" if case is None else missing)
            for i, case in enumerate(cases)
        ]

    @property
    def _quorum(self) -> Asking:
        quorum = self._panel.quorum if self._panel is not None else None
        return {} if quorum is None else {"quorum": quorum}

    def _one(self, verdict: Verdict | None, missing: str) -> Judged:
        if verdict is None:
            return Judged(None, None, missing)
        reward = self.reward(verdict) if verdict.status == "scored" else None
        if reward is not None and math.isfinite(reward):
            return Judged(verdict, float(reward), None)
        reason = f"{verdict.status}: {verdict.reason or 'no reward'}"
        _log.debug("no reward for completion %d: %s", verdict.position, reason)
        return Judged(verdict, None, reason)


def _index(verdict: Verdict, there: Sequence[int]) -> int:
    """Which completion a verdict is about; one that a case has too many gives itself away by its
    id, and must not shift the rewards of those after it."""
    position = verdict.position
    index = there[position] if position < len(there) else -1
    if verdict.case_id not in (_ID.format(index), f"case-{position + 1}", None):
        raise Fault(
            f"cases: expected one case a completion with the id given to it, found "
            f"{verdict.case_id!r:.80} (say which agent or part is judged)"
        )
    return index


def _named(case: Any, index: int) -> Any:
    name = _ID.format(index)
    if isinstance(case, Mapping):
        return {**case, "id": name}
    if isinstance(case, BaseModel) and "id" in type(case).model_fields:
        return case.model_copy(update={"id": name})
    return case
