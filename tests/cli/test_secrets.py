"""A key goes to its endpoint and nowhere else."""

import logging
from pathlib import Path

import pytest
from typer.testing import CliRunner

import adjudge
from adjudge.cli.app import app
from adjudge.models import parse_model
from adjudge.runs.panel import BadAsking, urls_of
from adjudge.testing import FAULTS, Fault, MisbehavingEndpoint
from adjudge.testing.fault import Error, Play
from running import write_lines
from scripted import MODEL, asking, by_number, unsettled

KEY = "sk-planted/0123456789+abcdef=="
VARIABLES = {"ADJUDGE_API_KEY": KEY, "OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
QUOTED = Fault("quoted", "500 that quotes the key", Play(500, error=Error("Who is {key}?")))


@pytest.mark.parametrize("fault", ["unauthorized", "quoted", "words", "hang_up_always"])
def test_a_planted_key_is_found_nowhere(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    write_lines(tmp_path / "cases.jsonl", [unsettled(number) for number in range(4)])
    shown: list[str] = []
    caplog.set_level(logging.DEBUG)
    odd = QUOTED if fault == "quoted" else FAULTS[fault]
    half = Fault(odd.name, odd.about, odd.play, when=lambda body: "number 2." in str(body))
    with MisbehavingEndpoint(by_number, fault=half) as endpoint:
        run = [
            "run",
            "robot",
            "cases.jsonl",
            *asking(endpoint, "--deadline", "1"),
            "--workers",
            "0",
        ]
        for arguments in (
            [*run, "--output", "verdicts.csv"],
            [*run, "--retry-failed", "--output", "verdicts.jsonl"],
            ["show", "last", "--json"],
            ["show", "last", "--case", "2"],
            ["runs"],
            ["export", "last", "--to", "trl-unpaired", "--threshold", "0.5", "--output", "t.jsonl"],
        ):
            result = CliRunner().invoke(app, arguments)
            assert result.exit_code in (0, 3), result.output
            shown += [result.stdout, result.stderr, repr(result.exception)]
        assert {received.key for received in endpoint.requests} == {f"Bearer {KEY}"}
        found = adjudge.judge(
            "robot", "cases.jsonl", model=MODEL, base_url=endpoint.url, deadline=1
        )
        shown += [verdict.to_json() for verdict in found]
        shown += [repr(endpoint.requests[0])]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {".db", ".csv", ".jsonl"} <= {path.suffix for path in files}
    everything = [*shown, caplog.text, *(path.read_bytes().decode("latin-1") for path in files)]
    assert "case-2" in "".join(everything)
    for secret in (KEY, KEY.replace("/", "\\/"), "0123456789+abcdef"):
        assert not [text for text in everything if secret in text]


@pytest.mark.parametrize("model", ["openai:x", "anthropic:x", MODEL])
def test_a_place_where_nobody_listens_is_told_without_the_key(
    model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    write_lines(tmp_path / "cases.jsonl", [unsettled(1)])
    options = ["--model", model, "--base-url", "http://127.0.0.1:9/v1", "--deadline", "1"]
    command = ["run", "robot", "cases.jsonl", *options, "--workers", "0", "--output", "-"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 3, done.stderr
    assert "connection: " in done.stdout
    assert "planted" not in done.stdout + done.stderr


def test_a_url_meant_for_one_provider_is_not_given_the_key_of_another() -> None:
    here, there = "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1"
    own, ours, remote, file = map(
        parse_model, ("openai-compatible:a", "openai-compatible:b", "openai:c", "llamacpp:d.gguf")
    )
    assert urls_of([remote, own, ours, file], here) == {own: here, ours: here}
    assert urls_of([own, remote, ours], [here, there]) == {own: here, ours: there}
    assert urls_of([remote, file], here) == {remote: here}
    for models, urls in (([file], here), ([own, remote], [here, there]), ([own], [here, there])):
        with pytest.raises(BadAsking, match="base_url: expected one"):
            urls_of(models, urls)
