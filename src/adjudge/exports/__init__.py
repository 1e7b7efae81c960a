"""Verdicts as files for other tools, by suffix: ``.jsonl`` and ``.csv``."""

from adjudge.exports.files import UnknownFormat, check_suffix, write_file, write_jsonl

__all__ = ["UnknownFormat", "check_suffix", "write_file", "write_jsonl"]
