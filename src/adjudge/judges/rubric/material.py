"""A case as a model is shown it: fenced or as JSON, cut at a limit that is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudge.contract import JsonObject
from adjudge.judges.prompting import as_json, fence
from adjudge.judges.rubric.model import InputField


@dataclass(frozen=True, slots=True)
class Material:
    """The text of each field that is shown, and which were ``cut``: field, characters shown, and
    characters there were."""

    fields: Mapping[str, str]
    cut: tuple[tuple[str, int, int], ...]


def material_of(plain: JsonObject, fields: Mapping[str, InputField], limit: int) -> Material:
    """The fields to be shown, each of at most about ``limit`` characters."""
    texts: dict[str, str] = {}
    cut: list[tuple[str, int, int]] = []
    for name, field in fields.items():
        if not field.show:
            continue
        value = plain.get(name)
        if value is None:
            texts[name] = "There is none."
            continue
        text, info = _written(value)
        if len(text) > limit:
            cut.append((name, limit, len(text)))
            half = limit // 2
            left = f"\n… {len(text) - 2 * half:,} characters are left out here …\n"
            text = text[:half] + left + text[-half:]
        texts[name] = fence(text, info)
    return Material(texts, tuple(cut))


def _written(value: Any) -> tuple[str, str]:
    if isinstance(value, str):
        return value, "text"
    if isinstance(value, list) and value:
        lines = (f"[{index}] {_line(item)}" for index, item in enumerate(value))
        return "\n".join(lines), "text"
    return as_json(value, indent=1 if isinstance(value, dict) else None), "json"


def _line(item: Any) -> str:
    return as_json(item)
