"""What instructions come to, sentence by sentence, and what the rules do not guess at."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.reading import NoReading, Reading
from adjudge.judges.robot.verbs import default_verbs
from instruction_notation import lines_of, shown, table, world_of

TABLES = Path(__file__).parent / "test_instruction_tables"
READINGS = list(table(TABLES / "readings.txt"))
REFUSED = list(table(TABLES / "refused.txt"))


@pytest.mark.parametrize(("world", "instruction", "lines"), READINGS)
def test_reading(world: str, instruction: str, lines: list[str]) -> None:
    assert lines_of(read_instruction(instruction, world_of(world), default_verbs())) == lines


@pytest.mark.parametrize(("world", "instruction"), [row[:2] for row in REFUSED])
def test_not_guessed_at(world: str, instruction: str) -> None:
    reading = read_instruction(instruction, world_of(world), default_verbs())
    assert isinstance(reading, NoReading)
    assert reading.reason


def test_the_tables_are_whole() -> None:
    assert len(READINGS) > 140
    assert len(REFUSED) > 70
    assert all(lines for _, _, lines in READINGS)


def reading_of(instruction: str, world: str) -> Reading:
    reading = read_instruction(instruction, world_of(world), default_verbs())
    assert isinstance(reading, Reading), reading
    return reading


def test_the_reason_names_the_word() -> None:
    reading = read_instruction("Juggle the mug.", world_of("open: mug"), default_verbs())
    assert reading == NoReading("unknown verb 'juggle'")


def test_the_audit_says_what_is_missing() -> None:
    (wish,) = reading_of("Wash the mug in the sink.", "open: mug sink faucet").audit
    assert wish.step == "toggle_on(faucet)"
    assert wish.text == "wash implies running water: toggle_on(faucet) never executed"


def test_a_goal_may_name_what_is_not_there() -> None:
    reading = reading_of("Put the vase on the table.", "room: table@hall mug@hall")
    assert reading.gate == {"on": ["vase", "table"]}


@pytest.mark.parametrize(
    "polite",
    [
        "put the mug on the table",
        "Please put the mug on the table.",
        "Could you put the mug on the table, please?",
        "Your task is to put the mug on the table.",
        "I would like you to put the mug on the table",
        "Robot, put the mug on the table!",
        "Put the 'mug' on the table",
        "Placing the mug on the table",
        "To put the mug on the table.",
        "PUT THE MUG ON THE TABLE",
        "Take the mug and put it on the table",
        "Put the mug gently down on the table now",
    ],
)
def test_the_same_said_otherwise(polite: str) -> None:
    assert shown(reading_of(polite, "room: table@hall mug@hall").gate) == "on(mug, table)"


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("refrigerator", "fridge"),
        ("garbage can", "trash_can"),
        ("trash", "garbagecan"),
        ("couch", "sofa"),
        ("television", "tv"),
        ("counter", "countertop"),
        ("countertop", "kitchen_counter"),
        ("phone", "cell_phone"),
        ("remote", "remote_control"),
        ("cup", "mug"),
        ("mug", "cup"),
        ("table", "dining_table"),
        ("coffee mug", "mug"),
        ("mug", "coffee_mug"),
        ("keys", "key_chain"),
        ("bar of soap", "soap"),
        ("bottle of wine", "wine_bottle"),
        ("loaf of bread", "bread"),
        ("back of the toilet", "toilet"),
        ("lamp", "floor_lamp"),
    ],
)
def test_other_names_of_the_same(name: str, thing: str) -> None:
    reading = reading_of(f"Put the pen near the {name}.", f"room: pen@hall {thing}@hall")
    assert reading.gate == {"near": ["pen", thing]}


def test_an_exact_name_comes_before_another_name() -> None:
    reading = reading_of("Put the cup near the pen.", "room: pen@hall cup@hall mug@hall")
    assert reading.gate == {"near": ["cup", "pen"]}


def test_a_longer_text_is_no_reading_at_once() -> None:
    reading = read_instruction("put the mug " * 100_000, world_of("open: mug"), default_verbs())
    assert isinstance(reading, NoReading)
    assert "2,000" in reading.reason
