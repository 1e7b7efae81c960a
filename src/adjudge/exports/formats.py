"""Every format of rows by its name."""

from __future__ import annotations

from adjudge.exports.row_formats import RowFormat
from adjudge.exports.sotopia import annotation_rows
from adjudge.exports.sotopia_rm import reward_model_rows
from adjudge.exports.trl_stepwise import stepwise_rows
from adjudge.exports.trl_unpaired import unpaired_rows
from adjudge.exports.verifiers import verifiers_rows
from adjudge.exports.verl_turns import verl_rows

ROW_FORMATS: dict[str, RowFormat] = {
    "sotopia": RowFormat("Sotopia-RL's annotation lines", annotation_rows),
    "sotopia-rm": RowFormat("Sotopia-RL's reward-model rows", reward_model_rows, "array"),
    "trl-unpaired": RowFormat("TRL's unpaired preference set", unpaired_rows),
    "trl-stepwise": RowFormat("TRL's stepwise supervision set", stepwise_rows),
    "verl": RowFormat("rewards by turn for verl", verl_rows),
    "verifiers": RowFormat("rewards by turn for verifiers", verifiers_rows),
}
"""Formats that need the cases beside the verdicts, or their steps."""
