"""What the user names, as sources."""

import io
import os
import sys
import threading
from pathlib import Path

import pytest

from adjudge.contract import Record
from adjudge.inputs import Line, expand, read_source


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"id": "a"}\n')


def test_a_folder_is_walked_in_order_by_known_suffixes(tmp_path: Path) -> None:
    write(
        tmp_path, "b/2.json", "b/1.jsonl.gz", "a.ndjson", "notes.txt", ".hidden/x.json", ".y.json"
    )
    names = [Path(s.name).relative_to(tmp_path).as_posix() for s in expand([tmp_path])]
    assert names == ["a.ndjson", "b/1.jsonl.gz", "b/2.json"]


def test_globs_match_files_and_folders(tmp_path: Path) -> None:
    write(tmp_path, "x1.json", "x2.json", "y.json", "x3/z.json")
    found = expand([str(tmp_path / "x*")])
    assert [s.label for s in found] == ["x1", "x2", "z"]
    deep = expand([str(tmp_path / "**" / "z.json")])
    assert [s.label for s in deep] == ["z"]


def test_a_file_whose_name_looks_like_a_glob_is_a_file(tmp_path: Path) -> None:
    write(tmp_path, "a[1].json")
    [source] = expand([tmp_path / "a[1].json"])
    assert source.problem is None
    assert source.label == "a[1]"


def test_labels_tell_files_of_one_name_apart(tmp_path: Path) -> None:
    write(tmp_path, "a/x.json", "b/x.jsonl", "b/c/x.json", "y.json")
    labels = [s.label for s in expand([tmp_path])]
    assert labels == ["a/x", "c/x", "b/x", "y"]


@pytest.mark.parametrize(
    ("name", "expected", "found"),
    [
        ("missing.json", "a file that can be read", "No such file"),
        ("none-*.json", "a pattern that matches a file", "no match"),
        ("empty", "a folder with .json, .jsonl, .ndjson files", "none in it"),
        ("dangling.json", "a file that can be read", "No such file"),
        ("nul\0.json", "a file that can be read", "null byte"),
    ],
)
def test_what_cannot_be_had_keeps_its_place_and_reason(
    tmp_path: Path, name: str, expected: str, found: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "dangling.json").symlink_to(tmp_path / "nowhere")
    write(tmp_path, "good.json")
    good, bad = expand([tmp_path / "good.json", str(tmp_path / name)])
    assert good.problem is None
    assert bad.problem is not None
    assert bad.problem.code == "unreadable"
    assert bad.problem.expected == expected
    assert found in bad.problem.found
    assert list(read_source(bad)) == [bad.problem]
    assert bad.digest() != good.digest()


def test_standard_input_is_read_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    given = io.TextIOWrapper(io.BytesIO(b'{"id": "a"}\n{"id": "b"}\n'))
    monkeypatch.setattr(sys, "stdin", given)
    [source] = expand(["-"])
    assert (source.name, source.label) == ("-", "stdin")
    assert source.digest() == source.digest()
    first, second = list(read_source(source)), list(read_source(source))
    assert first == second == [Line("-", 1, b'{"id": "a"}\n'), Line("-", 2, b'{"id": "b"}\n')]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text('[{"id": "a"}]'))
    writer.start()
    [source] = expand([pipe])
    writer.join()
    assert source.digest() == source.digest()
    [record] = read_source(source)
    assert isinstance(record, Record)
    assert record.value == {"id": "a"}


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    write(tmp_path, "a.json", "b.json")
    first, second = expand([tmp_path])
    assert first.digest() == second.digest()
    (tmp_path / "b.json").write_text("{}")
    assert first.digest() != second.digest()
