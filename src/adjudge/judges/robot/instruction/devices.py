"""Devices: which one a verb means, how a thing is in it, what makes it run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from adjudge.contract import JsonObject
from adjudge.judges.robot.instruction.build import Draft, Wish
from adjudge.judges.robot.instruction.entities import Entity
from adjudge.judges.robot.instruction.shapes import atom, either, every, once
from adjudge.judges.robot.nouns import squash
from adjudge.judges.robot.verbs import Device, Verb


class Running(NamedTuple):
    """That a device runs: the fact, the step for it, what it comes to, what may be turned on."""

    goal: JsonObject
    step: str
    means: str
    switches: tuple[str, ...]


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
        tuple(found),
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
    around = draft.resolver.places.around
    placed = [n for n in found if set(here) & set(around(n)) or any(n in around(d) for d in here)]
    if placed:
        return placed
    rooms = {draft.resolver.places.room_of(d) for d in here}
    return [name for name in found if draft.resolver.places.room_of(name) in rooms]


def process_goals(
    draft: Draft,
    verb: Verb,
    name: str,
    entity: Entity,
    device: Entity | None = None,
    vessel: Entity | None = None,
) -> tuple[JsonObject, Wish]:
    """The gate, to hold at some time, and what the audit wants."""
    devices = usable(draft, verb, device)
    runs = [running(draft, one) for one in devices]
    gates = [_inside(draft, entity, one, vessel, device is not None) for one in devices]
    audits = [once(every([g, run.goal])) for g, run in zip(gates, runs, strict=True)]
    if device is None and verb.step:
        did = {"did": f"{verb.step}({entity.argument})"}
        gates.append(did)
        audits.append(did)
    text = f"{name} implies {runs[0].means}: {runs[0].step} never executed"
    return either(gates), Wish(either(audits), text, runs[0].step)


def usable(draft: Draft, verb: Verb, device: Entity | None = None) -> list[Entity]:
    """The device named, else those of a verb that the case has, else the verb's first."""
    if device is not None:
        return device.each()
    found = [draft.entities.named(noun) for noun in verb.devices]
    there = [
        entity
        for entity, noun in zip(found, verb.devices, strict=True)
        if entity.found.ids and _is(draft, entity, noun)
    ]
    return [one for entity in there or found[:1] for one in entity.each()]


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


def _inside(
    draft: Draft, entity: Entity, device: Entity, vessel: Entity | None, named: bool
) -> JsonObject:
    """In, on or under the device. Nobody puts food on a bare stove unless they say so."""
    row: Device | None = draft.device_of(device)
    holds = row.holds if row else ("in", "on")
    if vessel is not None:
        carried = either(atom(way, entity.argument, vessel.argument) for way in ("in", "on"))
        return every(
            [carried, either(atom(way, vessel.argument, device.argument) for way in holds)]
        )
    ways = [atom(way, entity.argument, device.argument) for way in holds]
    if "on" in holds and "in" not in holds:
        carried_there = _in_vessel(draft, entity, device)
        ways = [*(ways if named or not carried_there else ()), *carried_there]
    switches = _switches(draft, device, row.switches) if row and "under" in holds else []
    ways.extend(atom("under", entity.argument, name) for name in switches)
    return either(ways)
