"""Which words in a case are those of the agent that is judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from adjudge.agreement.attack.texts import Path, with_text
from adjudge.contract import JsonObject, Judge

Paths = Callable[[Any], list[Path]]


@dataclass(frozen=True, slots=True)
class Agent:
    """Where in a case the agent's own texts are: its ``words`` in order, its ``reasoning`` (which
    may be null), and the ``acts`` that its response consists of where it has no words."""

    words: Paths
    reasoning: Paths
    acts: Paths

    def responding(self, case: Any, plain: JsonObject, text: str) -> JsonObject | None:
        """The case with all the agent's words, or else its acts, replaced by ``text``."""
        if words := self.words(case):
            for path in words:
                plain = with_text(plain, path, text)
            return plain
        if acts := self.acts(case):
            [*way, _] = acts[0]
            changed: JsonObject = _with_list(plain, tuple(way), [text])
            return changed
        return None


def agent_in(judge: Judge) -> Agent:
    """The agent in the cases of a judge; of one that is not ours what its ``agent_texts`` says."""
    return _AGENTS.get(judge.name) or Agent(
        lambda case: list(judge.agent_texts(case)), _nothing, _nothing
    )


def _with_list(value: Any, path: Path, texts: list[str]) -> Any:
    if not path:
        return texts
    return {**value, path[0]: _with_list(value[path[0]], path[1:], texts)}


def _nothing(case: Any) -> list[Path]:
    return []


def _steps(case: Any) -> list[Path]:
    if case.trace is not None:
        return [("trace", "executed", i) for i in range(len(case.trace.executed))]
    return [("plan", i) for i in range(len(case.plan))]


def _response(case: Any) -> list[int]:
    there = range(case.response_from, case.response_to)
    return [i for i in there if case.messages[i].role == "assistant"]


def _response_words(case: Any) -> list[Path]:
    return [("messages", i, "text") for i in _response(case) if case.messages[i].text]


def _response_reasoning(case: Any) -> list[Path]:
    return [("messages", i, "reasoning") for i in _response(case)]


def _utterances(case: Any) -> list[Path]:
    return [("turns", i, "text") for i in case.own_turns() if case.turns[i].text]


_AGENTS = {
    "robot": Agent(_nothing, _nothing, _steps),
    "browser": Agent(_response_words, _response_reasoning, _nothing),
    "social": Agent(_utterances, _nothing, _nothing),
}
