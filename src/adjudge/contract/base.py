"""What every record of the contract is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

JsonObject = dict[str, Any]
"""A JSON object: string keys, JSON values."""

ScoreValue = int | float | str | None
"""A score on some scale; ``None`` means *not applicable*, never *unknown*."""

Scores = Mapping[str, ScoreValue]
"""Dimension to value. A dimension that has no value is absent, not ``None``."""

Status = Literal["scored", "skipped", "refused", "invalid", "truncated", "overflow", "error"]
"""How a verdict or an opinion ended. Everything but ``scored`` comes with a reason."""


class Frozen(BaseModel):
    """An immutable record that refuses fields it does not know."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        allow_inf_nan=False,
    )
