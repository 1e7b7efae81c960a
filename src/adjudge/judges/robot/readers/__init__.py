"""Formats that robot plans come in."""

from adjudge.judges.robot.readers.native import NativeReader

__all__ = ["NativeReader"]
