"""Formats that robot plans come in."""

from adjudge.contract import Reader
from adjudge.judges.robot.readers.alfred import AlfredReader
from adjudge.judges.robot.readers.bddl import BddlReader
from adjudge.judges.robot.readers.native import NativeReader
from adjudge.judges.robot.readers.partnr import PartnrReader
from adjudge.judges.robot.readers.safeagent import SafeAgentReader
from adjudge.judges.robot.readers.virtualhome import VirtualHomeReader

READERS: tuple[Reader, ...] = (
    VirtualHomeReader(),
    BddlReader(),
    AlfredReader(),
    SafeAgentReader(),
    PartnrReader(),
    NativeReader(),
)
"""Most specific first; the last one takes whatever is left."""

__all__ = [
    "READERS",
    "AlfredReader",
    "BddlReader",
    "NativeReader",
    "PartnrReader",
    "SafeAgentReader",
    "VirtualHomeReader",
]
