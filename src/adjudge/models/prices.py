"""What tokens cost, from a table that a user can extend."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from adjudge.contract import Fault, Usage

_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens read and a million written."""

    input: float
    output: float

    def of(self, usage: Usage) -> float:
        """What ``usage`` costs in US dollars."""
        spent = usage.input_tokens * self.input + usage.output_tokens * self.output
        return spent / 1_000_000


class PriceError(Fault, ValueError):
    """A price file that cannot be read; the text names file, model and field."""


class Prices:
    """Model (``PROVIDER:NAME``) to price. An unknown price is ``None``, never 0.

    >>> mine = Prices({"openai-compatible:my-model": Price(0.5, 1.0)})
    >>> mine.cost("openai-compatible:my-model", Usage(calls=1, input_tokens=1_000_000))
    0.5
    """

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    @staticmethod
    def load(*files: str | Path) -> Prices:
        """The prices that come along, overlaid with those of ``files``, the last one winning.

        A file is TOML: one table a model, ``["openai:gpt-x"]`` with ``input`` and ``output`` in
        US dollars per million tokens. ``PriceError`` names file, model and field.
        """
        table = dict(_own())
        for file in files:
            table.update(_read(Path(file).read_text("utf-8"), str(file)))
        return Prices(table)

    def price(self, model: str) -> Price | None:
        """The price of ``PROVIDER:NAME``; a dated name costs what the undated one does, and a
        model that runs in this process costs nothing."""
        if model.startswith("llamacpp:"):
            return Price(0.0, 0.0)
        return self._table.get(model) or self._table.get(_DATED.sub("", model))

    def cost(self, model: str, usage: Usage) -> float | None:
        """What ``usage`` costs in US dollars, or ``None``."""
        price = self.price(model)
        return price.of(usage) if price else None


@cache
def _own() -> Mapping[str, Price]:
    text = resources.files("adjudge.models").joinpath("prices.toml").read_text("utf-8")
    return _read(text, "prices.toml")


def _read(text: str, file: str) -> dict[str, Price]:
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise PriceError(f"{file}: not TOML: {problem}") from None
    prices = {}
    for model, fields in tables.items():
        if not isinstance(fields, dict):
            raise PriceError(f'{file}: {model}: expected a table such as ["{model}"]')
        given = {}
        for name in ("input", "output"):
            value = fields.get(name)
            if (
                not isinstance(value, int | float)
                or isinstance(value, bool)
                or not 0 <= value < 1e6
            ):
                raise PriceError(
                    f"{file}: {model}.{name}: expected US dollars per million tokens, found {value}"
                )
            given[name] = float(value)
        prices[model] = Price(**given)
    return prices
