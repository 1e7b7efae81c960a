"""Several runs over the same dialogues, each on a dimension of its own, as one set of rewards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.social.formulas import mean_of_shares, share_of_range
from adjudge.runs.joined import CannotJoin, Joined, Pairs


def combine(runs: Sequence[Pairs]) -> Iterator[Joined]:
    """The verdicts of the first run with rewards from all, see ``formulas.combined``.

    Each run's rewards are stretched to 0 to 1 over the whole set; an utterance's reward is the mean
    of its shares times 10, and ``None`` where any run has none for it. Importances and directions,
    which are each dimension's own, become ``None``. Reads every run twice, one verdict at a time in
    memory. Raises ``CannotJoin`` where the runs are not about the same cases.
    """
    ranges = [_range(run) for run in runs]
    for row in zip_longest(*(run() for run in runs)):
        first = row[0]
        ids = [None if joined is None else joined.verdict["case_id"] for joined in row]
        if first is None or len(set(ids)) > 1:
            raise CannotJoin(
                f"runs: expected the same cases in the same order, found {', '.join(map(str, ids))}"
            )
        yield Joined(first.case, _combined([joined.verdict for joined in row], ranges))


def _range(run: Pairs) -> tuple[float, float]:
    low, high = float("inf"), float("-inf")
    for joined in run():
        for credit in _credits(joined.verdict):
            if (reward := credit["reward"]) is not None:
                low, high = min(low, reward), max(high, reward)
    return low, high


def _credits(verdict: JsonObject) -> Sequence[Any]:
    if verdict["judge"] != "social":
        raise CannotJoin(
            f"runs: expected runs of the social judge to combine, found the {verdict['judge']}"
            " judge's"
        )
    credits: Sequence[Any] = verdict["details"].get("credits", ())
    return credits


def _combined(verdicts: Sequence[JsonObject], ranges: Sequence[tuple[float, float]]) -> JsonObject:
    first = verdicts[0]
    if any(verdict["status"] != "scored" for verdict in verdicts):
        failed = next(v for v in verdicts if v["status"] != "scored")
        first = {**first, "status": failed["status"], "reason": failed["reason"]}
    credits = []
    for row in zip(*(_credits(verdict) for verdict in verdicts), strict=True):
        shares = [
            share_of_range(credit["reward"], low, high)
            for credit, (low, high) in zip(row, ranges, strict=True)
        ]
        own = {"importance": None, "direction": None, "reward": mean_of_shares(shares)}
        credits.append({**row[0], **own})
    known = [c["reward"] for c in credits if c["reward"] is not None]
    details = {
        **first["details"],
        "credits": credits,
        "dimension": "+".join(str(v["details"].get("dimension")) for v in verdicts),
        "episode_score": None,
        "formula": "combined",
    }
    return {**first, "reward": sum(known) / len(known) if known else None, "details": details}
