"""Readings of instructions in a notation for tables: worlds, goals, readings.

A world: ``[open: mug sink]`` has the objects that a plan names; ``[home: milk@in.fridge …]`` is a
scene, where ``mug@kitchen`` is in a room, ``milk@in.fridge`` in, on or at a thing, ``m1:mug`` has
a category. A goal: ``on(milk, table)``, ``clean(mug)`` for a state, ``&``, ``|``, ``not``,
``once``, ``every $x ?apple``, ``some $x ?apple``, ``2 of $x ?apple``, ``did pour(milk, mug)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from adjudge.judges.robot.case import Relation, default_category
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.reading import NoReading, Reading


def world_of(text: str) -> Lexicon:
    """The lexicon that ``open: …`` or ``NAME: …`` describes."""
    name, _, listed = text.partition(":")
    objects: dict[str, str] = {}
    places: dict[str, tuple[Relation, str]] = {}
    rooms: set[str] = set()
    for entry in listed.split():
        thing, _, place = entry.partition("@")
        thing, _, category = thing.partition(":")
        objects[thing] = category or default_category(thing)
        if "." in place:
            relation, _, target = place.partition(".")
            assert relation in ("on", "in", "at", "under")
            places[thing] = (relation, target)  # type: ignore[assignment]
        elif place:
            places[thing] = ("room", place)
            rooms.add(place)
    return Lexicon(name.strip() != "open", objects, frozenset(rooms), places)


def shown(goal: Any) -> str:
    """A goal in the notation."""
    ((word, body),) = goal.items()
    if word in ("all", "any"):
        return "(" + (" & " if word == "all" else " | ").join(map(shown, body)) + ")"
    if word == "in_order":
        return "in order: " + ", then ".join(map(shown, body))
    if word in ("once", "not", "did"):
        return f"{word} {body if word == 'did' else shown(body)}"
    if word in ("exists", "forall"):
        return f"{'some' if word == 'exists' else 'every'} ${body[0]} {body[1]}: {shown(body[2])}"
    if word == "count":
        return f"{body[2]} of ${body[0]} {body[1]}: {shown(body[3])}"
    return f"{body[1]}({body[0]})" if word == "state" else f"{word}({', '.join(body)})"


def lines_of(reading: Reading | NoReading) -> list[str]:
    """A reading, a line for each part that is there."""
    if isinstance(reading, NoReading):
        return [f"no reading: {reading.reason}"]
    lines = [f"gate: {shown(reading.gate)}"]
    lines += [f"audit {wish.step}: {shown(wish.goal)}" for wish in reading.audit]
    if reading.presupposed:
        lines.append("taken for granted: " + ", ".join(map(shown, reading.presupposed)))
    if reading.free_delivery:
        lines.append("free delivery: " + " ".join(reading.free_delivery))
    if reading.instance:
        lines.append("one singled out")
    return lines


def table(file: Path) -> Iterator[tuple[str, str, list[str]]]:
    """The rows of a table: world, instruction, lines of its reading."""
    worlds = {"empty": "empty:"}
    world, instruction, lines = "", "", list[str]()
    for line in [*file.read_text(encoding="utf-8").splitlines(), "[end]"]:
        if line.startswith("  "):
            lines.append(line.strip())
            continue
        if instruction:
            yield world, instruction, lines
        instruction, lines = "", []
        if line.startswith("["):
            given = line.strip("[]")
            name, colon, _ = given.partition(":")
            if colon and name != "open":
                worlds[name] = given
            world = given if name == "open" else worlds.get(name, given)
        elif line and not line.startswith("#"):
            instruction = line
