"""What tokens cost, from a table that a user can extend."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from adjudge.contract import Fault, Usage

VARIABLE = "ADJUDGE_PRICES"
"""The environment variable that names a file of prices; several stand as in ``PATH``."""

_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
_NEEDED = ("input", "output")
_FIELDS = (*_NEEDED, "cache_read", "cache_write")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens read and a million written.

    ``cache_read`` and ``cache_write`` are for the tokens among those read that came from the
    provider's prompt cache, or were put there; where they are ``None`` they cost as the others.

    >>> Price(2.0, 8.0, cache_read=0.5).of(Usage(input_tokens=1_000_000, cache_read_tokens=500_000))
    1.25
    """

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def of(self, usage: Usage) -> float:
        """What ``usage`` costs in US dollars."""
        read, written = usage.cache_read_tokens, usage.cache_write_tokens
        spent = usage.input_tokens * self.input + usage.output_tokens * self.output
        if self.cache_read is not None:
            spent += read * (self.cache_read - self.input)
        if self.cache_write is not None:
            spent += written * (self.cache_write - self.input)
        return spent / 1_000_000

    @property
    def free(self) -> bool:
        """Whether nothing costs anything."""
        return not any((self.input, self.output, self.cache_read, self.cache_write))


class PriceError(Fault, ValueError):
    """A price file that cannot be read; the text names file, line, model and field."""


class Prices:
    """Model (``PROVIDER:NAME``) to price. An unknown price is ``None``, never 0.

    >>> mine = Prices({"openai-compatible:my-model": Price(0.5, 1.0)})
    >>> mine.cost("openai-compatible:my-model", Usage(calls=1, input_tokens=1_000_000))
    0.5
    """

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    @staticmethod
    def load(*files: str | Path, environ: Mapping[str, str] = os.environ) -> Prices:
        """The prices that come along, overlaid with those of the files that ``ADJUDGE_PRICES``
        names, and then of ``files``, the last one winning.

        A file is TOML: one table a model, ``["openai:gpt-x"]`` with ``input`` and ``output``, and
        if they differ from ``input`` ``cache_read`` and ``cache_write``, in US dollars per million
        tokens. ``PriceError`` names file, line, model and field.
        """
        table = dict(_own())
        named = [name for name in environ.get(VARIABLE, "").split(os.pathsep) if name]
        for file in (*named, *files):
            table.update(_read(_text(Path(file)), str(file)))
        return Prices(table)

    def price(self, model: str) -> Price | None:
        """The price of ``PROVIDER:NAME``; a dated name costs what the undated one does, and a
        model that runs in this process costs nothing unless the table says otherwise."""
        known = self._table.get(model) or self._table.get(_DATED.sub("", model))
        return Price(0.0, 0.0) if known is None and model.startswith("llamacpp:") else known

    def cost(self, model: str, usage: Usage) -> float | None:
        """What ``usage`` costs in US dollars, or ``None``; no call costs nothing at any price."""
        if usage.calls == 0:
            return 0.0
        price = self.price(model)
        return price.of(usage) if price else None


@cache
def _own() -> Mapping[str, Price]:
    text = resources.files("adjudge.models").joinpath("prices.toml").read_text("utf-8")
    return _read(text, "prices.toml")


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError as problem:
        raise PriceError(
            f"{file}: expected a file of prices, found none that can be read: {problem.strerror}"
        ) from None
    except UnicodeDecodeError:
        raise PriceError(f"{file}: expected UTF-8 text, found other bytes") from None


def _read(text: str, file: str) -> dict[str, Price]:
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise PriceError(f"{file}: not TOML: {problem}") from None
    return {model: _price(model, fields, text, file) for model, fields in tables.items()}


def _price(model: str, fields: Any, text: str, file: str) -> Price:
    def wrong(told: str, field: str | None = None) -> PriceError:
        named = model if field is None else f"{model}.{field}"
        return PriceError(f"{file}:{_line(text, model, field)}: {named}: {told}")

    if not isinstance(fields, dict):
        raise wrong(f'expected a table such as ["{model}"], found {fields!r:.40}')
    for name in fields:
        if name not in _FIELDS:
            raise wrong(f"expected one of {', '.join(_FIELDS)}", name)
    given: dict[str, float] = {}
    for name in _FIELDS:
        value = fields.get(name)
        if value is None and name not in _NEEDED:
            continue
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < 1e6:
            found = "nothing" if value is None else f"{value!r:.40}"
            raise wrong(f"expected US dollars per million tokens, found {found}", name)
        given[name] = float(value)
    return Price(**given)


def _line(text: str, model: str, field: str | None) -> int:
    """The 1-based line where the model stands, or its field; TOML's parser does not say."""
    lines = list(_lines(text))
    named = (n for n, line in lines if _key(line) == model)
    there = next(named, next((n for n, line in lines if model in line), 1))
    for number, line in lines[there - 1 :]:
        if number > there and line.lstrip().startswith("["):
            break
        if field is not None and _key(line) == field:
            return number
    return there


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.splitlines(), start=1)


def _key(line: str) -> str:
    return line.partition("=")[0].strip().strip("[]").strip("'\" ")
