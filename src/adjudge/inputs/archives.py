"""Zip archives of JSON files, such as Inspect's ``.eval`` logs: one record a member."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any

from adjudge.contract import Record
from adjudge.inputs.jsontext import BadJson, decode
from adjudge.inputs.pieces import Broken
from adjudge.inputs.safetext import make_safe, may_be_unsafe

MAGIC = b"PK\x03\x04"
MAX_MEMBER = 256 << 20
"""A member that unpacks to more bytes than this is not read."""

_HEADER, _SAMPLES = "header.json", "samples/"


def zip_records(name: str, stream: IO[bytes]) -> Iterator[Record | Broken]:
    """The JSON members of an archive in order of their names, each by itself in memory.

    Of an Inspect log (``header.json`` beside ``samples/``) the records are the samples: each is the
    log with that one sample in it, in the form of a ``.json`` log. What cannot be read is a
    ``Broken`` in its place. A record's file is ``ARCHIVE/MEMBER``. Nothing is unpacked to disk.
    """
    try:
        with zipfile.ZipFile(stream) as archive:
            members = sorted(n for n in archive.namelist() if n.endswith(".json"))
            samples = [n for n in members if n.startswith(_SAMPLES)]
            header = _header(archive) if samples and _HEADER in members else None
            for member in samples if header is not None else members:
                yield _record(archive, name, member, header)
    except (zipfile.BadZipFile, EOFError, OSError) as error:
        yield Broken(name, None, "a whole zip archive", str(error)[:200], code="unreadable")


def _header(archive: zipfile.ZipFile) -> dict[str, Any] | None:
    try:
        value = json.loads(_read(archive, _HEADER))
    except (ValueError, *_ERRORS):
        return None
    return value if isinstance(value, dict) else None


def _record(
    archive: zipfile.ZipFile, name: str, member: str, header: dict[str, Any] | None
) -> Record | Broken:
    file = f"{name}/{member}"
    try:
        text = _read(archive, member).decode("utf-8", "surrogateescape")
        value = decode(text)
    except BadJson as error:
        return Broken(file, error.line, error.expected, error.found, field=error.field)
    except _ERRORS as error:
        return Broken(file, None, "a member that can be unpacked", str(error)[:200], "unreadable")
    if header is not None:
        value = {**header, "samples": [value]}
    if not may_be_unsafe(text):
        return Record(value=value, file=file)
    safe, findings = make_safe(value)
    return Record(value=safe, file=file, findings=findings)


_ERRORS = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error)


def _read(archive: zipfile.ZipFile, member: str) -> bytes:
    size = archive.getinfo(member).file_size
    if size > MAX_MEMBER:
        raise RuntimeError(f"{size:,} bytes, more than {MAX_MEMBER:,}")
    with archive.open(member) as stream:
        # the size that the archive states may be untrue
        raw = stream.read(MAX_MEMBER + 1)
    if len(raw) > MAX_MEMBER:
        raise RuntimeError(f"more than {MAX_MEMBER:,} bytes")
    return raw
