"""From what a model wrote to a value of the form, or the reason there is none. Pure."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from adjudge.contract import ReplyStatus
from adjudge.inputs.safetext import make_safe, may_be_unsafe
from adjudge.models.forms import Form
from adjudge.models.jsontext import NoObject, find_object
from adjudge.models.transport import Finish

_DEEPEST = 100
_SHOWN = 3
_DECLINES = re.compile(
    r"\W*(i['’]?m (very |so )?sorry|sorry[,.]|i can(['’]?t|not)\b|i am (unable|not able)|"
    r"i['’]?m (unable|not able)|as an ai\b|i must decline|i won['’]?t )",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """``ok`` with a value, or another status with a reason."""

    status: ReplyStatus
    value: BaseModel | None = None
    reason: str | None = None


def parse(text: str, form: Form, *, finish: Finish = "stop", refusal: str | None = None) -> Parsed:
    """Read one answer; never raises. Characters that no text should hold are replaced (``safe``).

    ``refused``: the endpoint says so, or the text declines and holds no JSON. ``truncated``: the
    token limit was hit, even if the text parses. ``invalid``: no JSON object (see
    ``jsontext.find_object``), the form's own words given back, or a value that the form does not
    allow; a string is no number and a bool no integer unless the form says so itself.

    >>> from adjudge.models.forms import form_of
    >>> class Mark(BaseModel):
    ...     score: int
    >>> parse('Here: {"score": "4"}', form_of(Mark)).reason
    "bad_value: score: Input should be a valid integer, found '4'"
    """
    text, refusal = safe(text), safe(refusal) if refusal else None
    if finish == "refusal" or refusal:
        return Parsed("refused", reason=f"refusal: {_short(refusal or text or 'no words given')}")
    if finish == "length":
        said = "before it was complete" if text.strip() else "before the answer began"
        return Parsed("truncated", reason=f"length: the token limit was reached {said}")
    if not text.strip():
        return Parsed("invalid", reason="empty: the answer is empty")
    try:
        found = find_object(text)
        if may_be_unsafe(text):  # such characters can be written as escapes
            found = make_safe(found)[0]
    except RecursionError:
        return Parsed("invalid", reason="bad_json: nested too deep")
    except NoObject as problem:
        if str(problem).startswith("no_json") and _DECLINES.match(text):
            return Parsed("refused", reason=f"refusal: {_short(text)}")
        return Parsed("invalid", reason=str(problem))
    flags: dict[str, bool] = {}
    for path, leaf in _leaves(found):
        if isinstance(leaf, str):
            if form.echoes(leaf):
                told = f"echo: {path} repeats the form's own text: {_short(leaf)}"
                return Parsed("invalid", reason=told)
        elif isinstance(leaf, bool):
            flags[path] = leaf
        elif isinstance(leaf, int) and abs(leaf) > sys.float_info.max:
            return Parsed("invalid", reason=f"bad_json: {path}: the number is out of range")
    parsed = _validate(found, form)
    if flags and form.number_choices and parsed.value is not None:
        return _without_flags_as_numbers(parsed, flags)
    return parsed


def safe(text: str) -> str:
    """The text with U+FFFD for control characters and lone surrogates, as in texts of cases: they
    can be neither stored nor written everywhere."""
    made: str = text if text.isprintable() else make_safe(text)[0]
    return made


def _without_flags_as_numbers(parsed: Parsed, flags: dict[str, bool]) -> Parsed:
    """Pydantic takes ``true`` for the choice 1 of ``Literal[0, 1]``; we do not."""
    assert parsed.value is not None
    for path, leaf in _leaves(parsed.value.model_dump(mode="json", by_alias=True)):
        if path in flags and isinstance(leaf, int) and not isinstance(leaf, bool):
            told = f"bad_value: {path}: a number was expected, found {flags[path]}"
            return Parsed("invalid", reason=told)
    return parsed


def _validate(found: dict[str, Any], form: Form) -> Parsed:
    try:
        try:
            value = form.model.model_validate(found, strict=True)
        except ValidationError:
            # Strict Python knows no tuple, set, date or enum that came as JSON. Strict JSON does,
            # and its errors are the ones to tell.
            value = form.model.model_validate_json(json.dumps(found), strict=True)
    except ValidationError as problem:
        return Parsed("invalid", reason=f"bad_value: {_explain(problem)}")
    except Exception as problem:  # a form's own validator may raise anything
        return Parsed("invalid", reason=f"bad_value: the form raised {type(problem).__name__}")
    return Parsed("ok", value)


def _explain(problem: ValidationError) -> str:
    errors = problem.errors(include_url=False, include_context=False)
    told = []
    for error in errors[:_SHOWN]:
        where = ".".join(str(part) for part in error["loc"]) or "the answer"
        found = "" if error["type"] == "missing" else f", found {_short(repr(error['input']))}"
        told.append(f"{where}: {error['msg']}{found}")
    if len(errors) > _SHOWN:
        told.append(f"and {len(errors) - _SHOWN} more")
    return "; ".join(told)


def _leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    items: Iterable[tuple[Any, Any]]
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        yield path, value
        return
    if depth < _DEEPEST:
        for key, part in items:
            yield from _leaves(part, f"{path}.{key}" if path else str(key), depth + 1)


def _short(text: str, limit: int = 160) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
