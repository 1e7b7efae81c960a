"""The table that turns findings into bounds."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from adjudge.contract import Bound, Fault, Finding, ScoreValue
from adjudge.judges.browser.findings import KINDS
from adjudge.judges.browser.scales import DIMENSIONS, HIGH, LOW
from adjudge.judges.browser.view import View
from adjudge.judges.invalid import shown

NO_WORDS = "no_words"
_LIMITS = ("at_most", "at_least", "exactly")
_FIELDS = ("finding", "dimension", "severity", "rule", "soft", "null", *_LIMITS)
_SEVERITIES = ("info", "warning", "error")


class BoundsError(Fault, ValueError):
    """A table of bounds that cannot be used, and what a row should hold."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a finding of ``kind`` (and ``severity``) in the response leaves of a dimension."""

    kind: str
    severity: str | None
    dimension: str
    rule: str
    allowed: frozenset[ScoreValue]
    soft: bool


@cache
def default_rows() -> tuple[Row, ...]:
    """The rows that are always there."""
    text = files(__package__).joinpath("bounds.toml").read_text("utf-8")
    return tuple(_rows(tomllib.loads(text), "bounds.toml"))


def load_rows(path: Path) -> tuple[Row, ...]:
    """A user's further rows. Raises ``BoundsError``."""
    try:
        value = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BoundsError(f"bounds: {path}: expected a TOML file ({error.strerror})") from None
    except ValueError as error:
        raise BoundsError(f"bounds: {path}: expected TOML, found {error}") from None
    return tuple(_rows(value, str(path)))


def bounds_of(view: View, findings: Iterable[Finding], rows: Sequence[Row]) -> tuple[Bound, ...]:
    """The bounds that follow from the findings in the response; earlier turns give none."""
    start, end = view.case.response_from, view.case.response_to
    judged = [f for f in findings if start <= f.at.get("message", -1) < end]
    made = []
    if not view.answer.strip():
        # nothing was said, so there is no wording to judge
        made.append(
            Bound(dimension="response_conciseness", allowed=frozenset([None]), rule=NO_WORDS)
        )
    for row in rows:
        because = tuple(
            f.id for f in judged if f.kind == row.kind and row.severity in (None, f.severity)
        )
        if because:
            made.append(
                Bound(
                    dimension=row.dimension,
                    allowed=row.allowed,
                    rule=row.rule,
                    because=because,
                    hard=not row.soft,
                )
            )
    return tuple(made)


def _rows(value: Any, where: str) -> Iterator[Row]:
    listed = value.get("bound")
    if not isinstance(listed, list) or set(value) != {"bound"}:
        found = ", ".join(value) or "an empty file"
        raise BoundsError(f"{where}: expected [[bound]] tables and nothing else, found {found}")
    for index, row in enumerate(listed):
        yield _row(row, f"{where}: bound[{index}]")


def _row(row: Any, at: str) -> Row:
    if not isinstance(row, dict):
        raise BoundsError(f"{at}: expected a table, found {shown(row)}")
    for name in row:
        if name not in _FIELDS:
            raise BoundsError(f"{at}: expected {', '.join(_FIELDS)}, found {name[:40]!r}")
    kind = _one_of(row, "finding", KINDS, at)
    dimension = _one_of(row, "dimension", DIMENSIONS, at)
    severity = _one_of(row, "severity", _SEVERITIES, at) if "severity" in row else None
    rule = row.get("rule", kind)
    if not (isinstance(rule, str) and rule):
        raise BoundsError(f"{at}.rule: expected a name, found {shown(rule)}")
    for name in ("soft", "null"):
        if not isinstance(row.get(name, False), bool):
            raise BoundsError(f"{at}.{name}: expected true or false, found {shown(row[name])}")
    return Row(kind, severity, dimension, rule, _allowed(row, at), row.get("soft", False))


def _allowed(row: dict[str, Any], at: str) -> frozenset[ScoreValue]:
    given = [name for name in _LIMITS if name in row]
    if not given or ("exactly" in given and len(given) > 1):
        raise BoundsError(
            f"{at}: expected at_most, at_least or exactly, found {len(given)} of them"
        )
    for name in given:
        value = row[name]
        if not isinstance(value, int) or isinstance(value, bool) or not LOW <= value <= HIGH:
            raise BoundsError(
                f"{at}.{name}: expected an integer from {LOW} to {HIGH}, found {shown(value)}"
            )
    low = row.get("exactly", row.get("at_least", LOW))
    high = row.get("exactly", row.get("at_most", HIGH))
    if low > high:
        raise BoundsError(f"{at}: expected at_least <= at_most, found {low} and {high}")
    allowed: set[ScoreValue] = set(range(low, high + 1))
    if row.get("null"):
        allowed.add(None)
    return frozenset(allowed)


def _one_of(row: dict[str, Any], name: str, known: Sequence[str], at: str) -> str:
    value = row.get(name)
    if isinstance(value, str) and value in known:
        return value
    near = difflib.get_close_matches(str(value)[:80], known, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise BoundsError(f"{at}.{name}: expected {', '.join(known)}, found {shown(value)}{hint}")
