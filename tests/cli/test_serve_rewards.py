"""``adjudge serve-rewards``: a server on this machine until it is told to stop."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from running import adjudge, started

pytest.importorskip("uvicorn")

BODY = {
    "query": ["Plan:navigate(lamp)\ntoggle_on(lamp)", "Plan:wait"],
    "prompts": ["Plan:", "Plan:"],
    "labels": [json.dumps({"instruction": "Turn on the lamp."})] * 2,
}


def _post(url: str, **headers: str) -> Any:
    request = urllib.request.Request(url, json.dumps(BODY).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.loads(response.read())


def test_the_server_says_where_it_is_answers_and_stops(tmp_path: Path) -> None:
    process = started(
        "serve-rewards", "robot", "--port", "0", cwd=tmp_path, ADJUDGE_REWARDS_TOKEN="secret"
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("adjudge: the robot judge rewards at http://127.0.0.1:")
        url = line.split()[-1]
        with pytest.raises(urllib.error.HTTPError, match="401"):
            _post(url)
        answer = _post(url, Authorization="Bearer secret")
        assert answer["rewards"] == [1.0, 0.0]
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=30)
    assert "secret" not in errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("serve-rewards", "robt"), "did you mean robot"),
        (("serve-rewards", "robot", "-o", "hand=1"), "did you mean hands"),
        (("serve-rewards", "social", "--method", "direct"), "expected a model to ask"),
        (("serve-rewards", "social", "--model", "nobody:x"), "unknown provider"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_served(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    done = adjudge(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
