"""The verb file: its form, what a user's file adds and replaces, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.nouns import default_nouns, squash
from adjudge.judges.robot.reading import NoReading, Reading
from adjudge.judges.robot.verbs import VerbFileError, VerbTable, default_verbs, load_verbs
from instruction_notation import lines_of, world_of


def table_of(folder: Path, text: str) -> VerbTable:
    file = folder / "more.toml"
    file.write_text(text, encoding="utf-8")
    return load_verbs(file)


def test_a_row_adds_a_verb(tmp_path: Path) -> None:
    world = world_of("open: mug table")
    assert isinstance(
        read_instruction("Park the mug on the table.", world, default_verbs()), NoReading
    )
    verbs = table_of(tmp_path, '[[verb]]\nnames = ["park"]\nrule = "place"\n')
    assert lines_of(read_instruction("Park the mug on the table.", world, verbs)) == [
        "gate: on(mug, table)"
    ]
    assert isinstance(read_instruction("Put the mug on the table.", world, verbs), Reading)


def test_a_row_replaces_a_verb_and_leaves_its_synonyms(tmp_path: Path) -> None:
    row = '[[verb]]\nnames = ["chill"]\nrule = "process"\ndevices = ["freezer"]\n'
    verbs = table_of(tmp_path, row)
    world = world_of("room: milk@hall fridge@hall freezer@hall")
    assert lines_of(read_instruction("Chill the milk.", world, verbs))[0] == (
        "gate: once in(milk, freezer)"
    )
    assert "in(milk, fridge)" in lines_of(read_instruction("Cool the milk.", world, verbs))[0]


def test_a_device_of_ones_own(tmp_path: Path) -> None:
    text = """
    [[verb]]
    names = ["sterilize"]
    rule = "process"
    devices = ["autoclave"]
    adjectives = ["sterile"]
    [[device]]
    name = "autoclave"
    holds = ["in"]
    means = "steam"
    """
    verbs = table_of(tmp_path, text)
    world = world_of("room: jar@hall autoclave@hall shelf@hall")
    (wish,) = read_instruction("Sterilize the jar.", world, verbs).audit  # type: ignore[union-attr]
    assert wish.text == "sterilize implies steam: toggle_on(autoclave) never executed"
    lines = lines_of(read_instruction("Put a sterile jar on the shelf.", world, verbs))
    assert lines[0] == "gate: (once in(jar, autoclave) & (on(jar, shelf) | in(jar, shelf)))"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[[verb]]\nnames = [", ["more.toml", "expected TOML"]),
        ("[[verbs]]\n", ["more.toml", "[[verb]]", "'verbs'"]),
        ("verb = 3", ["more.toml", "[[verb]] rows", "int"]),
        ('[[verb]]\nnames = ["a"]\n', ["[[verb]] 1", "'rule'"]),
        ('[[verb]]\nnames = []\nrule = "place"\n', ["[[verb]] 1", "'names'"]),
        ('[[verb]]\nnames = ["a"]\nrule = "plonk"\n', ["'rule'", "'plonk'"]),
        ('[[verb]]\nnames = ["Put"]\nrule = "place"\n', ["'names.0'", "'Put'"]),
        ('[[verb]]\nnames = ["a"]\nrule = "place"\nspeed = 3\n', ["'speed'", "3"]),
        ('[[verb]]\nnames = ["a"]\nrule = "process"\n', ["'devices'", "'process'"]),
        ('[[verb]]\nnames = ["a"]\nrule = "act"\n', ["'state'", "'act'"]),
        (
            '[[verb]]\nnames = ["b"]\nrule = "go"\n'
            '[[verb]]\nnames = ["a"]\nrule = "process"\ndevices = ["loom"]\n',
            ["[[verb]] 2", "'devices'", "'loom'"],
        ),
        (
            '[[verb]]\nnames = ["a"]\nrule = "process"\ndevices = ["oven"]\nsurfaces = "put"\n',
            ["'surfaces'", "'put'"],
        ),
        ('[[device]]\nname = "loom"\nholds = ["beside"]\n', ["[[device]] 1", "'holds.0'"]),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, parts: list[str]) -> None:
    with pytest.raises(VerbFileError) as raised:
        table_of(tmp_path, text)
    assert all(part in str(raised.value) for part in parts), raised.value


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(VerbFileError, match=r"nowhere.toml: cannot be read"):
        load_verbs(tmp_path / "nowhere.toml")


def test_devices_and_places_of_the_verb_file_are_nouns() -> None:
    verbs, nouns = default_verbs(), default_nouns()
    named = [d.name for d in verbs.devices] + [s for d in verbs.devices for s in d.switches]
    named += [v.into for v in verbs.verbs if v.into]
    assert [name for name in named if squash(name) not in nouns.by_name] == []


def test_no_name_means_two_kinds() -> None:
    names = [squash(name) for row in default_nouns().rows for name in row.names]
    assert len(names) == len(set(names))
