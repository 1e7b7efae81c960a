from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudge.contract import Usage
from adjudge.models import Price, Prices

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


def test_what_a_prompt_cache_gave_and_took_has_its_own_price() -> None:
    used = Usage(
        calls=1,
        input_tokens=1_000_000,
        output_tokens=100_000,
        cache_read_tokens=600_000,
        cache_write_tokens=300_000,
    )
    price = Price(3.0, 15.0, cache_read=0.3, cache_write=3.75)
    assert price.of(used) == pytest.approx(0.1 * 3 + 0.6 * 0.3 + 0.3 * 3.75 + 0.1 * 15)
    assert Price(3.0, 15.0).of(used) == pytest.approx(3.0 + 1.5)
    known = Prices.load().price("anthropic:claude-sonnet-4-5")
    assert known == price
    assert Prices.load().cost("openai:gpt-4o", used) == pytest.approx(0.4 * 2.5 + 0.6 * 1.25 + 1.0)


def test_the_variable_names_files_and_files_given_win_over_them(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one.toml", "two.toml", "three.toml"))
    one.write_text('["a:1"]\ninput = 1\noutput = 1\n["a:2"]\ninput = 1\noutput = 1\n')
    two.write_text('["a:2"]\ninput = 2\noutput = 2\n["a:3"]\ninput = 2\noutput = 2\n')
    three.write_text('["a:3"]\ninput = 3\noutput = 3\n')
    environ = {"ADJUDGE_PRICES": os.pathsep.join([str(one), str(two)])}
    prices = Prices.load(three, environ=environ)
    assert [prices.cost(f"a:{n}", MILLION) for n in (1, 2, 3)] == [2.0, 4.0, 6.0]
    assert Prices.load(environ={}).price("a:1") is None
    with pytest.raises(ValueError, match=r"gone\.toml: expected a file of prices, found none"):
        Prices.load(environ={"ADJUDGE_PRICES": str(tmp_path / "gone.toml")})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("openai = 3", r"1: openai: expected a table such as \[\"openai\"\], found 3"),
        ('["a:b"]\ninput = 1', r"1: a:b\.output: expected US dollars .* found nothing"),
        ('# a:b\n\n["a:b"]\ninput = -1\noutput = 1', r"4: a:b\.input: .* found -1"),
        ('["a:b"]\noutput = 1\ninput = nan', r"3: a:b\.input: .* found nan"),
        ('["a:b"]\ninput = true\noutput = 1', r"2: a:b\.input: .* found True"),
        ('["a:b"]\ninput = 1\noutput = 1\ncache_read = "x"', r"4: a:b\.cache_read: .* found 'x'"),
        ('["a:b"]\ninput = 1\noutputs = 1', r"3: a:b\.outputs: expected one of input, output"),
        (
            '["a:a"]\ninput = 1\noutput = 1\n["a:b"]\ninput = -2\noutput = 1',
            r"5: a:b\.input: .* found -2",
        ),
        ('"a:b" = {input = 1, output = -3}', r"1: a:b\.output: .* found -3"),
        ("= broken", r" not TOML: .*line 1"),
    ],
)
def test_a_bad_file_is_named_with_line_and_field(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"mine.toml:{told}"):
        Prices.load(file)
