from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.contract import Usage
from adjudge.models import Prices

MILLION = Usage(calls=1, input_tokens=1_000_000, output_tokens=1_000_000)


def test_a_dated_name_costs_what_the_undated_one_does() -> None:
    prices = Prices.load()
    undated = prices.cost("anthropic:claude-sonnet-4-5", MILLION)
    assert undated == 18.0
    assert prices.cost("anthropic:claude-sonnet-4-5-20250929", MILLION) == undated
    assert prices.cost("openai:gpt-4o-2024-08-06", MILLION) == prices.cost("openai:gpt-4o", MILLION)


def test_an_unknown_price_is_unknown_and_ones_own_machine_is_free() -> None:
    prices = Prices.load()
    assert prices.cost("openai:no-such-model", MILLION) is None
    assert prices.cost("openai-compatible:gpt-4o", MILLION) is None
    assert prices.cost("llamacpp:any.gguf", MILLION) == 0.0


def test_a_file_of_ones_own_wins(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["openai:gpt-4o"]\ninput = 1\noutput = 1.5\n["x:y"]\ninput = 0\noutput = 1\n')
    prices = Prices.load(file)
    assert prices.cost("openai:gpt-4o", MILLION) == 2.5
    assert prices.cost("x:y", MILLION) == 1.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("openai = 3", "openai: expected a table"),
        ('["a:b"]\ninput = 1', r"a:b\.output: expected US dollars"),
        ('["a:b"]\ninput = -1\noutput = 1', r"a:b\.input: .* found -1"),
        ('["a:b"]\ninput = nan\noutput = 1', r"a:b\.input"),
        ('["a:b"]\ninput = true\noutput = 1', r"a:b\.input"),
        ("= broken", "not TOML"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"mine.toml: {told}"):
        Prices.load(file)
