"""Packages that add a judge, a reader and an exporter, installed and used as a user would."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from commands import adjudge as adjudge_here
from running import ENVIRONMENT, command, write_lines

SAMPLE = Path(__file__).parents[1] / "plugins" / "sample"
BROKEN = "No module named 'nothing_of_the_sort'"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample package, installed by pip without a network."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    done = subprocess.run(
        [*pip, "--no-build-isolation", "--target", str(folder), str(SAMPLE)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package of the three kinds that cannot be imported."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "odd.py").write_text("import nothing_of_the_sort\n")
    about = folder / "odd_things-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-things\nVersion: 1\n")
    groups = ("judges", "readers.robot", "readers.lengths", "exporters")
    (about / "entry_points.txt").write_text(
        "".join(f"[adjudge.{group}]\nodd = odd:Thing\n" for group in groups)
    )
    return folder


def adjudge(*arguments: str, cwd: Path, path: list[Path]) -> subprocess.CompletedProcess[str]:
    folders = [ENVIRONMENT["PYTHONPATH"], *map(str, path)]
    environment = {**ENVIRONMENT, "PYTHONPATH": os.pathsep.join(folders)}
    return subprocess.run(
        command(*arguments), cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_a_package_adds_a_judge_a_reader_and_an_exporter(
    installed: Path, broken: Path, tmp_path: Path
) -> None:
    path = [installed, broken]
    write_lines(tmp_path / "answers.jsonl", [{"id": "a", "answer": "one two"}, {"id": "b"}])
    done = adjudge("run", "lengths", "answers.jsonl", "--workers", "2", cwd=tmp_path, path=path)
    assert done.returncode == 3
    assert "lengths 1 · count" in done.stdout
    assert BROKEN in done.stderr
    done = adjudge("export", "last", "--to", "brief", cwd=tmp_path, path=path)
    assert json.loads(done.stdout) == {"id": "a", "length": 2}
    assert "left out: 1 not scored" in done.stderr

    plan = {"do": "Pick up the mug.", "by": "navigate(mug) -> pick(mug)"}
    write_lines(tmp_path / "plans.jsonl", [plan, {**plan, "by": 7}])
    done = adjudge("run", "robot", "plans.jsonl", "--output", "-", cwd=tmp_path, path=path)
    good, bad = map(json.loads, done.stdout.splitlines())
    assert good["scores"] == {"score": 4}
    assert bad["details"]["error"]["field"] == "by"


def test_listings_show_what_packages_add_and_which_of_it_is_broken(
    installed: Path, broken: Path, tmp_path: Path
) -> None:
    path = [installed, broken]
    done = adjudge("judges", cwd=tmp_path, path=path)
    assert done.returncode == 0
    assert "lengths (version 1): Scores an answer by its words" in done.stdout
    assert "readers: arrows (package adjudge-sample), odd (package odd-things)" in done.stdout
    assert "odd: judge 'odd' of the package odd-things (odd:Thing) cannot be" in done.stdout
    shown = adjudge("export", "--help", cwd=tmp_path, path=path).stdout
    assert "  brief (package adjudge-sample)" in shown
    assert "  odd (package odd-things)" in shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "odd", "c.jsonl"], "judge 'odd' of the package odd-things (odd:Thing) cannot be"),
        (["judges", "odd"], BROKEN),
        (["export", "last", "--to", "odd"], "exporter 'odd' of the package odd-things"),
        (["run", "robot", "c.jsonl", "--reader", "odd"], "reader 'odd' of the package odd-things"),
        (["run", "lenghts", "c.jsonl"], "expected robot, browser, social, odd"),
        (["export", "last", "--to", "breif"], "verl, verifiers, odd, found 'breif'"),
    ],
)
def test_what_a_package_breaks_is_one_clear_line(
    arguments: list[str], says: str, broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(broken)
    write_lines(tmp_path / "c.jsonl", [{}])
    done = adjudge_here(*arguments)
    assert done.exit_code == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) <= 2


def test_two_packages_of_one_name_are_told_apart(
    broken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    about = other / "even_odder-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: even-odder\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[adjudge.judges]\nodd = odd:Thing\nrobot = odd:X\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(broken)
    monkeypatch.syspath_prepend(other)
    write_lines(tmp_path / "c.jsonl", [{}])
    done = adjudge_here("run", "odd", "c.jsonl")
    assert "found even-odder and odd-things; uninstall all but one" in done.stderr
    # a name of ours is ours
    assert adjudge_here("judges", "robot").exit_code == 0
