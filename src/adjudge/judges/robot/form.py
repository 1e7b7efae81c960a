"""What a model is asked to fill in when it scores a plan."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class RobotAnswer(BaseModel):
    """A verdict in the robot judge's output format, the reasons before the score.

    ``success_boolean`` is asked for because the format has it; what counts is ``score >= 3``.
    """

    model_config = ConfigDict(frozen=True)

    summary: str = Field(
        min_length=1, description="in brief, what the robot really did, from PART 1"
    )
    execution_analysis: str = Field(
        min_length=1,
        description="remarks on PART 1 in particular: its actions, why they succeeded or failed",
    )
    evaluate: str = Field(
        min_length=1,
        description="your reasoning along the decision tree in detail: which branch, and why",
    )
    # strict: neither "3" nor true is a score
    score: int = Field(ge=0, le=4, strict=True, description="an integer from 0 to 4")
    success_boolean: bool = Field(strict=True, description="true if score >= 3, else false")


ANSWER_FIELDS: tuple[tuple[str, str], ...] = tuple(
    (name, field.description or "") for name, field in RobotAnswer.model_fields.items()
)
"""Name and description of each field, as the prompt lists them."""
