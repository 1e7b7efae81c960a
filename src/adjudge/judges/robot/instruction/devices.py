"""Devices: which one a verb means, how a thing is in it, what makes it run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.phrases import NounPhrase
from adjudge.judges.robot.instruction.shapes import atom, either, every, once
from adjudge.judges.robot.nouns import squash
from adjudge.judges.robot.verbs import Device, Verb


class Running(NamedTuple):
    """The fact that a device runs, the step that would make it, and what it comes to."""

    goal: JsonObject
    step: str
    means: str


def running(draft: Draft, device: Entity) -> Running:
    """What says that a device runs: its switches where it has some, else itself."""
    row = draft.device_of(device)
    switches = row.switches if row else ()
    found = _switches(draft, device, switches)
    if row is not None and row.itself:
        found = [device.argument, *found]
    elif not found:
        found = [device.argument]
        if switches and not draft.lexicon.closed:
            found = [switches[0].replace(" ", "_"), device.argument]
    means = (row.means if row else None) or f"the {device.name} on"
    return Running(
        either(atom("state", name, "on") for name in found),
        f"toggle_on({_plain(device, found[0])})",
        means,
    )


def _plain(device: Entity, argument: str) -> str:
    return device.name if argument.startswith("$") else argument


def _switches(draft: Draft, device: Entity, nouns: Sequence[str]) -> list[str]:
    lexicon = draft.lexicon
    found: list[str] = []
    for noun in nouns:
        phrase = NounPhrase(
            words=tuple(noun.split()), surface=tuple(noun.split()), determiner="the"
        )
        found.extend(
            name for name in draft.resolver.find(phrase).ids if name not in device.found.ids
        )
    if not lexicon.closed:
        return found
    here = device.found.ids
    placed = [
        name
        for name in found
        if (lexicon.places.get(name, ("", ""))[1] in here)
        or any(lexicon.places.get(d, ("", ""))[1] == name for d in here)
    ]
    if placed:
        return placed
    rooms = {draft.resolver.room_of(d) for d in here}
    return [name for name in found if draft.resolver.room_of(name) in rooms]


def process_goals(
    draft: Draft,
    verb: Verb,
    name: str,
    entity: Entity,
    device: Entity | None,
    vessel: Entity | None,
) -> tuple[JsonObject, tuple[JsonObject, str, str]]:
    """The gate (to hold at some time), and the audit's goal, text and step."""
    devices = [device] if device is not None else _devices(draft, verb)
    gates: list[JsonObject] = []
    audits: list[JsonObject] = []
    runs = [running(draft, one) for one in devices]
    for one, run in zip(devices, runs, strict=True):
        there = _inside(draft, entity, one, vessel)
        gates.append(there)
        audits.append(once(every([there, run.goal])))
    text = f"{name} implies {runs[0].means}: {runs[0].step} never executed"
    if device is None and verb.step:
        did = {"did": f"{verb.step}({entity.argument})"}
        gates.append(did)
        audits.append(did)
    return either(gates), (either(audits), text, runs[0].step)


def _devices(draft: Draft, verb: Verb) -> list[Entity]:
    found: list[Entity] = []
    for noun in verb.devices:
        words = tuple(noun.split())
        entity = draft.entities.of(NounPhrase(words=words, surface=words, determiner="the"))
        if entity.found.ids and _is(draft, entity, noun):
            found.append(entity)
    if found:
        return found
    words = tuple(verb.devices[0].split())
    return [draft.entities.of(NounPhrase(words=words, surface=words, determiner="the"))]


def _is(draft: Draft, entity: Entity, noun: str) -> bool:
    row = draft.device_of(entity)
    return row is not None and squash(row.name) == squash(noun)


def _inside(draft: Draft, entity: Entity, device: Entity, vessel: Entity | None) -> JsonObject:
    row: Device | None = draft.device_of(device)
    holds = row.holds if row else ("in", "on")
    if vessel is not None:
        carried = either(atom(way, entity.argument, vessel.argument) for way in ("in", "on"))
        return every(
            [carried, either(atom(way, vessel.argument, device.argument) for way in holds)]
        )
    ways = [atom(way, entity.argument, device.argument) for way in holds]
    switches = _switches(draft, device, row.switches) if row and "under" in holds else []
    ways.extend(atom("under", entity.argument, name) for name in switches)
    return either(ways)
