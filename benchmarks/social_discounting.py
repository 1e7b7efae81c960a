"""Method ``discounting`` of the social judge over many episodes: the rate, and memory on the way.

Episodes are made as they are drawn, of the length of SOTOPIA's, so that what grows is ours.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import resource
import time
from collections.abc import Iterator
from typing import Any

import adjudge

_SAID = (
    "Hey, how is everything going at the restaurant? I heard that it is quite the place for people"
    " who love Italian food these days, and that you can hardly find a free table on a Friday.",
    "Thank you, it is going well. We have had a lot of kind words from our guests, and I am proud"
    " of the whole team. How have things been for you lately?",
)
_TURNS = 14
_REPORTS = 5


def episodes(count: int) -> Iterator[dict[str, Any]]:
    """Dialogues of two agents, both judged."""
    for number in range(count):
        names = [f"Ann {number % 997}", f"Bob {number % 991}"]
        yield {
            "episode_id": f"episode-{number}",
            "agents": names,
            "goals": dict.fromkeys(names, "Come to an agreement that both can live with."),
            "scores": {names[0]: number % 11, names[1]: (number * 7) % 11},
            "turns": [
                {"speaker": names[turn % 2], "text": f"{_SAID[turn % 2]} {number}.{turn}"}
                for turn in range(_TURNS)
            ],
        }


def resident_mb() -> float:
    """The process's memory now; its peak where that cannot be told."""
    try:
        with open("/proc/self/statm") as statm:
            pages = int(statm.read().split()[1])
        return pages * resource.getpagesize() / 2**20
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def measure(count: int, workers: int) -> None:
    """Judge and print."""
    step = max(1, 2 * count // _REPORTS)
    verdicts, off = 0, 0.0
    begun, lap = time.perf_counter(), time.perf_counter()
    print(f"{'verdicts':>10}{'per second':>12}{'memory MB':>11}")
    stream = adjudge.judge_stream("social", episodes(count), "discounting", workers=workers)
    async for verdict in stream:
        verdicts += 1
        credits = verdict.details["credits"]
        ratio = sum(0.9**k for k in range(len(credits)))
        total = sum(credit["reward"] for credit in credits)
        off = max(off, abs(total - ratio * verdict.details["episode_score"]))
        if verdicts % step == 0:
            now = time.perf_counter()
            print(f"{verdicts:10}{step / (now - lap):12.0f}{resident_mb():11.0f}")
            lap = now
    seconds = time.perf_counter() - begun
    assert verdicts == 2 * count, f"{verdicts} verdicts on {count} episodes"
    assert math.isclose(off, 0, abs_tol=1e-9), f"rewards are off by {off}"
    print(
        f"{count} episodes, {verdicts} verdicts in {seconds:.0f} s: "
        f"{count / seconds:.0f} episodes a second, {workers} worker(s)"
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(measure(given.count, given.workers))


if __name__ == "__main__":
    main()
