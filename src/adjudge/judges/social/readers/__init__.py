"""Formats that dialogues come in."""

from adjudge.judges.social.readers.chat import ChatReader
from adjudge.judges.social.readers.native import NativeReader
from adjudge.judges.social.readers.sotopia import SotopiaReader

__all__ = ["ChatReader", "NativeReader", "SotopiaReader"]
