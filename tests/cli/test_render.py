"""``adjudge render``: the prompts on a case, with no model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from adjudge.cli.render import render

app = typer.Typer()
app.command()(render)

OPEN = {"id": "guest", "instruction": "Prepare the mug for a guest.", "plan": ["pick(mug)"]}
SETTLED = {"id": "walk", "instruction": "Open the box.", "plan": ["navigate(box)"]}


@pytest.fixture
def plans(tmp_path: Path) -> str:
    """Two cases, one of them settled by its bounds."""
    path = tmp_path / "plans.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in (OPEN, SETTLED)))
    return str(path)


def _run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_both_messages_are_shown_and_the_first_case_is_named(plans: str) -> None:
    result = _run("robot", plans)
    assert result.exit_code == 0
    assert "----- verdict: system -----" in result.stdout
    assert "----- verdict: user -----" in result.stdout
    assert '"Prepare the mug for a guest."' in result.stdout
    assert "showing guest; --case ID shows another" in result.stderr


@pytest.mark.parametrize("wanted", ["walk", "1"])
def test_a_settled_case_is_shown_with_a_note(plans: str, wanted: str) -> None:
    result = _run("robot", plans, "--case", wanted)
    assert result.exit_code == 0
    assert '"Open the box."' in result.stdout
    assert "The score can only be 0" in result.stdout
    assert "settled without a model (score 0); no model would be asked" in result.stderr


def test_json_holds_the_messages_exactly_and_the_schema(plans: str) -> None:
    result = _run("robot", plans, "--json")
    (shown,) = [json.loads(line) for line in result.stdout.splitlines()]
    assert shown["case_id"] == "guest"
    assert [message["role"] for message in shown["messages"]] == ["system", "user"]
    assert list(shown["schema"]["properties"])[-2:] == ["score", "success_boolean"]


def test_another_method_and_standard_input() -> None:
    result = _run("robot", "-", "--method", "grounded", stdin=json.dumps(OPEN))
    assert result.exit_code == 0
    assert "----- goal: user -----" in result.stdout
    settled = _run("robot", "-", "--method", "grounded", stdin=json.dumps(SETTLED))
    assert settled.exit_code == 2
    assert "there is nothing to ask a model" in settled.stderr


def test_templates_and_examples_of_one_s_own(plans: str, tmp_path: Path) -> None:
    files = {}
    for name, text in {
        "system": 'Judge. {examples} {"score": 0}',
        "user": "TASK {instruction} DID {executed_actions} {{x}}",
        "shots": "NO EXAMPLES",
    }.items():
        files[name] = tmp_path / name
        files[name].write_text(text)
    result = _run(
        *("robot", plans, "--system-template", str(files["system"])),
        *("--user-template", str(files["user"]), "--examples", str(files["shots"])),
    )
    assert result.exit_code == 0
    assert 'Judge. NO EXAMPLES {"score": 0}\n' in result.stdout
    assert (
        'TASK "Prepare the mug for a guest." DID ```text\n1. pick(mug)\n``` {{x}}' in result.stdout
    )


def test_what_a_terminal_would_obey_is_made_visible(tmp_path: Path) -> None:
    case = {**OPEN, "instruction": "Prepare \x1b[31mthe mug\u202e."}
    result = _run("robot", "-", stdin=json.dumps(case))
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--case", "nope"], "expected a case 'nope', found none"),
        (["--method", "symbolic"], "one that asks a model (llm, grounded), found 'symbolic'"),
        (["-o", "hands=many"], "option hands"),
        (["--user-template", "missing.txt"], "--user-template missing.txt: expected a UTF-8 text"),
    ],
)
def test_what_is_wrong_is_named(plans: str, arguments: list[str], said: str) -> None:
    result = _run("robot", plans, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_template_that_cannot_judge_is_named(plans: str, tmp_path: Path) -> None:
    template = tmp_path / "mine.txt"
    template.write_text("{{ instruction }}")
    result = _run("robot", plans, "--user-template", str(template))
    assert result.exit_code == 2
    assert "each with single braces" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"instruction": "x", "plan": 3}', "plan: expected a list"),
        ("{", "-:1: expected a property name"),
        ("", "expected a case, found none"),
    ],
)
def test_a_case_that_cannot_be_read_is_named(text: str, said: str) -> None:
    result = _run("robot", "-", stdin=text)
    assert result.exit_code == 2
    assert said in result.stderr
