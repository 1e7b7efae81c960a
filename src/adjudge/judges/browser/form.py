"""What a model is asked to fill in when it scores a response."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

# strict: neither "3" nor true is a score
_Score = Annotated[int, Field(ge=1, le=5, strict=True)]


class BrowserAnswer(BaseModel):
    """The reasons, and then the six scores; null stands for not applicable."""

    model_config = ConfigDict(frozen=True)

    explanation: str = Field(
        min_length=1,
        description="for each dimension a brief reason, naming messages, calls and findings",
    )
    issues: list[str] = Field(
        max_length=30,
        description="short tags such as redundant_call, wrong_tab, ignored_prefs; [] if none",
    )
    plain_knowledge_asked: bool = Field(
        strict=True,
        description="true if the user asked only for general knowledge that needs no tool",
    )
    tool_call_accuracy: _Score | None = Field(description="an integer from 1 to 5, or null")
    browser_context_awareness: _Score | None = Field(description="an integer from 1 to 5, or null")
    assistant_usefulness: _Score = Field(description="an integer from 1 to 5")
    preference_adherence: _Score | None = Field(description="an integer from 1 to 5, or null")
    response_conciseness: _Score | None = Field(description="an integer from 1 to 5, or null")
    knowledge: _Score | None = Field(description="an integer from 1 to 5, or null")


ANSWER_FIELDS: tuple[tuple[str, str], ...] = tuple(
    (name, field.description or "") for name, field in BrowserAnswer.model_fields.items()
)
"""Name and description of each field, as the prompt lists them."""
