"""The reward server, asked as OpenRLHF's client asks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LAMP = json.dumps({"instruction": "Turn on the lamp."})


def test_rewards_become_a_tensor_as_in_openrlhf(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    import urllib.request

    command = [sys.executable, "-m", "adjudge", "serve-rewards", "robot", "--port", "0"]
    with subprocess.Popen(
        [*command, "--missing", "0"], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            prompt = "<|im_start|>user\nTurn on the lamp.<|im_end|>\n<|im_start|>assistant\n"
            plans = ["navigate(lamp)\ntoggle_on(lamp)", "wait"]
            body = {
                "query": [f"{prompt}{plan}<|im_end|>" for plan in plans],
                "prompts": [prompt] * 2,
                "labels": [LAMP, LAMP],
            }
            request = urllib.request.Request(
                url, json.dumps(body).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=180) as response:
                answer = json.loads(response.read())
        finally:
            process.terminate()
    assert torch.tensor(answer["rewards"]).tolist() == [1.0, 0.0]
    assert torch.tensor(answer["scores"]).shape == (2,)
    assert {k: torch.tensor(v).tolist() for k, v in answer["extra_logs"].items()} == {
        "judged": [1.0, 1.0]
    }
