"""A run in numbers: counted once over its verdicts, before any case is shown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adjudge.contract import JsonObject, Scale, ScoreValue
from adjudge.models import Prices
from adjudge.report.charts import Chart, by_value, commonest
from adjudge.runs.brief import Brief
from adjudge.runs.store import Asked
from adjudge.runs.summary import Tally

MOST_DIMENSIONS = 8
"""With more of them, each case has dimensions of its own (a dialogue's turns)."""


@dataclass
class Overview:
    """Everything counted."""

    tally: Tally = field(default_factory=Tally)
    findings: Counter[str] = field(default_factory=Counter)
    success: Counter[bool] = field(default_factory=Counter)
    rewards: Counter[ScoreValue] = field(default_factory=Counter)
    unscored: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, lines: Iterable[str]) -> Overview:
        """Counted over verdicts as JSON lines."""
        overview = cls()
        for line in lines:
            overview.add(json.loads(line))
        return overview

    def add(self, verdict: JsonObject) -> None:
        """Count one verdict."""
        self.tally.add(Brief.of_json(verdict))
        self.findings.update(
            dict.fromkeys(finding["kind"] for finding in verdict["findings"]).keys()
        )
        self.unscored.update(verdict["unscored"].keys())
        if verdict["success"] is not None:
            self.success[verdict["success"]] += 1
        if verdict["reward"] is not None:
            self.rewards[round(verdict["reward"], 3)] += 1

    @property
    def dimensions(self) -> list[str]:
        """Those that all cases share; none where each case has its own."""
        names = dict.fromkeys([*self.tally.scores, *self.unscored])
        own = len(names) > MOST_DIMENSIONS or all(name.isdecimal() for name in names)
        return [] if own else list(names)

    def figures(self) -> Iterator[tuple[str, str, str]]:
        """Name, value, and a few words more."""
        total, scored = self.tally.total, self.tally.statuses["scored"]
        yield "cases", f"{total:,}", ""
        yield "scored", f"{scored:,}", _share(scored, total)
        known = self.success.total()
        if known:
            yield (
                "success",
                _share(self.success[True], known),
                f"{self.success[True]:,} of {known:,}",
            )
        for name in self.dimensions:
            numbers = {
                v: n
                for v, n in self.tally.scores.get(name, {}).items()
                if isinstance(v, int | float)
            }
            count = sum(numbers.values())
            if count:
                mean = sum(value * n for value, n in numbers.items()) / count
                yield f"mean {name}", f"{mean:.2f}", f"of {count:,}"
        if not self.dimensions and self.rewards:
            mean = sum(float(v or 0) * n for v, n in self.rewards.items()) / self.rewards.total()
            yield "mean reward", f"{mean:.2f}", f"of {self.rewards.total():,}"

    def charts(self, scales: Mapping[str, Scale]) -> list[Chart]:
        """Status, scores, and what was found, as far as there is any."""
        tally = self.tally
        reasons = ", ".join(
            f"{reason} {count:,}" for (_, reason), count in tally.reasons.most_common(4)
        )
        made = [commonest("status", tally.statuses, "status", note=reasons)]
        made += [self._dimension(name, scales.get(name)) for name in self.dimensions]
        if not self.dimensions:
            together: Counter[ScoreValue] = Counter()
            for values in tally.scores.values():
                together.update(values)
            made.append(by_value("scores of all parts", together, facet=None))
            made.append(by_value("reward", self.rewards, facet=None))
        made += [
            commonest("not scored", Counter({d: self.unscored[d] for d in self.dimensions}), None),
            commonest("rules", tally.rules, "rule"),
            commonest("findings", self.findings, "finding"),
            commonest("failed steps", tally.failures, "finding"),
            commonest("flags", tally.flags, "flag"),
            commonest("opinions that failed", tally.jurors_failed, None),
        ]
        return [chart for chart in made if chart is not None]

    def _dimension(self, name: str, scale: Scale | None) -> Chart | None:
        listed = scale.values() if scale is not None else None
        unscored = self.unscored[name]
        note = f"{unscored:,} not scored" if unscored else ""
        counts = self.tally.scores.get(name, Counter())
        return by_value(name, counts, list(listed or ()), facet=f"score.{name}", note=note)


def spending(asked: Iterable[Asked], prices: Prices) -> Iterator[tuple[str, str, str]]:
    """What the models were really asked for: an answer that several cases share counts once."""
    calls = tokens = 0
    cost: float | None = 0.0
    for model, _, usage in asked:
        calls += usage.calls
        tokens += usage.input_tokens + usage.output_tokens
        spent = prices.cost(model, usage)
        cost = None if cost is None or spent is None else cost + spent
    if calls:
        price = "price not known" if cost is None else f"${cost:.4f}"
        yield "model calls", f"{calls:,}", f"{tokens:,} tokens, {price}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else ""
