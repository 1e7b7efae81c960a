"""Which words in a case are those of the agent that is judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.rubric.expressions import Budget, OutOfBudget, Shape, evaluate, is_true
from adjudge.judges.rubric.formulas import Formula, parsed
from adjudge.judges.rubric.model import InputField, Rubric
from adjudge.judges.rubric.places import Document, Path

Way = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class AgentText:
    """A field that holds such words; of a list each element, or the text called ``key`` of each
    of which ``when`` holds."""

    field: str
    in_list: bool = False
    key: str | None = None
    when: Formula | None = None

    def ways(self, plain: JsonObject) -> Iterator[Way]:
        """The ways to the texts in a case, empty ones left out."""
        value = plain.get(self.field)
        items = list(enumerate(value)) if self.in_list and isinstance(value, list) else []
        found = [((self.field, index), item) for index, item in items]
        for way, item in found if self.in_list else [((self.field,), value)]:
            part = item.get(self.key) if isinstance(item, dict) else None
            text = item if self.key is None else part
            if isinstance(text, str) and text and self._holds(item):
                yield way if self.key is None else (*way, self.key)

    def _holds(self, item: Any) -> bool:
        if self.when is None:
            return True
        try:
            return is_true(evaluate(self.when.node, item, Budget()))
        except OutOfBudget:
            return False


def agent_of(
    rubric: Rubric, shapes: Mapping[str, Shape], document: Document
) -> tuple[AgentText, ...]:
    """The fields that the rubric marks. Raises ``RubricError`` where a mark cannot be."""
    found: list[AgentText] = []
    for name, field in rubric.input.items():
        path: Path = ("input", name)
        element = field.element
        if field.agent:
            texts = field.type == "list" and element is not None and element.type == "text"
            _check(field, (*path, "agent"), document, bool, texts)
            found.append(AgentText(name, in_list=texts))
        parts = element.fields if element is not None else field.fields
        for key, part in (parts or {}).items():
            if not part.agent:
                continue
            place = (*path, "of", key, "agent")
            _check(part, place, document, bool | str)
            if element is None:
                raise document.error(
                    place, "it at a field, or in a list's elements", "it elsewhere"
                )
            shape = shapes[name].element
            known = (shape.fields if shape is not None else None) or {}
            source = part.agent if isinstance(part.agent, str) else None
            when = parsed(source, known, place, document)
            found.append(AgentText(name, in_list=True, key=key, when=when))
    return tuple(found)


def _check(
    field: InputField, path: Path, document: Document, kinds: Any, texts: bool = False
) -> None:
    if field.type != "text" and not texts:
        raise document.error(path, "it at a text, or a list of texts", f"it at a {field.type}")
    if not isinstance(field.agent, kinds):
        raise document.error(path, "true or false", repr(field.agent)[:60])


def agent_texts(texts: Sequence[AgentText], plain: JsonObject) -> list[Way]:
    """The ways to all of the agent's words."""
    return [way for one in texts for way in one.ways(plain)]
