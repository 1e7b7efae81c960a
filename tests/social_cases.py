"""Dialogues for tests: where the shared data may be, a model that answers as told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import adjudge
from adjudge.contract import CaseError, Question, Record, Reply, Usage, Verdict
from adjudge.judges.social.case import SocialCase
from adjudge.judges.social.judge import SocialJudge
from adjudge.models import form_of, parse

SHARED = Path(__file__).parents[2] / "shared"
EPISODES = ("episodes_sotopia_20.jsonl", "episodes_archive.jsonl")


def lines_of(name: str) -> list[dict[str, Any]]:
    """The records of a shared file of dialogues; skips the test where it is not there."""
    path = SHARED / "data" / "social" / name
    if not path.exists():
        pytest.skip(f"needs the shared data file {name}")
    return [json.loads(line) for line in path.read_text().splitlines()]


def episodes() -> list[dict[str, Any]]:
    """Every shared episode."""
    return [record for name in EPISODES for record in lines_of(name)]


def cases_of(value: Any, **options: Any) -> list[SocialCase]:
    """The cases that the judge's readers make of one record; raises a ``CaseError``."""
    record = Record(value)
    for reader in SocialJudge(**options).readers().values():
        if reader.detect(record):
            found = list(reader.read(record))
            for one in found:
                if isinstance(one, CaseError):
                    raise one
            return found
    raise AssertionError("no reader takes the record")


def dialogue(*said: tuple[str, str], agent: str = "Ann", **fields: Any) -> dict[str, Any]:
    """A native record of ``(speaker, text)`` turns, judged for one agent."""
    turns = [{"speaker": speaker, "text": text} for speaker, text in said]
    names = list(dict.fromkeys([agent, *(speaker for speaker, _ in said)]))
    return {
        "id": "talk",
        "agent": agent,
        "agents": names,
        "goals": {agent: "Agree on a price."},
        "scores": {agent: {"goal": 8, "relationship": -2}},
        "turns": turns,
        **fields,
    }


Answer = str | Mapping[str, Any]


@dataclass
class Scripted:
    """A model that answers each question as ``answer`` says, read by the project's own parser."""

    answer: Callable[[Question], Answer]
    model: str = "scripted"
    sample: int = 0
    asked: list[Question] = field(default_factory=list)

    async def ask(self, questions: Sequence[Question]) -> Mapping[str, Reply]:
        self.asked.extend(questions)
        return {question.key: self.reply(question) for question in questions}

    def reply(self, question: Question) -> Reply:
        answer = self.answer(question)
        text = answer if isinstance(answer, str) else json.dumps(answer)
        parsed = parse(text, form_of(question.form))
        return Reply(
            status=parsed.status,
            value=parsed.value,
            text=text,
            reason=parsed.reason,
            usage=Usage(calls=1),
        )


def scored(
    case: Any, method: str, answer: Callable[[Question], Answer] | Answer, **options: Any
) -> Verdict:
    """The one verdict on a case by a method, with a scripted model."""
    script = answer if callable(answer) else lambda question: answer
    judge = SocialJudge(**options)
    (verdict,) = adjudge.judge(judge, case, method, askers=[Scripted(script)])
    return verdict


def importances(values: Mapping[int, Any], **more: Any) -> dict[str, Any]:
    """An answer of the methods that score all utterances at once."""
    entries = [{"turn": turn, "importance": value, **more} for turn, value in values.items()]
    return {"analysis": "because", "scores": entries}
