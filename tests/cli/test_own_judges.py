"""Judges of one's own in a file: run, kept, shown, compared, attacked, and changed meanwhile."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from adjudge.runs.store import Store
from adjudge.testing import MisbehavingEndpoint
from commands import adjudge
from running import ENVIRONMENT, ROOT, write_lines
from running import adjudge as adjudge_alone
from support_rubric import GOOD, SILENT, SUPPORT, UNPROVED, answered

MODEL = ("--model", "openai-compatible:any")
STORE = Path(".adjudge") / "adjudge.db"
OWN = """
from typing import ClassVar
from beside import LIMIT
from tally_judge import TallyJudge

class Mine(TallyJudge):
    "Counts marks, as I do."
    name: ClassVar[str] = "mine"
    limit: int = LIMIT
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ADJUDGE_STORE", raising=False)
    return tmp_path


@pytest.fixture
def rubric() -> Path:
    path = Path("support.yaml")
    path.write_text(SUPPORT)
    labelled = [{**case, "label": {"resolution": 1}} for case in (GOOD, UNPROVED, SILENT)]
    write_lines(Path("chats.jsonl"), labelled)
    return path


@pytest.fixture
def mine() -> Path:
    path = Path("mine.py")
    path.write_text(OWN)
    Path("beside.py").write_text("LIMIT = 3\n")
    write_lines(Path("cases.jsonl"), [{"id": f"c{n}", "marks": [1] * n} for n in range(5)])
    return path


def last() -> list[dict[str, Any]]:
    shown = adjudge("show", "last", "--json", "--limit", "0")
    return [json.loads(line) for line in shown.stdout.splitlines()]


def run_id(shown: str) -> str:
    return shown.split()[1]


def test_a_rubric_is_run_and_all_that_comes_after_needs_no_word_of_it(rubric: Path) -> None:
    with MisbehavingEndpoint(answered(5, "kind")) as endpoint:
        done = adjudge("run", rubric, "chats.jsonl", *MODEL, "--base-url", endpoint.url)
        assert done.exit_code == 0, done.stderr
        assert "support 1 · llm" in done.stdout
        rubric.unlink()  # what it said is kept with the run
        assert [v["scores"]["resolution"] for v in last()] == [5, 2, 1]
        agreed = adjudge("agree", "last").stdout
        assert "resolution: 3 pairs" in agreed
        attacked = adjudge("attack", "last", "--limit", "1", "--base-url", endpoint.url, "--json")
        report = json.loads(attacked.stdout)
    assert {field["name"] for field in report["fields"]} == {
        "messages[user].content",
        "messages[assistant].content",
        "messages[tool].content",
        "all fields",
    }
    rows = [{"case": "good", "annotator": "ann", "dimension": "resolution", "value": 4}]
    write_lines(Path("labels.jsonl"), rows)
    assert "1 labels kept" in adjudge("label", "import", "last", "labels.jsonl").stdout
    assert adjudge("diff", "last", "last").exit_code == 0
    assert adjudge("gate", "last", "--min", "resolution=1").exit_code == 0
    assert adjudge("export", "last", "--to", "csv").exit_code == 0


def test_a_rubric_under_attack_is_held_where_its_rules_hold(rubric: Path) -> None:
    from adjudge.agreement.attack.attacks import PAYLOADS
    from adjudge.testing import Obedient

    obedient = Obedient([text.strip()[:40] for text in PAYLOADS.values()])
    write_lines(Path("one.jsonl"), [UNPROVED])
    with MisbehavingEndpoint(obedient) as endpoint:
        where = ("--base-url", endpoint.url)
        assert adjudge("run", rubric, "one.jsonl", *MODEL, *where).exit_code == 0
        report = json.loads(adjudge("attack", "last", *where, "--json").stdout)
    [dimension] = [d for d in report["dimensions"] if d["name"] == "resolution"]
    assert dimension["rose_bare"] > 0
    assert dimension["points_bare"] > dimension["points"]
    raised = [r for r in report["rises"] if r["dimension"] == "resolution" and r["bounded"]]
    assert all(rise["after"] <= 2 for rise in raised)


def test_the_agent_s_words_are_padded_and_replaced_where_a_rubric_marks_them(here: Path) -> None:
    examples = ROOT / "examples" / "rubrics"
    chats = (examples / "support.jsonl").read_text().splitlines()
    Path("one.jsonl").write_text(chats[0] + "\n")
    assert adjudge("run", examples / "support.yaml", "one.jsonl").exit_code == 0
    report = json.loads(adjudge("attack", "last", "--json").stdout)
    tried = {attack["name"]: attack["tried"] for attack in report["attacks"]}
    assert tried["padding"] == tried["reasoning"] == tried["master_key.colon"] == 1
    assert report["untried"] == []
    assert "messages[agent].text" in {field["name"] for field in report["fields"]}


def test_what_a_rubric_says_makes_the_run_and_where_it_lies_does_not(rubric: Path) -> None:
    first = run_id(adjudge("run", rubric, "chats.jsonl").stdout)
    shutil.copy(rubric, "moved.yaml")
    Path("moved.yaml").write_text("# the same\n" + Path("moved.yaml").read_text())
    assert run_id(adjudge("run", "./moved.yaml", "chats.jsonl").stdout) == first
    rubric.write_text(SUPPORT.replace("at most 2", "at most 3"))
    assert run_id(adjudge("run", rubric, "chats.jsonl").stdout) != first
    with Store.open(str(STORE)) as store:
        kinds = [run.origin.kind for run in store.runs() if run.origin]
    assert kinds == ["rubric", "rubric"]


def test_a_python_file_is_run_in_this_process_and_in_workers(mine: Path) -> None:
    done = adjudge("run", "./mine.py:Mine", "cases.jsonl")
    assert [v["scores"]["score"] for v in last()] == [0, 1, 2, 3, 3]
    assert "mine 1 · count" in done.stdout
    alone = run_id(done.stdout)
    told = adjudge_alone(
        "run", "mine.py", "cases.jsonl", "--workers", "2", "--store", "other.db", cwd=Path.cwd()
    )
    assert told.returncode == 0, told.stderr
    assert run_id(told.stdout) == alone
    with Store.open("other.db") as store, Store.open(str(STORE)) as other:
        assert list(store.verdicts(store.find("last"))) == list(other.verdicts(other.find("last")))


def test_a_python_file_that_asks_works_beside_a_worker(mine: Path) -> None:
    with MisbehavingEndpoint({"value": 4}) as endpoint:
        done = adjudge_alone(
            "run", "mine.py", "cases.jsonl", *MODEL, "--base-url", endpoint.url, cwd=Path.cwd()
        )
    assert done.returncode == 0, done.stderr
    assert [v["scores"]["score"] for v in last()] == [3] * 5


def test_a_python_file_that_has_changed_is_not_taken_for_the_one_that_judged(mine: Path) -> None:
    first = run_id(adjudge("run", "mine.py", "cases.jsonl").stdout)
    assert adjudge("attack", "last", "--limit", "1").exit_code == 0
    mine.write_text(OWN + "# another word\n")
    for command in (["attack", "last"], ["agree", "last"], ["label", "import", "last", "none"]):
        done = adjudge(*command)
        assert done.exit_code == 2
        assert "mine.py:Mine: expected the file that judged, found another content" in done.stderr
    assert adjudge("attack", "last", "--limit", "1", "--judge", "mine.py:Mine").exit_code == 0
    assert run_id(adjudge("run", "mine.py", "cases.jsonl").stdout) != first
    mine.unlink()
    assert "found none" in adjudge("attack", "last").stderr
    assert adjudge("show", "last").exit_code == 0


def test_a_class_in_a_module_is_found_again_by_itself() -> None:
    write_lines(Path("cases.jsonl"), [{"id": "a", "marks": [1]}])
    assert adjudge("run", "tally_judge:TallyJudge", "cases.jsonl").exit_code == 0
    assert adjudge("attack", "last").exit_code == 0
    done = adjudge("attack", "last", "--judge", "robot")
    assert "expected that of run" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("none.py", None, "none.py: expected a Python file, found: No such file"),
        ("none.yaml", None, "none.yaml: expected a rubric, found: No such file"),
        ("none.txt", "x", "found 'none.txt' (a file that is neither a .py nor a .yaml)"),
        ("a.py", "x = 1\n\nboom()\n", "a.py:3: expected Python that can be run, found NameError"),
        ("a.py", "x = (\n", "a.py:1: expected Python that can be run, found SyntaxError"),
        ("a.py", "import sys\nsys.exit(3)\n", "a.py:2: expected Python that can be run"),
        ("a.py", "x = 1\n", "a.py: expected one Judge class, found none in it"),
        ("a.py:Judge", "x = 1\n", "a.py:Judge: expected a Judge class, found no such name"),
        ("a.py:x", "x = 1\n", "a.py:x: expected a Judge class, found 1"),
        ("a.yaml", SUPPORT.replace("1-5", "9"), "a.yaml:7: dimensions.resolution.scale: expected"),
        ("a.yaml", "\udcff", "a.yaml: expected a rubric, found: bytes that are not UTF-8"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(name: str, text: str | None, says: str) -> None:
    if text is not None:
        Path(name.partition(":")[0]).write_text(text, errors="surrogateescape")
    write_lines(Path("cases.jsonl"), [{"id": "a"}])
    done = adjudge("run", name, "cases.jsonl")
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not STORE.exists()


def test_judges_describes_a_rubric_and_a_file(rubric: Path, mine: Path) -> None:
    shown = adjudge("judges", "./support.yaml", "mine.py").stdout
    assert "support (./support.yaml) (version 1): Judge how the agent handled" in shown
    assert 'rule no_lookup: count(messages, role == "tool") == 0 -> resolution at most 2' in shown
    assert "methods: bounds, llm (asks a model)" in shown
    assert "mine (mine.py) (version 1): Counts marks, as I do." in shown


def test_a_method_of_several_names_is_listed_once() -> None:
    [line] = [
        line for line in adjudge("judges", "social").stdout.splitlines() if "methods:" in line
    ]
    names = [part.split()[0] for part in line.partition(":")[2].split(",")]
    assert len(names) == len(set(names)) > 4


def test_render_shows_the_question(rubric: Path) -> None:
    done = adjudge("render", rubric, "chats.jsonl", "--case", "unproved")
    assert "resolution: 1, 2 (because of F1)" in done.stdout
    settled = adjudge("render", rubric, "chats.jsonl", "--case", "silent")
    assert "no model would be asked" in settled.stderr
    assert "Hello?" in settled.stdout


def test_init_writes_a_rubric_that_runs_as_its_comments_say() -> None:
    assert adjudge("init", "own.yaml").exit_code == 0
    text = Path("own.yaml").read_text()
    commands = [line[1:].strip() for line in text.splitlines() if line.startswith("#   ")]
    make, alone, asking = commands
    subprocess.run(["/bin/sh", "-c", make], check=True)
    environment = {**ENVIRONMENT}
    done = subprocess.run(
        [sys.executable, "-m", *alone.split()],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [verdict] = last()
    assert verdict["scores"] == {"correct": 1, "grounded": None}
    assert verdict["rules"] == ["no_answer"]
    assert asking.startswith("adjudge run own.yaml case.json --model ")
    described = adjudge("judges", "own.yaml").stdout
    assert "rule no_answer" in described


def test_init_leaves_a_file_alone_that_is_there() -> None:
    Path("rubric.yaml").write_text("mine")
    done = adjudge("init")
    assert done.exit_code == 2
    assert "expected none at rubric.yaml, found one" in done.stderr
    assert Path("rubric.yaml").read_text() == "mine"
    assert "ends in .yaml" in adjudge("init", "rubric.txt").stderr
    assert "cannot be written" in adjudge("init", "no/such/folder.yaml").stderr
