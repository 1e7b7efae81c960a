"""Commands say the same of a run wherever it is kept."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import Result

from adjudge.testing import MisbehavingEndpoint
from commands import adjudge
from databases import POSTGRESQL
from running import write_lines
from scripted import asking, by_number, unsettled

Call = Callable[..., Result]
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\S+")


@pytest.fixture
def endpoint() -> Iterator[MisbehavingEndpoint]:
    with MisbehavingEndpoint(by_number) as made:
        yield made


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    cases = [unsettled(number) for number in range(8)]
    cases += [{**unsettled(3), "id": "B"}, {**unsettled(4), "id": "a"}, {**unsettled(5), "id": "B"}]
    write_lines(tmp_path / "cases.jsonl", [*cases, "{broken"])
    people = [f"{case['id']},{name},score,{n % 5}" for n, case in enumerate(cases[:10])
              for name in ("zoe", "Ann")]  # fmt: skip
    (tmp_path / "people.csv").write_text("\n".join(["case,annotator,dimension,value", *people]))
    return tmp_path


def told(store: str, endpoint: MisbehavingEndpoint) -> list[str]:
    """What each of many commands says of a run in ``store``."""
    where = ("--store", store)
    run = ("run", "robot", "cases.jsonl", *asking(endpoint, "--workers", "0"))
    out: list[str] = []
    first = adjudge(*run, *where).stdout.split()[1]
    for arguments, status in (
        (run, 3),
        ((*run, "--output", "-"), 3),
        ((*run, "--retry-failed"), 3),
        ((*run, "--shard", "1/2"), 3),
        ((*run, "--shard", "2/2"), 3),
        (("merge",), 0),
        (("show", first), 0),
        (("show", first, "--json"), 0),
        (("show", first, "--case", "case-3"), 0),
        (("show", first, "--case", "CASE-"), 2),
        (("label", "import", first, "people.csv"), 0),
        (("label", "import", first, "people.csv"), 0),
        (("label", "show", first), 0),
        (("agree", first), 0),
        (("export", first, "--to", "csv", "--output", "-"), 0),
        (("gate", first), 2),
        (("label", "remove", first, "--annotator", "zoe"), 0),
        (("attack", first, "--limit", "1", "--only", "inject", "--base-url", endpoint.url), 0),
        (("runs",), 0),
        (("show", "none"), 2),
    ):
        done = adjudge(*arguments, *where)
        said = f"$ {' '.join(arguments[:2])}\n{done.stdout}{done.stderr}"
        assert done.exit_code == status, said
        assert "planted" not in said
        said = re.sub(" +", " ", said)
        out.append(_TIME.sub("TIME", re.sub(r"'?(sqlite|postgresql)[^ '\n]*'?", "STORE", said)))
    return out


@pytest.mark.skipif(POSTGRESQL is None, reason="runs with make test-postgres")
def test_commands_say_the_same_of_both(
    here: Path, store_url: str, endpoint: MisbehavingEndpoint
) -> None:
    if store_url.startswith("sqlite"):
        pytest.skip("this is what the other is compared with")
    assert told(store_url, endpoint) == told(f"sqlite:///{here}/store.db", endpoint)


def test_shards_merged_have_their_labels(
    here: Path, store_url: str, endpoint: MisbehavingEndpoint
) -> None:
    parts = [f"sqlite:///{here}/{index}.db" for index in (1, 2)]
    for index, part in enumerate(parts, start=1):
        run = ("run", "robot", "cases.jsonl", *asking(endpoint, "--workers", "0"))
        adjudge(*run, "--shard", f"{index}/2", "--store", part)
        labelled = adjudge("label", "import", "last", "people.csv", "--store", part)
        assert labelled.exit_code == 3, labelled.output
        assert "refused" in labelled.stdout
    for _ in range(2):
        merged = adjudge("merge", *parts, "--store", store_url)
        assert merged.exit_code == 0, merged.output
    assert merged.stdout.count("complete") == 2
    assert "20 labels" in adjudge("label", "show", "last", "--store", store_url).stdout
    changed = (here / "people.csv").read_text().replace("case-1,zoe,score,1", "case-1,zoe,score,2")
    (here / "people.csv").write_text(changed)
    adjudge("label", "import", "last", "people.csv", "--store", store_url)
    refused = adjudge("merge", *parts, "--store", store_url)
    assert refused.exit_code == 2
    assert "two labels by 'zoe' for 'score' of case 'case-1': 1 in sqlite" in refused.stderr
    assert "planted" not in refused.stderr


def test_a_merge_of_nothing_is_told(here: Path, store_url: str) -> None:
    empty = adjudge("merge", "--store", store_url)
    assert empty.exit_code == 2
    assert "nothing to merge" in empty.stderr
    missing = adjudge("merge", "none.db", "--store", store_url)
    assert missing.exit_code == 2
    assert "none.db: no such file" in missing.stderr


def test_a_file_whose_name_is_not_utf8_is_judged(here: Path, store_url: str) -> None:
    try:
        Path(os.fsdecode(b"odd\xff.json")).write_text('{"plan": ["wait"], "instruction": "Rest."}')
    except OSError:
        pytest.skip("this system has no such names")
    done = adjudge("run", "robot", ".", "--store", store_url)
    assert done.exit_code in (0, 3), done.output
    shown = adjudge("show", "last", "--case", "odd\\xff", "--store", store_url)
    assert shown.exit_code == 0, shown.output
