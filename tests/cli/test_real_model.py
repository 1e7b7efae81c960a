"""A real model, in this process: SmolLM2 with 135 million parameters, which is often wrong."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import real_model
from adjudge.cli.app import app
from running import write_lines
from scripted import unsettled

SYSTEM = "Answer with one word in each field."
USER = (
    "{instruction} {executed_actions} Did it work? "
    '{"summary": "%s", "execution_analysis": "%s", "evaluate": "%s", '
    '"score": 3, "success_boolean": true}'
)
LIKE_THIS = USER % ("Yes", "Good", "Done")
FORM = USER % ("string", "string", "string")


def run(template: str, numbers: range) -> list[dict[str, Any]]:
    """The verdicts on cases of these numbers, asked about with a template."""
    pytest.importorskip("xllamacpp", reason="needs the extra 'local'")
    try:
        file = real_model.path()
    except OSError as problem:
        pytest.skip(str(problem))
    Path("system.txt").write_text(SYSTEM)
    Path("user.txt").write_text(template)
    write_lines(Path("cases.jsonl"), [unsettled(n, plan=["pick(book)"]) for n in numbers])
    model = ["--model", f"llamacpp:{file}", "--max-output-tokens", "60", "--workers", "0"]
    templates = ["--system-template", "system.txt", "--user-template", "user.txt"]
    command = ["run", "robot", "cases.jsonl", *model, *templates]
    dry = CliRunner().invoke(app, [*command, "--dry-run"])
    guessed = re.search(r": (\d+) calls, about ([\d,]+) tokens read", dry.stdout)
    assert guessed is not None, dry.output
    assert int(guessed[1]) == len(numbers)
    result = CliRunner().invoke(app, [*command, "--output", "out.jsonl"])
    assert result.exit_code in (0, 3), result.output
    assert "$0" in result.stdout
    verdicts = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    # a repair turn shows the prompt again
    read = [v["usage"]["input_tokens"] for v in verdicts if v["usage"]["calls"] == 1]
    guess = int(guessed[2].replace(",", "")) / len(numbers)
    assert all(guess == pytest.approx(tokens, rel=0.25) for tokens in read)
    return verdicts


def test_ten_cases_are_ten_verdicts_and_the_echo_of_a_form_is_invalid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answered, echoed = run(LIKE_THIS, range(7)), run(FORM, range(7, 10))
    verdicts = answered + echoed
    assert [verdict["case_id"] for verdict in verdicts] == [f"case-{n}" for n in range(10)]
    for verdict in verdicts:
        assert verdict["opinions"][0]["model"] == f"llamacpp:{real_model.FILE}"
        assert verdict["usage"]["output_tokens"] > 0
        if verdict["status"] == "scored":
            assert verdict["scores"]["score"] in verdict["bounds"]["score"]["allowed"]
        else:
            assert verdict["status"] in ("invalid", "truncated")
            assert verdict["reason"]
            assert verdict["scores"] == {}
    assert sum(verdict["status"] == "scored" for verdict in answered) >= 5
    echoes = [v for v in echoed if v["status"] == "invalid" and v["reason"].startswith("echo: ")]
    assert echoes
    # it was told so in a repair turn, and echoed again
    assert all(verdict["usage"]["calls"] == 2 for verdict in echoes)
