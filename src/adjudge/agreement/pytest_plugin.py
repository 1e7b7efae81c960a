"""A pytest fixture that judges in a test; nothing of ours is imported until it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from adjudge.agreement.conditions import Kind
    from adjudge.contract import Verdict
    from adjudge.runs.api import AnyJudge
    from adjudge.runs.memory import Cases

Bounds = Mapping[str, float]


class Adjudged(Protocol):
    """What the fixture ``adjudged`` is."""

    def __call__(
        self,
        judge: AnyJudge,
        cases: Cases,
        method: str | None = None,
        *,
        min: Bounds | None = None,
        max: Bounds | None = None,
        each: Bounds | None = None,
        **settings: Any,
    ) -> list[Verdict]: ...


@pytest.fixture(scope="session")
def adjudged() -> Adjudged:
    """Judge cases in a test, which fails where they do not meet the conditions.

    ``adjudged(judge, cases, method, min=…, max=…, each=…)`` returns the verdicts; ``settings`` are
    those of ``adjudge.judge`` (``options``, ``model`` …). ``min`` and ``max`` are over all cases:
    ``success`` (a share), ``reward`` or a dimension (a mean), ``scored`` (a share, 1 unless given);
    ``each`` is the least in each case. The failure names the cases that fall short.

    ::

        def test_plans(adjudged):
            adjudged("robot", "plans.jsonl", min={"success": 0.9}, each={"score": 1})
    """

    def judged(
        judge: AnyJudge,
        cases: Cases,
        method: str | None = None,
        *,
        min: Bounds | None = None,
        max: Bounds | None = None,
        each: Bounds | None = None,
        **settings: Any,
    ) -> list[Verdict]:
        __tracebackhide__: bool | Callable[..., Any] = True
        import json

        from adjudge.agreement.conditions import Condition
        from adjudge.agreement.gate import gate
        from adjudge.runs.api import judge as judge_cases

        verdicts = judge_cases(judge, cases, method, **settings)
        given: dict[Kind, Bounds | None] = {"min": min, "max": max, "each": each}
        conditions = [
            Condition(kind=kind, name=name, value=value)
            for kind, bounds in given.items()
            for name, value in (bounds or {}).items()
        ]
        result = gate((json.loads(verdict.to_json()) for verdict in verdicts), conditions)
        if not result.passed:
            pytest.fail(str(result), pytrace=False)
        return verdicts

    return judged
