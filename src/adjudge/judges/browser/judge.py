"""The browser-assistant judge: six scores for a response, held by what the conversation proves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from adjudge.contract import Decision, Evidence, Judge, Method, Published, Reader, Scale
from adjudge.judges.browser.bounds import Row, default_rows, load_rows
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.catalogue import Catalogue, load_catalogue
from adjudge.judges.browser.evidence import BrowserFacts, evidence_of
from adjudge.judges.browser.material import Limits
from adjudge.judges.browser.methods import ChecksMethod, LlmMethod
from adjudge.judges.browser.published import details_of, output_of
from adjudge.judges.browser.readers import READERS, is_part
from adjudge.judges.browser.render import check_templates
from adjudge.judges.browser.scales import scales_of
from adjudge.judges.browser.tools import catalogue_for
from adjudge.judges.browser.view import View


class BrowserJudge(Judge):
    """Scores a browser assistant's last response on six dimensions, 1 to 5."""

    name: ClassVar[str] = "browser"
    version: ClassVar[str] = "1"
    Case: ClassVar[type[BaseModel]] = BrowserCase

    tools: str | None = Field(
        default=None,
        description="the tools there were: assistant, smart_window, or a file that lists them",
    )
    bounds: Path | None = Field(default=None, description="a TOML file with more rows of bounds")
    calls_per_message: int | None = Field(
        default=None, ge=1, description="how many calls one message may make"
    )
    hide_reasoning: bool = Field(
        default=False, description="keep the assistant's own reasoning from the model that judges"
    )
    result_limit: int = Field(
        default=3_000, ge=100, description="characters of each tool result that a model is shown"
    )
    max_characters: int = Field(
        default=200_000, ge=2_000, description="characters of the conversation a model is shown"
    )
    system_template: str | None = Field(
        default=None, repr=False, description="a system prompt of your own, as text"
    )
    user_template: str | None = Field(
        default=None,
        repr=False,
        description="a prompt of your own, as text, with {conversation} and {response}",
    )

    @cached_property
    def catalogue(self) -> Catalogue | None:
        """The tools that the option names. Raises ``CatalogueError``."""
        return None if self.tools is None else load_catalogue(self.tools)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The table of bounds, with the user's rows. Raises ``BoundsError``."""
        return default_rows() + (() if self.bounds is None else load_rows(self.bounds))

    def readers(self) -> Mapping[str, Reader]:
        """Format name to reader."""
        return READERS

    def is_part(self, value: Any) -> bool:
        """Whether an element of a JSON array is a part of one conversation."""
        return is_part(value)

    def view(self, case: BrowserCase) -> View:
        """The case with its calls resolved."""
        if self.calls_per_message is not None:
            case = case.model_copy(update={"calls_allowed": self.calls_per_message})
        return View(case, catalogue_for(case, self.catalogue))

    def check(self, case: BrowserCase) -> Evidence[BrowserFacts]:
        """Find what can be proved, and bound the dimensions by what is found in the response."""
        return evidence_of(self.view(case), self.rows)

    def scales(self, case: BrowserCase) -> Mapping[str, Scale]:
        """Six dimensions, 1 to 5; ``null`` where one can be not applicable to the case."""
        return scales_of(case, catalogue_for(case, self.catalogue))

    def methods(self) -> Mapping[str, Method]:
        """``checks`` and ``llm``. Raises ``TemplateError``, ``CatalogueError``, ``BoundsError``:
        what is wrong with an option is told before any case."""
        _ = self.catalogue
        return {"checks": ChecksMethod(), "llm": self._llm}

    @cached_property
    def _llm(self) -> LlmMethod:
        check_templates(self.system_template, self.user_template)
        return LlmMethod(
            rows=self.rows,
            system_template=self.system_template,
            user_template=self.user_template,
            limits=Limits(result=self.result_limit, total=self.max_characters),
            hide_reasoning=self.hide_reasoning,
        )

    def publish(
        self, case: BrowserCase, evidence: Evidence[BrowserFacts], decision: Decision
    ) -> Published:
        """Six scores, ``explanation``, ``issues``; see ``published`` for the details."""
        said = decision.opinion.output if decision.opinion else {}
        details = details_of(evidence.facts, said.get("ledger", ()))
        if decision.opinion is None:
            return Published(output={}, details=details)
        return Published(output=output_of(evidence, decision), details=details)
