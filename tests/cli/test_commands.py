"""The command line as a user meets it."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from adjudge.cli.app import app
from adjudge.runs.engine import Task
from running import ENVIRONMENT, adjudge, command, judged, write_lines
from tally_judge import TallyJudge

JUDGE = "tally_judge:TallyJudge"
GOOD: list[Any] = [{"id": f"c{i}", "marks": [1] * i} for i in range(5)]
BAD: list[Any] = [*GOOD, "{broken", {"id": "c1"}, {"id": "x", "text": "crash"}]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ADJUDGE_STORE", raising=False)
    write_lines(tmp_path / "good.jsonl", GOOD)
    write_lines(tmp_path / "bad.jsonl", BAD)
    return tmp_path


def call(*arguments: str, given: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(app, arguments, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_run_prints_what_the_run_came_to() -> None:
    result = call("run", JUDGE, "good.jsonl")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0][:1] == ["run"]
    assert lines[2][:2] == ["scored", "5"]
    assert lines[3][:2] == ["score", "cases"]
    assert [line[:2] for line in lines[4:9]] == [[str(score), "1"] for score in range(5)]
    assert ["limited", "5"] in [line[:2] for line in lines]
    assert ["few_marks", "2"] in [line[:2] for line in lines]
    assert f"adjudge show {lines[0][1]} --case ID" in result.stdout
    assert result.stderr == ""
    assert Path(".adjudge/adjudge.db").is_file()


def test_run_exits_3_where_some_are_not_scored() -> None:
    result = call("run", JUDGE, "bad.jsonl")
    assert result.exit_code == 3
    assert "bad_json 1, duplicate_id 1, internal_error 1" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", JUDGE, "none.jsonl"], "none.jsonl: expected a file that can be read"),
        (["run", JUDGE, "x*.jsonl"], "x*.jsonl: expected a pattern that matches a file"),
        (["run", "robto", "good.jsonl"], "did you mean robot?"),
        (["run", JUDGE, "good.jsonl", "--method", "cuont"], "did you mean count?"),
        (["run", JUDGE, "good.jsonl", "--method", "ask"], "expected a model to ask"),
        (["run", JUDGE, "good.jsonl", "--reader", "csv"], "expected pairs, native, found 'csv'"),
        (["run", JUDGE, "good.jsonl", "-o", "limti=1"], "(did you mean limit?)"),
        (
            ["run", JUDGE, "good.jsonl", "-o", "limit=many"],
            "limit: expected an integer, found 'many'",
        ),
        (["run", JUDGE, "good.jsonl", "-o", "limit"], "expected NAME=VALUE, found 'limit'"),
        (["run", JUDGE, "good.jsonl", "-o", "limit=1", "-o", "limit=2"], "found it twice"),
        (["run", JUDGE, "good.jsonl", "--output", "x.pdf"], "expected a file name with .jsonl"),
        (["run", JUDGE, "good.jsonl", "--store", "good.jsonl"], "no SQLite database"),
        (["run", JUDGE, "good.jsonl", "--workers", "-1"], "--workers"),
        (["run", JUDGE], "Missing argument"),
        (["rnu"], "No such command"),
        (["show", "last"], "no such file; `adjudge run` makes it"),
        (["runs", "--store", "none.db"], "no such file"),
        (["judges", "robto"], "did you mean robot?"),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert says in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("content", ["", "[]", "{broken\n", "\n\n"])
def test_run_exits_2_where_no_case_could_be_read(content: str) -> None:
    Path("nothing.json").write_text(content)
    result = call("run", JUDGE, "nothing.json", "--output", "-")
    assert result.exit_code == 2
    assert result.stdout.count("bad_json") == content.count("broken")


def test_one_good_file_is_enough() -> None:
    result = call("run", JUDGE, "none.jsonl", "good.jsonl")
    assert result.exit_code == 3
    assert "unreadable 1" in result.stdout


def test_dash_is_jsonl_on_standard_output_and_nothing_else() -> None:
    result = call("run", JUDGE, "bad.jsonl", "--output", "-")
    expected = [one.text for one in judged(Task(TallyJudge()), Path("bad.jsonl"))]
    assert result.stdout.splitlines() == expected
    assert "run " in result.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_output_goes_by_suffix(workers: str) -> None:
    call("run", JUDGE, "bad.jsonl", "--output", "out.jsonl", "--workers", workers)
    call("run", JUDGE, "bad.jsonl", "--output", "out.csv")
    expected = [one.text for one in judged(Task(TallyJudge()), Path("bad.jsonl"))]
    assert Path("out.jsonl").read_text().splitlines() == expected
    with open("out.csv", newline="") as stream:
        assert [row["position"] for row in csv.DictReader(stream)] == [str(i) for i in range(8)]


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("array", [False, True])
def test_standard_input_is_taken_in_any_format(array: bool, zipped: bool) -> None:
    text = json.dumps(GOOD) if array else "".join(json.dumps(case) + "\n" for case in GOOD)
    given = gzip.compress(text.encode()) if zipped else text.encode()
    result = call("run", JUDGE, "-", "--output", "-", given=given)
    assert result.exit_code == 0
    assert [json.loads(line)["case_id"] for line in result.stdout.splitlines()] == [
        f"c{i}" for i in range(5)
    ]


def test_folders_and_globs_are_read() -> None:
    Path("plans/deep").mkdir(parents=True)
    Path("plans/b.json").write_text('{"marks": [1]}')
    Path("plans/deep/a.json").write_text('{"marks": [1, 1]}')
    for argument in ("plans", "plans/**/*.json"):
        result = call("run", JUDGE, argument, "--output", "-")
        assert [json.loads(line)["case_id"] for line in result.stdout.splitlines()] == ["b", "a"]


def test_options_and_method_are_kept_with_the_run() -> None:
    call("run", JUDGE, "good.jsonl", "-o", "limit=2", "-o", "tag=7", "--method", "count")
    result = call("show", "last", "--json")
    assert [json.loads(line)["scores"]["score"] for line in result.stdout.splitlines()] == [
        0,
        1,
        2,
        2,
        2,
    ]


def test_the_same_command_again_judges_nothing_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = call("run", JUDGE, "bad.jsonl")
    monkeypatch.setenv("TALLY_LOG", "log")
    again = call("run", JUDGE, "bad.jsonl")
    assert again.stdout == first.stdout
    assert again.exit_code == 3
    assert not Path("log").exists()
    assert len(call("runs").stdout.splitlines()) == 2


def test_runs_lists_them() -> None:
    call("run", JUDGE, "good.jsonl")
    call("run", JUDGE, "bad.jsonl", "-o", "limit=1")
    header, first, second = (line.split() for line in call("runs").stdout.splitlines())
    headers = "run created judge method model state cases scored inputs"
    assert header == headers.split()
    assert first[2:] == ["tally", "1", "count", "-", "complete", "5", "5", "good.jsonl"]
    assert second[2:] == ["tally", "1", "count", "-", "complete", "8", "5", "bad.jsonl"]


def test_show_lists_verdicts() -> None:
    call("run", JUDGE, "bad.jsonl")
    lines = call("show", "last").stdout.splitlines()
    headers = "# case scores success status rules flags reason"
    assert lines[0].split() == headers.split()
    assert lines[4].split() == ["3", "c3", "3", "yes", "scored", "limited"]
    assert "bad.jsonl:6: expected a property name" in lines[6]
    assert "which first stood at bad.jsonl:2" in lines[7]
    assert "RuntimeError: cannot count crash" in lines[8]
    only = call("show", "last", "--status", "error", "--limit", "2").stdout.splitlines()
    assert [line.split()[0] for line in only] == ["#", "5", "6", "…", "run"]
    assert "1 more" in only[3]


def test_show_one_case_whole() -> None:
    call("run", JUDGE, "good.jsonl", "-o", "limit=2")
    shown = call("show", "last", "--case", "c4").stdout
    assert "scores: 2" in shown
    assert "bounds on score: 0, 1, 2  because of F1" in shown
    assert "raw scores: score=4" in shown
    assert "F1  info  marks  field=marks  4 marks" in shown
    assert call("show", "last", "--case", "4").stdout == shown
    as_json = call("show", "last", "--case", "c4", "--json").stdout
    assert json.loads(as_json)["case_id"] == "c4"


def test_show_says_what_there_is() -> None:
    call("run", JUDGE, "good.jsonl")
    for arguments, says in (
        (("show", "zzz"), "no such run; there are: "),
        (("show", "last", "--case", "c"), "there are: c0, c1"),
        (("show", "last", "--case", "99"), "none of this id or position"),
    ):
        result = call(*arguments)
        assert result.exit_code == 2
        assert says in result.stderr


def test_judges_are_described() -> None:
    shown = call("judges", JUDGE).stdout
    assert "methods: count, ask (asks a model)" in shown
    assert "readers: pairs, native" in shown
    assert ["-o", "limit=", "int", "default", "4", "the", "most"] in [
        line.split()[:7] for line in shown.splitlines()
    ]
    assert "robot" in call("judges").stdout


HOSTILE = "\x1b[31mred\x1b]0;title\x07 [bold]markup[/bold] :smile: \u202eback \x9b2J"


def test_text_of_cases_does_not_command_the_terminal() -> None:
    case = {"id": f"id{HOSTILE}", "text": f"crash {HOSTILE}", "colour": HOSTILE}
    write_lines(Path("h.jsonl"), [case, {**case, "id": "k", "marks": HOSTILE}, {"id": "t\nu"}])
    shown = [
        call("run", JUDGE, "h.jsonl"),
        call("show", "last"),
        call("show", "last", "--case", "k"),
        call("show", "last", "--case", f"no{HOSTILE}"),
        call("run", JUDGE, f"missing{HOSTILE}"),
        call("run", f"judge{HOSTILE}", "h.jsonl"),
        call("run", JUDGE, "h.jsonl", "-o", f"{HOSTILE}=1"),
    ]
    for result in shown:
        text = result.stdout + result.stderr
        assert not set(text) & set("\x1b\x07\x9b\u202e")
    assert "[bold]markup[/bold] :smile:" in shown[1].stdout
    assert "\\u202e" in shown[1].stdout
    assert "t\\nu" in shown[1].stdout


def test_every_help_has_an_example() -> None:
    commands = [c.name or c.callback.__name__ for c in app.registered_commands if c.callback]
    assert {"run", "show", "runs", "judges"} <= set(commands)
    for name in commands:
        result = call(name, "--help")
        assert "Example" in result.stdout, name
        assert f"adjudge {name}" in result.stdout, name
        assert name in call("--help").stdout


def test_help_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; sys.argv = ['adjudge', '--help']\n"
        "from adjudge.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'pydantic', 'sqlalchemy', 'rich', 'asyncio', 'aiohttp', 'jinja2'}\n"
        "print(sorted(heavy & {*sys.modules}), file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    assert found.stderr.strip() == "[]"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    cases = [{"id": f"c{i}", "text": "x" * 2000} for i in range(300)]
    write_lines(tmp_path / "many.jsonl", cases)
    for arguments in (
        ("run", JUDGE, "many.jsonl", "--output", "-"),
        ("show", "last", "--limit", "0"),
    ):
        process = subprocess.Popen(
            command(*arguments),
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        process.wait()


def test_off_a_terminal_everything_is_plain(tmp_path: Path) -> None:
    result = adjudge("run", JUDGE, "bad.jsonl", cwd=tmp_path)
    shown = adjudge("show", "last", cwd=tmp_path)
    for text in (result.stdout, result.stderr, shown.stdout, shown.stderr):
        assert "\x1b" not in text
        assert all(line == line.rstrip() for line in text.splitlines())
    assert result.stderr == ""


def test_an_encoding_that_lacks_letters_ends_no_command(tmp_path: Path) -> None:
    write_lines(tmp_path / "u.jsonl", [{"id": "caf\u00e9 \u2603", "marks": [1]}])
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
    for arguments, shown in (
        (("run", JUDGE, "u.jsonl"), b"####"),
        (("show", "last"), b"caf\\xe9 \\u2603"),
        (("show", "last", "--json"), "caf\u00e9 \u2603".encode()),
    ):
        result = subprocess.run(
            command(*arguments), cwd=tmp_path, env=environment, capture_output=True, check=True
        )
        assert shown in result.stdout
        assert result.stderr == b""


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjudge.cli.progress import Progress

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with Progress() as progress:
            progress.show(1234, 5)
        assert ("1,234 verdicts" in stream.getvalue()) == drawn


def test_the_store_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADJUDGE_STORE", "here.db")
    assert call("run", JUDGE, "good.jsonl").exit_code == 0
    assert Path("here.db").is_file()
    assert "good.jsonl" in call("runs").stdout


MEMORY = """
import sys
from typer.testing import CliRunner
from adjudge.cli.app import app
arguments = ["run", "tally_judge:TallyJudge", sys.argv[1], "--output", sys.argv[2]]
result = CliRunner().invoke(app, arguments)
assert result.exit_code == 3, result.output
# of this program alone: ru_maxrss would count the process it was forked from
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(int(peak.split()[1]) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures kilobytes as Linux counts them")
def test_memory_is_flat_to_100_000_lines(tmp_path: Path) -> None:
    """Most lines are broken, which is quick; each has its verdict, its row and its line."""
    peaks = []
    for count in (1_000, 100_000):
        path = tmp_path / f"{count}.jsonl"
        with path.open("w") as stream:
            for i in range(count):
                stream.write(f'{{"id": "c{i}"}}\n' if i % 20 == 0 else '{"id": "broken\n')
        out = tmp_path / f"{count}.out.jsonl"
        found = subprocess.run(
            [sys.executable, "-c", MEMORY, path, out],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=True,
        )
        peaks.append(int(found.stdout))
        with out.open() as stream:
            assert sum(1 for _ in stream) == count
    assert peaks[1] < 120
    assert peaks[1] - peaks[0] < 15
