"""Bytes to records: formats, places, and input that is broken in every way."""

import gzip
import json
import os
from pathlib import Path

import pytest

from adjudge.contract import Record
from adjudge.inputs import Broken, Line, expand, parse, read_source


def read(path: Path) -> list[Record | Broken]:
    found: list[Record | Broken] = []
    for source in expand([path]):
        for piece in read_source(source):
            found.append(parse(piece) if isinstance(piece, Line) else piece)
    return found


def values(path: Path) -> list[object]:
    return [piece.value for piece in read(path) if isinstance(piece, Record)]


def broken(path: Path) -> list[Broken]:
    return [piece for piece in read(path) if isinstance(piece, Broken)]


CASES = [{"id": "a"}, {"id": "b", "text": "ä\n"}]
LINES = b"".join(json.dumps(case).encode() + b"\n" for case in CASES)


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lines.jsonl", LINES),
        ("lines.ndjson", LINES.replace(b"\n", b"\r\n")),
        ("no_end.jsonl", LINES.rstrip()),
        ("blank_lines.jsonl", b"\n\n" + LINES.replace(b"\n", b"\n \n")),
        ("mark.jsonl", b"\xef\xbb\xbf" + LINES),
        ("lines_in_disguise.json", LINES),
        ("lines_without_suffix", LINES),
        ("array.json", json.dumps(CASES).encode()),
        ("pretty.json", b"\n" + json.dumps(CASES, indent=2).encode()),
        ("array_without_suffix", json.dumps(CASES, indent=2).encode()),
        ("cases.json", json.dumps({"name": "two", "cases": CASES}, indent=1).encode()),
    ],
)
def test_every_format_gives_the_same_cases(
    tmp_path: Path, name: str, content: bytes, zipped: bool
) -> None:
    path = tmp_path / (name + ".gz" * (zipped and "." in name))
    path.write_bytes(gzip.compress(content) if zipped else content)
    assert values(path) == CASES
    assert not broken(path)


def test_one_object_is_one_record_with_no_line(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps(CASES[0], indent=4))
    [record] = read(path)
    assert isinstance(record, Record)
    assert (record.value, record.file, record.line) == (CASES[0], str(path), None)


def test_lines_and_elements_know_their_line(tmp_path: Path) -> None:
    lines, array = tmp_path / "a.jsonl", tmp_path / "a.json"
    lines.write_bytes(b"\n" + LINES)
    array.write_text('\n[\n  {"id": "a"},\n\n  {"id": "b"}, {"id": "c"}]')
    assert [piece.line for piece in read(lines)] == [2, 3]
    assert [piece.line for piece in read(array)] == [3, 5, 5]


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        (b'{"id": }', "a JSON value", '"}" at column 8'),
        (b'{"id": "a" "b"}', "',' delimiter", "at column 12"),
        (b'{"id": "a"', "',' delimiter", "the end of the text at column 11"),
        (b'{"id": "a', 'a closing " for the string', "column 8"),
        (b"{id: 1}", 'a property name in "double quotes"', "column 2"),
        (b'{"a": "\\q"}', "a valid escape", "column 8"),
        (b'{"id": "a"} x', "the end after one JSON value", '"x" at column 13'),
        (b"nonsense", "a JSON value", "nonsense"),
        (b'{"a": NaN}', "a finite number", "NaN"),
        (b'{"a": -Infinity}', "a finite number", "-Infinity"),
        (b'{"a": 1e999}', "a finite number", "1e999"),
        (b'{"a": 1' + b"0" * 5000 + b"}", "a number", "5001 digits"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "each key once", "twice"),
        (b"[" * 101 + b"]" * 101, "at most 100 levels of nesting", "more"),
        (b"[" * 100_000, "at most 100 levels of nesting", "more"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "at most 100 levels of nesting", "more"),
        (b"\x00", "a JSON value", "u0000"),
        (b"\xff\xfe\xff", "a JSON value", "udcff"),
    ],
)
def test_a_broken_line_is_named_and_the_others_are_read(
    tmp_path: Path, line: bytes, expected: str, found: str
) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(b'{"id": "a"}\n' + line + b'\n{"id": "b"}\n')
    first, second, third = read(path)
    assert isinstance(first, Record)
    assert isinstance(third, Record)
    assert isinstance(second, Broken)
    assert (second.file, second.line, second.code) == (str(path), 2, "bad_json")
    assert expected in second.expected
    assert found in second.found
    assert str(path) == second.error.as_json(second.record)["file"]


def test_nesting_up_to_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_bytes(b"[" * 100 + b"]" * 100 + b"\n" + b"[" + b"[]," * 500 + b"[]]")
    assert len(values(path)) == 2


def test_elements_before_a_broken_place_are_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text('[{"id": "a"},\n{"id": "b"},\n{"id": "c" oops},\n{"id": "d"}]')
    assert values(path) == [{"id": "a"}, {"id": "b"}]
    [problem] = broken(path)
    assert problem.line == 3
    assert "',' delimiter" in problem.expected


def test_an_element_wrong_only_inside_does_not_end_the_array(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text('[{"id": "a"},\n{"id": NaN},\n{"id": 1, "id": 2}, {"id": "d"}]')
    assert values(path) == [{"id": "a"}, {"id": "d"}]
    assert [problem.line for problem in broken(path)] == [2, 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"id": "a"}', "',' or ']'"),
        ('[{"id": "a"}] x', "the end after the array"),
        ('[{"id": "a"},]', "a JSON value"),
        ('{"id": "a",\n "b"', "':' delimiter"),
    ],
)
def test_a_broken_document_is_named(tmp_path: Path, text: str, expected: str) -> None:
    path = tmp_path / "cases.json"
    path.write_text(text)
    [problem] = broken(path)
    assert expected in problem.expected
    assert problem.line is not None


@pytest.mark.parametrize("cut", [12, -9, -4])
def test_a_cut_gzip_keeps_what_came_before(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cases.jsonl.gz"
    path.write_bytes(gzip.compress(LINES * 50)[:cut])
    *_, last = read(path)
    assert isinstance(last, Broken)
    assert (last.code, last.expected) == ("unreadable", "a whole gzip stream")


def test_what_only_says_it_is_gzip_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl.gz"
    path.write_bytes(LINES)
    assert values(path) == CASES


def test_utf16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes('{"id": "a"}\n'.encode("utf-16"))
    [problem] = broken(path)
    assert (problem.expected, problem.found) == ("UTF-8 text", "UTF-16 text")


def test_an_empty_file_has_no_records(tmp_path: Path) -> None:
    for content in (b"", b" \n\n", b"[]"):
        path = tmp_path / "empty.json"
        path.write_bytes(content)
        assert read(path) == []


def test_text_is_made_safe_with_a_finding_for_each_field(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(
        b'{"plan": ["ok", "nul\\u0000", "raw\x01", "half\\ud83d", "whole\\ud83d\\ude00"],'
        b' "bytes": "\xff\xfe", "tabs": "a\\tb\\r\\n", "k\\u001b": "\xc2\x9b"}\n'
    )
    [record] = read(path)
    assert isinstance(record, Record)
    assert record.value == {
        "plan": ["ok", "nul\ufffd", "raw\ufffd", "half\ufffd", "whole\U0001f600"],
        "bytes": "\ufffd\ufffd",
        "tabs": "a\tb\r\n",
        "k\ufffd": "\ufffd",
    }
    said = {(str(f.at["field"]), f.text.partition(": ")[2]) for f in record.findings}
    assert said == {
        ("plan[1]", "NUL"),
        ("plan[2]", "control character U+0001"),
        ("plan[3]", "lone surrogate U+D83D"),
        ("bytes", "byte 0xFF, which is not UTF-8, byte 0xFE, which is not UTF-8"),
        ("None", "in a key: control character U+001B"),
        ("k\ufffd", "control character U+009B"),
    }
    assert {f.kind for f in record.findings} == {"text_replaced"}


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(LINES)
    path.chmod(0)
    [problem] = broken(path)
    assert problem.code == "unreadable"
    assert "Permission denied" in problem.found
