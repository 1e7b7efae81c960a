"""How often 95% intervals hold the truth: corrected success rates, and kappa, over many draws.

Run ``python benchmarks/agreement_coverage.py``. Each draw is a run whose true rates are known:
tasks with plans of one difficulty, a judge who is wrong at given rates, a part of it labelled.
Independent cases are tasks of one plan each. 93 to 97 of 100 intervals should hold the truth.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from dataclasses import dataclass

import numpy as np

from adjudge.agreement.statistics.bootstrap import Resampled
from adjudge.agreement.statistics.corrected import PartlyLabelled, corrected_rate, powered_rate
from adjudge.agreement.statistics.figure import Figure
from adjudge.agreement.statistics.nominal import kappa
from adjudge.agreement.statistics.rates import true_negatives, true_positives
from adjudge.agreement.statistics.tables import Numbers, joint_tables

TWO = np.array([0.0, 1.0])


@dataclass(frozen=True)
class World:
    """Where runs are drawn from. ``spread`` is how much tasks differ: the shape of a beta
    distribution around each rate, the smaller the more; ``None``: not at all."""

    name: str
    tasks: int
    plans: int
    labelled: int
    success: float = 0.6
    true_positive: float = 0.9
    true_negative: float = 0.8
    spread: float | None = None

    def rates(self, random: np.random.Generator, mean: float) -> Numbers:
        """A rate for each plan, the same for all plans of a task."""
        if self.spread is None:
            return np.full(self.tasks * self.plans, mean)
        each = random.beta(mean * self.spread, (1 - mean) * self.spread, size=self.tasks)
        return np.repeat(each, self.plans)

    def run(self, random: np.random.Generator) -> tuple[Numbers, Numbers, np.ndarray]:
        """The judge's successes, the true ones, and each case's task."""
        cases = self.tasks * self.plans
        truth = random.random(cases) < self.rates(random, self.success)
        hit = random.random(cases) < self.rates(random, self.true_positive)
        miss = random.random(cases) < self.rates(random, self.true_negative)
        judged = np.where(truth, hit, ~miss)
        return judged.astype(float), truth.astype(float), np.repeat(range(self.tasks), self.plans)

    @property
    def true_kappa(self) -> float:
        """The kappa of all runs together: rates are drawn apart from each other."""
        p, tp, tn = self.success, self.true_positive, self.true_negative
        table = np.array([[(1 - p) * tn, p * (1 - tp)], [(1 - p) * (1 - tn), p * tp]])
        return float(kappa(table[None], TWO)[0])


WORLDS = (
    World("1,000 cases, 200 labelled", 1_000, 1, 200),
    World("1,000 cases, 100 labelled, a good judge", 1_000, 1, 100, 0.7, 0.95, 0.9),
    World("1,000 cases, 100 labelled, some four disagreements", 1_000, 1, 100, 0.7, 0.97, 0.93),
    World("1,000 cases, 200 labelled, a weak judge", 1_000, 1, 200, 0.5, 0.7, 0.65),
    World("300 cases, all labelled", 300, 1, 300),
    World("100 tasks of 8 plans, 200 labelled", 100, 8, 200, spread=4.0),
    World("40 tasks of 8 plans, all labelled", 40, 8, 320, spread=4.0),
    World("20 tasks of 20 plans, 100 labelled", 20, 20, 100, spread=8.0),
)


def figures(world: World, random: np.random.Generator, resamples: int) -> dict[str, Figure]:
    """All figures of one draw."""
    judged, truth, task = world.run(random)
    chosen = random.permutation(len(judged))
    there, rest = chosen[: world.labelled], chosen[world.labelled :]
    part = PartlyLabelled(judged[there], truth[there], judged[rest], task[there], task[rest])
    tables = joint_tables(
        judged[there].tolist(), truth[there].tolist(), [0.0, 1.0], task[there].tolist()
    )
    clustered = world.plans > 1
    resampled = Resampled(tables, resamples=resamples, seed=int(random.integers(2**31)))
    return {
        "corrected": corrected_rate(part),
        "PPI++": powered_rate(part),
        "kappa": resampled.figure(lambda t: kappa(t, TWO), n=world.labelled, why=""),
        "TPR": true_positives(tables, clustered=clustered),
        "TNR": true_negatives(tables, clustered=clustered),
    }


def main() -> None:
    """Print a line a world and figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000)
    parser.add_argument("--resamples", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.process_time()
    print(f"{given.draws} draws each; {given.resamples} resamples for kappa")
    for world in WORLDS:
        random = np.random.default_rng(given.seed)
        truths = {
            "corrected": world.success,
            "PPI++": world.success,
            "kappa": world.true_kappa,
            "TPR": world.true_positive,
            "TNR": world.true_negative,
        }
        held: Counter[str] = Counter()
        had: Counter[str] = Counter()
        width: dict[str, float] = dict.fromkeys(truths, 0.0)
        for _ in range(given.draws):
            for name, figure in figures(world, random, given.resamples).items():
                if figure.low is not None and figure.high is not None:
                    had[name] += 1
                    held[name] += figure.low <= truths[name] <= figure.high
                    width[name] += figure.high - figure.low
        print(world.name)
        for name in truths:
            print(
                f"  {name:10} {held[name] / had[name]:6.1%} hold {truths[name]:.3f}, "
                f"mean width {width[name] / had[name]:.3f}, {given.draws - had[name]} without one"
            )
    print(f"{time.process_time() - began:.1f} s CPU")


if __name__ == "__main__":
    main()
