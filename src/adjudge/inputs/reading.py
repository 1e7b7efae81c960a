"""A source's bytes as lines and records, one at a time."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from typing import Any

from adjudge.contract import Record
from adjudge.inputs.archives import MAGIC, zip_records
from adjudge.inputs.jsontext import BadJson, bad_at, decode, decode_at, end_of, skip_blank
from adjudge.inputs.pieces import Broken, Line, Piece
from adjudge.inputs.safetext import make_safe, may_be_unsafe
from adjudge.inputs.sources import Source

_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_UTF8_MARK = b"\xef\xbb\xbf"


def read_source(
    source: Source, is_part: Callable[[Any], bool] = lambda value: False
) -> Iterator[Piece]:
    """Everything in ``source``, in order. What cannot be read is a ``Broken`` in its place.

    JSON lines are yielded as they are read, not parsed; a JSON array, or an object with an array
    ``cases``, yields one record each; any other JSON value is one record, and so is an array whose
    first element ``is_part`` of a larger thing (a message of a conversation, say). A zip archive
    yields its JSON members, see ``zip_records``.
    """
    if source.problem is not None:
        yield source.problem
        return
    count = itertools.count(1)
    at = 0
    try:
        with source.open() as raw:
            if raw.peek(4)[:4] == MAGIC:
                yield from zip_records(source.name, raw)
                return
            lines = _numbered(_unzipped(raw), count)
            for piece in _pieces(source.name, lines, is_part):
                at = piece.line or at
                yield piece
    except (OSError, EOFError, zlib.error) as error:
        found = getattr(error, "strerror", None) or str(error) or type(error).__name__
        expected = "a whole gzip stream" if isinstance(error, _GZIP_ERRORS) else "readable bytes"
        yield Broken(source.name, at + 1, expected, found, code="unreadable")


_GZIP_ERRORS = (gzip.BadGzipFile, EOFError, zlib.error)


def parse(line: Line) -> Record | Broken:
    """One line as a record, its text made safe."""
    return _record(line.file, line.line, line.raw)


def _unzipped(raw: BufferedReader) -> Iterable[bytes]:
    return gzip.open(raw, "rb") if raw.peek(2)[:2] == _GZIP else raw


def _numbered(stream: Iterable[bytes], count: Iterator[int]) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, without the blank ones and the byte order mark."""
    for number, raw in zip(count, stream, strict=False):
        plain = raw.removeprefix(_UTF8_MARK) if number == 1 else raw
        if plain.strip():
            yield number, plain


def _pieces(
    file: str, lines: Iterator[tuple[int, bytes]], is_part: Callable[[Any], bool]
) -> Iterator[Piece]:
    head = list(itertools.islice(lines, 2))
    if head and head[0][1].startswith(_UTF16):
        yield Broken(file, 1, "UTF-8 text", "UTF-16 text", code="unreadable")
        return
    everything = itertools.chain(head, lines)
    if _is_lines(file, head):
        for number, raw in everything:
            yield Line(file, number, raw)
    elif head:
        yield from _values(file, everything, is_part)


def _is_lines(file: str, head: list[tuple[int, bytes]]) -> bool:
    """Whether each line is a value of its own: by suffix, else by the first two lines."""
    stem = file.lower().removesuffix(".gz")
    if stem.endswith((".jsonl", ".ndjson")):
        return True
    if len(head) < 2:
        return False
    (_, first), (_, second) = head
    if _is_value(first):
        return True
    return first.rstrip().endswith(b"}") and _is_value(second)


def _is_value(raw: bytes) -> bool:
    try:
        decode(raw.decode("utf-8", "surrogateescape"))
    except BadJson as error:
        # Only what is wrong inside a whole value has no place: it is still one line, one value.
        return error.line is None
    return True


def _record(file: str, number: int, raw: bytes) -> Record | Broken:
    text, undecodable = _decoded(raw)
    try:
        value = decode(text)
    except BadJson as error:
        return _broken(file, number, error)
    return _made(file, number, value, undecodable or may_be_unsafe(text), undecodable)


def _values(
    file: str, lines: Iterable[tuple[int, bytes]], is_part: Callable[[Any], bool]
) -> Iterator[Record | Broken]:
    """The records of a JSON document: those before a broken place are not lost."""
    # Blank lines are put back, so that places in the text are places in the file.
    raw, last = [], 0
    for number, line in lines:
        raw.append(b"\n" * (number - last - 1) + line)
        last = number
    text, undecodable = _decoded(b"".join(raw))
    suspect = undecodable or may_be_unsafe(text)
    start = skip_blank(text, 0)
    try:
        if text[start] == "[" and not _is_whole(text, start, is_part):
            yield from _elements(file, text, start, suspect, undecodable)
            return
        value = decode(text)
    except BadJson as error:
        yield _broken(file, error.line or 1, error)
        return
    if isinstance(value, dict) and isinstance(value.get("cases"), list):
        for inner in value["cases"]:
            yield _made(file, None, inner, suspect, undecodable)
    else:
        yield _made(file, None, value, suspect, undecodable)


def _is_whole(text: str, start: int, is_part: Callable[[Any], bool]) -> bool:
    """Whether the array that begins at ``start`` is one record."""
    first = skip_blank(text, start + 1)
    if text[first : first + 1] != "{":
        return False
    try:
        return is_part(decode_at(text, first)[0])
    except BadJson:
        return False


def _elements(
    file: str, text: str, start: int, suspect: bool, undecodable: bool
) -> Iterator[Record | Broken]:
    """The elements of the array that begins at ``start``, each with the line it begins on."""
    at = skip_blank(text, start + 1)
    line, counted = text.count("\n", 0, at) + 1, at
    if text[at : at + 1] != "]":
        while True:
            try:
                value, end = decode_at(text, at)
                yield _made(file, line, value, suspect, undecodable)
            except BadJson as error:
                after = end_of(text, at) if error.line is None else None
                if after is None:
                    raise
                end = after
                yield _broken(file, line, error)
            at = skip_blank(text, end)
            if text[at : at + 1] == "]":
                break
            if text[at : at + 1] != ",":
                raise bad_at(text, at, "',' or ']' after an element of the array")
            at = skip_blank(text, at + 1)
            line, counted = line + text.count("\n", counted, at), at
    at = skip_blank(text, at + 1)
    if at != len(text):
        raise bad_at(text, at, "the end after the array")


def _decoded(raw: bytes) -> tuple[str, bool]:
    """The text, and whether some bytes were not UTF-8 (each is then a lone surrogate)."""
    try:
        return raw.decode("utf-8"), False
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogateescape"), True


def _made(file: str, line: int | None, value: object, suspect: bool, undecodable: bool) -> Record:
    if not suspect:
        return Record(value=value, file=file, line=line)
    safe, findings = make_safe(value, undecodable=undecodable)
    return Record(value=safe, file=file, line=line, findings=findings)


def _broken(file: str, line: int, error: BadJson) -> Broken:
    return Broken(file, line, error.expected, error.found, field=error.field)
