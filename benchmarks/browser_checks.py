"""Conversations a second by ``checks``, on one core, and memory at two sizes.

    python benchmarks/browser_checks.py

The mix: conversations of 20 messages in four turns, six tool calls with their results (open tabs,
pages of about 1,200 characters), a fifth of them without a fault and the others with one that is
found. Every verdict is made from its JSON line: parsed, read by detection, checked, concluded and
written as JSON.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from adjudge.contract import Record, Verdict, conclude
from adjudge.judges.browser.judge import BrowserJudge

MESSAGES = 20
WORDS = ["the", "page", "about", "cameras", "and", "lenses", "says", "that", "a", "light", "body"]
WORDS += ["is", "best", "for", "birds", "in", "flight", "with", "fast", "lens", "of", "good"]
WORDS += ["reach", "while", "reviewers", "praise", "its", "quick", "focus", "and", "long", "life"]
FAULTS = (None, "duplicate_call", "page_refetched", "invented_url", "malformed_arguments")


def lines(count: int, seed: int = 0) -> Iterator[str]:
    """The mix, one JSON line a conversation, the same for the same seed."""
    rng = random.Random(seed)
    for number in range(count):
        yield json.dumps({"id": f"talk-{number}", "conversation": _talk(rng, number)})


def _talk(rng: random.Random, number: int) -> list[dict[str, Any]]:
    urls = [f"https://site{number}.example/{rng.randrange(10**6)}/review-{i}" for i in range(5)]
    talk = [_user(rng), _say(rng)]
    for turn in range(3):
        talk.append(_user(rng))
        talk += _called(f"t{turn}", "get_tabs", "{}", _tabs(rng, urls))
        talk += _called(f"p{turn}", "get_page_contents", _url(urls[turn]), _text(rng, 220))
        talk.append(_say(rng))
    fault = FAULTS[number % len(FAULTS)]
    last = talk[17:19]  # the page that the response reads
    if fault == "duplicate_call":
        talk[17:19] = _called("again", "get_tabs", "{}", talk[16]["content"])
    elif fault == "page_refetched":
        talk[17:19] = _called("again", "get_page_contents", _url(urls[0]), talk[6]["content"])
    elif fault == "invented_url":
        made_up = _url(f"https://elsewhere.example/{rng.randrange(10**9)}/x")
        talk[17:19] = _called("new", "get_page_contents", made_up, last[1]["content"])
    elif fault == "malformed_arguments":
        talk[17:19] = _called("cut", "get_page_contents", _url(urls[2])[:-1], "Error: bad request")
    assert len(talk) == MESSAGES
    return talk


def _text(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(WORDS, k=words)).capitalize() + "."


def _user(rng: random.Random) -> dict[str, Any]:
    return {"role": "user", "content": _text(rng, 15)}


def _say(rng: random.Random) -> dict[str, Any]:
    return {"role": "assistant", "content": _text(rng, 50) + " I could not find more."}


def _url(url: str) -> str:
    return json.dumps({"url": url})


def _tabs(rng: random.Random, urls: list[str]) -> str:
    tabs = [{"url": url, "title": _text(rng, 5), "active": url == urls[0]} for url in urls]
    return json.dumps(tabs)


def _called(call_id: str, name: str, arguments: str, text: str) -> list[dict[str, Any]]:
    function = {"name": name, "arguments": arguments}
    call = {"id": call_id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": call_id, "content": text},
    ]


JUDGE = BrowserJudge()
METHOD = JUDGE.methods()["checks"]
READERS = tuple(JUDGE.readers().values())


def verdict(line: str) -> Verdict:
    """One verdict from one JSON line."""
    record = Record(json.loads(line))
    reader = next(reader for reader in READERS if reader.detect(record))
    [case] = reader.read(record)
    evidence = JUDGE.check(case)
    opinion = METHOD.step(case, evidence, {})
    return conclude(JUDGE, case, evidence, [opinion], method="checks")  # type: ignore[list-item]


def rate(count: int) -> None:
    """Verdicts a second of CPU on one core, the best of three."""
    made = list(lines(count))
    for line in made[:100]:
        verdict(line)
    best = float("inf")
    for _ in range(3):
        found: Counter[str] = Counter()
        started = time.process_time()
        for line in made:
            one = verdict(line)
            one.to_json()
            found.update(finding.kind for finding in one.findings)
        best = min(best, time.process_time() - started)
    size = sum(map(len, made)) / count
    print(f"conversations of {MESSAGES} messages, {size:,.0f} bytes of JSON each")
    print(f"one core: {count / best:,.0f}/s of CPU ({best / count * 1000:.2f} ms each)")
    print("findings: " + ", ".join(f"{kind} {n}" for kind, n in sorted(found.items())))


def memory(count: int) -> None:
    """The peak of a process that judges ``count`` conversations as they come."""
    for line in lines(count):
        verdict(line).to_json()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count:>7,} conversations: peak {peak:.0f} MB")


def main() -> None:
    """Print every figure."""
    if len(sys.argv) > 1:
        memory(int(sys.argv[1]))
        return
    rate(1_000)
    for count in ("1000", "10000"):
        subprocess.run([sys.executable, __file__, count], check=True)


if __name__ == "__main__":
    main()
