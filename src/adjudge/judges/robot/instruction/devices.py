"""Devices: which one a verb means, how a thing is in it, what makes it run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.build import Draft
from adjudge.judges.robot.instruction.entities import Entity
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
        names = draft.entities.named(noun).found.ids
        found.extend(name for name in names if name not in device.found.ids)
    if not lexicon.closed:
        return found
    here = device.found.ids
    around = draft.resolver.place_of
    placed = [n for n in found if set(here) & set(around(n)) or any(n in around(d) for d in here)]
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
    named = [device] if device is not None else _devices(draft, verb)
    devices = [one for entity in named for one in entity.each()]
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
    """Those of a verb's devices that the case has; its first where it has none."""
    found = [draft.entities.named(noun) for noun in verb.devices]
    there = [
        entity
        for entity, noun in zip(found, verb.devices, strict=True)
        if entity.found.ids and _is(draft, entity, noun)
    ]
    return there or found[:1]


def _is(draft: Draft, entity: Entity, noun: str) -> bool:
    row = draft.device_of(entity)
    return row is not None and squash(row.name) == squash(noun)


def _in_vessel(draft: Draft, entity: Entity, device: Entity) -> list[JsonObject]:
    """In or on something carried that is on the device; ``in`` a device sees through vessels."""
    if entity.kind is not None and entity.kind.vessel:
        return []
    kinds = ((c, draft.resolver.kind(c)) for c in draft.lexicon.by_category)
    categories = [category for category, kind in kinds if kind is not None and kind.vessel]
    if not categories:
        return []
    carried = either(atom(way, entity.argument, "$v") for way in ("in", "on"))
    body = every([carried, atom("on", "$v", device.argument)])
    return [{"exists": ["v", "?" + "|".join(categories), body]}]


def _inside(draft: Draft, entity: Entity, device: Entity, vessel: Entity | None) -> JsonObject:
    row: Device | None = draft.device_of(device)
    holds = row.holds if row else ("in", "on")
    if vessel is not None:
        carried = either(atom(way, entity.argument, vessel.argument) for way in ("in", "on"))
        return every(
            [carried, either(atom(way, vessel.argument, device.argument) for way in holds)]
        )
    ways = [atom(way, entity.argument, device.argument) for way in holds]
    if "on" in holds and "in" not in holds:
        ways.extend(_in_vessel(draft, entity, device))
    switches = _switches(draft, device, row.switches) if row and "under" in holds else []
    ways.extend(atom("under", entity.argument, name) for name in switches)
    return either(ways)
