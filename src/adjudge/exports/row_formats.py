"""The formats of rows for training, by the names that ``--to`` takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TextIO

from adjudge.contract import Fault, JsonObject
from adjudge.judges.social.case import SocialCase
from adjudge.runs.joined import Joined


class WrongJudge(Fault, LookupError):
    """The format is not for verdicts of this judge."""


class NeedsThreshold(Fault, ValueError):
    """The format has labels that are true or false, and nothing says where the line is."""


@dataclass
class Settings:
    """What a format is told, and what it tells: ``left_out`` counts rows that are not there, by
    reason. ``threshold``: a reward of at least this is a true label."""

    threshold: float | None = None
    left_out: Counter[str] = field(default_factory=Counter)


Rows = Callable[[Iterable[Joined], Settings], Iterator[JsonObject]]


@dataclass(frozen=True, slots=True)
class RowFormat:
    """Rows for a trainer: how they are made, and whether a file is JSON lines or one array."""

    about: str
    rows: Rows
    container: Literal["jsonl", "array"] = "jsonl"


def social_case(joined: Joined, settings: Settings) -> SocialCase | None:
    """The dialogue behind a verdict; ``None``, and counted, where there was none.

    Raises ``WrongJudge`` for a verdict of another judge.
    """
    judge = joined.verdict["judge"]
    if judge != "social":
        raise WrongJudge(
            f"format: expected verdicts of the social judge, found the {judge} judge's"
        )
    if not isinstance(joined.case, SocialCase):
        settings.left_out["input that was no case"] += 1
        return None
    return joined.case


def write_rows(rows: Iterable[JsonObject], stream: TextIO, container: str) -> int:
    """Write ``rows`` to ``stream``, one at a time; how many there were."""
    count = 0
    for count, row in enumerate(rows, 1):
        text = json.dumps(row, ensure_ascii=False, allow_nan=False)
        if container == "array":
            stream.write(("[\n" if count == 1 else ",\n") + text)
        else:
            stream.write(text + "\n")
    if container == "array":
        stream.write("\n]\n" if count else "[]\n")
    return count


def label(reward: Any, settings: Settings, default: float | None = None) -> bool:
    """Whether ``reward`` reaches the threshold. Raises ``NeedsThreshold``."""
    threshold = settings.threshold if settings.threshold is not None else default
    if threshold is None:
        raise NeedsThreshold(
            "threshold: expected a number, found none; a label is true where the reward is at "
            "least that (--threshold)"
        )
    return bool(reward >= threshold)
