"""Formats that robot plans come in."""

from adjudge.judges.robot.readers.bddl import BddlReader
from adjudge.judges.robot.readers.native import NativeReader
from adjudge.judges.robot.readers.virtualhome import VirtualHomeReader

__all__ = ["BddlReader", "NativeReader", "VirtualHomeReader"]
