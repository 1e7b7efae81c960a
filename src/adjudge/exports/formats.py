"""Every format of rows by its name."""

from __future__ import annotations

import difflib
from typing import Any

from adjudge.exports.files import UnknownFormat
from adjudge.exports.row_formats import RowFormat
from adjudge.exports.sotopia import annotation_rows
from adjudge.exports.sotopia_rm import reward_model_rows
from adjudge.exports.trl_stepwise import stepwise_rows
from adjudge.exports.trl_unpaired import unpaired_rows
from adjudge.exports.verifiers import verifiers_rows
from adjudge.exports.verl_turns import verl_rows
from adjudge.judges.plugins import EXPORTERS, Plugin, plugins

PLAIN = ("jsonl", "csv")
"""Formats that need nothing but the verdicts."""

ROW_FORMATS: dict[str, RowFormat] = {
    "sotopia": RowFormat("Sotopia-RL's annotation lines", annotation_rows),
    "sotopia-rm": RowFormat("Sotopia-RL's reward-model rows", reward_model_rows, "array"),
    "trl-unpaired": RowFormat("TRL's unpaired preference set", unpaired_rows),
    "trl-stepwise": RowFormat("TRL's stepwise supervision set", stepwise_rows),
    "verl": RowFormat("rewards by turn for verl", verl_rows),
    "verifiers": RowFormat("rewards by turn for verifiers", verifiers_rows),
}
"""Formats that need the cases beside the verdicts, or their steps."""


def added_formats() -> dict[str, Plugin]:
    """The formats that installed packages add, not imported yet."""
    return plugins(EXPORTERS, taken=(*PLAIN, *ROW_FORMATS))


def row_format(name: str) -> RowFormat:
    """The format of rows called ``name``, ours or a package's.

    A package offers a ``RowFormat`` in the entry-point group ``adjudge.exporters``. Raises
    ``UnknownFormat``, which says what there is, and ``PluginError``.
    """
    if name in ROW_FORMATS:
        return ROW_FORMATS[name]
    added = added_formats()
    if name not in added:
        there = [*PLAIN, *ROW_FORMATS, *added]
        near = difflib.get_close_matches(name, there, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise UnknownFormat(f"--to: expected one of {', '.join(there)}, found {name[:40]!r}{hint}")
    found: Any = added[name].load()
    if not isinstance(found, RowFormat):
        raise added[name].wrong("a RowFormat", found)
    return found
