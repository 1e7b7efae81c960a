"""A page of many cases: how long it takes to write, its size, and how fast it is in a browser.

The plans are those of the example, over and over. The browser is the one that ``ADJUDGE_CHROMIUM``
names or that is installed; without one only writing is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import tempfile
import time
from pathlib import Path

from typer.testing import CliRunner

from adjudge.cli.app import app

_EXAMPLE = Path(__file__).parents[1] / "examples" / "robot" / "plans.jsonl"
_WORDS = ("m", "milk", "milk table", "not there", "lamp-00", "", "sink", "goal_met", "wash mug")
_SEARCH = """async (words) => {
  const search = document.getElementById("search");
  const took = [];
  for (const word of words) {
    const begun = performance.now();
    search.value = word;
    search.dispatchEvent(new Event("input"));
    document.getElementById("list").getBoundingClientRect();
    took.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  return took.sort((a, b) => a - b);
}"""


def written(folder: Path, count: int) -> Path:
    """A page of so many cases; prints what writing it took."""
    plans = [json.loads(line) for line in _EXAMPLE.read_text(encoding="utf-8").splitlines()]
    cases, store, page = folder / "plans.jsonl", folder / "runs.db", folder / "report.html"
    with cases.open("w", encoding="utf-8") as stream:
        for number in range(count):
            plan = plans[number % len(plans)]
            stream.write(json.dumps({**plan, "id": f"{plan['id']}-{number:05}"}) + "\n")
    _adjudge("run", "robot", str(cases), "--store", str(store))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, busy = time.perf_counter(), time.process_time()
    _adjudge("report", "last", "-O", str(page), "--store", str(store))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{count:,} cases from {cases.stat().st_size / 1e6:.1f} MB")
    print(
        f"written in {time.perf_counter() - begun:.1f} s ({time.process_time() - busy:.1f} s CPU)"
    )
    print(f"page {page.stat().st_size / 1e6:.2f} MB")
    print(f"memory at most {peak / 1024:.0f} MB ({before / 1024:.0f} MB before)")
    return page


def _adjudge(*arguments: str) -> None:
    done = CliRunner().invoke(app, arguments)
    if done.exit_code not in (0, 3):
        raise SystemExit(done.output)


async def opened(page: Path, browser: str) -> None:
    """Open the page and search in it; prints how long that takes."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        tab = await running.new_page()
        begun = time.perf_counter()
        await tab.goto(page.as_uri() + "#cases")
        await tab.wait_for_selector("[data-ready]")
        print(f"opened in {time.perf_counter() - begun:.1f} s")
        took = await tab.evaluate(_SEARCH, list(_WORDS))
        print(f"a search: median {took[len(took) // 2]:.1f} ms, at most {took[-1]:.1f} ms")
        await running.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    count = parser.parse_args().count
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = os.environ.get("ADJUDGE_CHROMIUM") or next(
        filter(None, map(shutil.which, names)), None
    )
    with tempfile.TemporaryDirectory() as folder:
        page = written(Path(folder), count)
        if browser is None:
            print("no browser: not opened")
        else:
            asyncio.run(opened(page, browser))


if __name__ == "__main__":
    main()
