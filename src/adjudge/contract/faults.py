"""Faults that whoever gave the command can set right."""

from __future__ import annotations


class Fault(Exception):
    """Ends a command: the message says what was expected, what was found, and what to do next."""
