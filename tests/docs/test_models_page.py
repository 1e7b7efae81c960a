"""What the page on models and the README say to type does what they say."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adjudge.cli.app import app
from adjudge.testing import MisbehavingEndpoint
from running import ROOT, write_lines
from scripted import unsettled, verdict_of

PAGE = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCES = [
    block
    for kind, block in re.findall(
        r"^```(\w*)\n(.*?)^```$", f"{PAGE}\n{README}", re.MULTILINE | re.DOTALL
    )
    if kind in ("", "text")
]
COMMANDS = sorted(
    {
        line.removeprefix("$ ")
        for block in FENCES
        for line in block.splitlines()
        if line.removeprefix("$ ").startswith("adjudge run") and "--model" in line
    }
)
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ADJUDGE_API_KEY")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in KEYS:
        monkeypatch.setenv(name, "planted")
    write_lines(tmp_path / "plans.jsonl", [unsettled(number) for number in range(3)])
    shutil.copytree(ROOT / "examples", tmp_path / "examples")


def typed(line: str, endpoint: MisbehavingEndpoint) -> str:
    """The output of a command, with the endpoint in the place of every other one."""
    given = re.sub(r"http://127\.0\.0\.1:8000/v1|\bURL\b", endpoint.url, line)
    words = shlex.split(given)[1:]
    if "--base-url" not in words:
        words += ["--base-url", endpoint.url]
    result = CliRunner().invoke(app, [*words, "--workers", "0"])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("line", [line for line in COMMANDS if "llamacpp" not in line])
def test_a_command_runs(line: str) -> None:
    with MisbehavingEndpoint(verdict_of(4)) as endpoint:
        assert "asked " in typed(line, endpoint)
        assert endpoint.requests


def test_a_model_in_this_process_wants_its_file() -> None:
    [line] = [line for line in COMMANDS if "llamacpp" in line]
    result = CliRunner().invoke(app, shlex.split(line)[1:])
    assert result.exit_code == 2
    assert "FILE.gguf" in result.stderr or "adjudge[local]" in result.stderr


def test_the_summary_is_what_is_printed() -> None:
    [block] = [block for block in FENCES if block.startswith("$ adjudge run")]
    command, *shown = block.splitlines()
    with MisbehavingEndpoint(verdict_of(4)) as endpoint:
        printed = typed(command.removeprefix("$ "), endpoint).splitlines()
    assert shown == [line for line in printed if line.startswith(("asked", "saved", "held"))]


def test_every_option_of_asking_is_in_the_table() -> None:
    from adjudge.runs.panel import Asking

    for name in Asking.__annotations__:
        assert f"| `--{name.replace('_', '-')}` | `{name}` |" in PAGE
