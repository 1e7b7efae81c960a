"""PARTNR's propositions, dependencies and constraints in the goal language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from adjudge.contract import CaseError, JsonObject
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import normal

_PAIRS = {
    "is_on_top": ("on", "object_handles", "receptacle_handles", "is_same_receptacle"),
    "is_inside": ("in", "object_handles", "receptacle_handles", "is_same_receptacle"),
    "is_in_room": ("in_room", "object_handles", "room_ids", "is_same_room"),
    "is_next_to": ("near", "entity_handles_a", "entity_handles_b", "is_same_b"),
}
_STATES = {
    "is_clean": "clean",
    "is_dirty": "dirty",
    "is_filled": "filled",
    "is_empty": "empty",
    "is_powered_on": "on",
    "is_powered_off": "off",
}
_DEPENDENCIES = ("after_satisfied", "after_unsatisfied", "while_satisfied", "before_satisfied")
_MOST_CHOICES = 120

Choice = Mapping[tuple[int, str], str]
"""What a proposition's argument is held to: (proposition, argument name) to a handle."""


def read_goal(record: Mapping[str, Any], names: Mapping[str, str] | None = None) -> JsonObject:
    """The goal of a record's ``evaluation_propositions``, ``…_proposition_dependencies`` and
    ``evaluation_constraints``; ``names`` maps handles to names. Raises ``CaseError``.

    A proposition has to hold at some time, when its dependencies let it count; at the end as well
    where a terminal constraint names it. A temporal edge from i to j: j never holds before i has.
    Same and different arguments: one choice of arguments fits all.
    """
    return _Goal(record, names or {}).read()


class _Goal:
    def __init__(self, record: Mapping[str, Any], names: Mapping[str, str]) -> None:
        self.names = names
        self.propositions = _objects(record, "evaluation_propositions")
        self.dependencies = _objects(record, "evaluation_proposition_dependencies")
        self.constraints = _objects(record, "evaluation_constraints")

    def read(self) -> JsonObject:
        terminal: set[int] = set()
        edges: list[tuple[int, int]] = []
        choices: list[list[Choice]] = []
        for number, constraint in enumerate(self.constraints):
            field = f"evaluation_constraints[{number}]"
            kind, args = str(constraint.get("type")), constraint.get("args")
            if not isinstance(args, dict):
                raise CaseError("an object", field=f"{field}.args", found=shown(args))
            if kind.startswith("Terminal"):
                terminal |= set(self._indexes(args, "proposition_indices", field))
            elif kind.startswith("Temporal"):
                edges.extend(self._edges(args, field))
            elif kind.startswith(("SameArg", "DifferentArg")):
                choices.append(self._choices(kind.startswith("Same"), args, field))
            else:
                known = "TerminalSatisfactionConstraint, TemporalConstraint, SameArgConstraint"
                raise CaseError(
                    f"one of {known}, DifferentArgConstraint",
                    field=f"{field}.type",
                    found=shown(constraint.get("type")),
                )
        options = [
            self._all({k: v for part in parts for k, v in part.items()}, terminal, edges)
            for parts in _few(choices)
        ]
        return options[0] if len(options) == 1 else {"any": options}

    def _all(self, choice: Choice, terminal: set[int], edges: list[tuple[int, int]]) -> JsonObject:
        facts = [self._fact(i, choice) for i in range(len(self.propositions))]
        counts = [self._counted(i, facts) for i in range(len(facts))]
        parts: list[JsonObject] = []
        for i, counted in enumerate(counts):
            if i in terminal:
                parts.append(facts[i])
            if i not in terminal or counted != facts[i]:
                parts.append({"once": counted})
        for first, then in edges:
            early = {"all": [counts[then], {"not": {"once": counts[first]}}]}
            parts.append({"not": {"once": early}})
        return {"all": parts}

    def _counted(self, index: int, facts: Sequence[JsonObject]) -> JsonObject:
        """The fact, at a time when its dependencies let it count."""
        parts = [facts[index]]
        for number, dependency in enumerate(self.dependencies):
            field = f"evaluation_proposition_dependencies[{number}]"
            if index not in self._indexes(dependency, "proposition_indices", field):
                continue
            heads = self._indexes(dependency, "depends_on", field)
            head: JsonObject = {"all": [facts[h] for h in heads]}
            kind = dependency.get("relation_type")
            if kind not in _DEPENDENCIES:
                raise CaseError(
                    f"one of {', '.join(_DEPENDENCIES)}",
                    field=f"{field}.relation_type",
                    found=shown(kind),
                )
            if kind == "while_satisfied":
                parts.append(head)
            elif kind == "before_satisfied":
                parts.append({"not": {"once": head}})
            else:
                parts.append({"once": head})
                if kind == "after_unsatisfied":
                    parts.append({"not": head})
        return parts[0] if len(parts) == 1 else {"all": parts}

    def _fact(self, index: int, choice: Choice) -> JsonObject:
        proposition = self.propositions[index]
        field = f"evaluation_propositions[{index}]"
        kind, args = proposition.get("function_name"), proposition.get("args")
        if not isinstance(args, dict):
            raise CaseError("an object", field=f"{field}.args", found=shown(args))
        number = args.get("number", 1)

        def handles(name: str) -> list[str]:
            if (index, name) in choice:
                return [choice[index, name]]
            return self._handles(args, name, field)

        if kind in _STATES:
            things = handles("object_handles")
            return _some(number, [{"state": [t, _STATES[kind]]} for t in things], field)
        if kind == "is_on_floor":
            things = handles("object_handles")
            return _some(number, [{"on": [t, "?floor"]} for t in things], field)
        if kind == "is_clustered":
            return _clustered(self._groups(args, field))
        if kind not in _PAIRS:
            known = ", ".join([*_PAIRS, *_STATES, "is_on_floor", "is_clustered"])
            raise CaseError(f"one of {known}", field=f"{field}.function_name", found=shown(kind))
        word, one, other, same = _PAIRS[kind]
        things, spots = handles(one), handles(other)
        if args.get(same):
            return _any([_some(number, [{word: [t, s]} for t in things], field) for s in spots])
        return _some(number, [_any([{word: [t, s]} for s in spots]) for t in things], field)

    def _handles(self, args: Mapping[str, Any], name: str, field: str) -> list[str]:
        found = args.get(name)
        if isinstance(found, str):
            found = [found]
        if not isinstance(found, list) or not found or not all(isinstance(h, str) for h in found):
            raise CaseError("a list of handles", field=f"{field}.args.{name}", found=shown(found))
        return [normal(self.names.get(handle, handle)) for handle in found]

    def _groups(self, args: Mapping[str, Any], field: str) -> list[list[str]]:
        groups = args.get("*args", args.get("entity_handles"))
        if not isinstance(groups, list) or not groups:
            raise CaseError("a list of lists", field=f"{field}.args.*args", found=shown(groups))
        return [
            self._handles({"group": group}, "group", f"{field}.args.*args[{i}]")
            for i, group in enumerate(groups)
        ]

    def _choices(self, same: bool, args: Mapping[str, Any], field: str) -> list[Choice]:
        indexes = self._indexes(args, "proposition_indices", field)
        wanted = args.get("arg_names")
        if not isinstance(wanted, list) or len(wanted) != len(indexes):
            raise CaseError(
                "one argument name a proposition",
                field=f"{field}.args.arg_names",
                found=shown(wanted),
            )
        slots = [(index, str(name)) for index, name in zip(indexes, wanted, strict=True)]
        options = [
            self._handles(self.propositions[i].get("args") or {}, name, field) for i, name in slots
        ]
        if same:
            common = [h for h in options[0] if all(h in other for other in options[1:])]
            return [dict.fromkeys(slots, handle) for handle in common]
        everything = dict.fromkeys(h for option in options for h in option)
        return [
            dict(zip(slots, chosen, strict=True))
            for chosen in permutations(everything, len(slots))
            if all(h in option for h, option in zip(chosen, options, strict=True))
        ]

    def _indexes(self, args: Mapping[str, Any], name: str, field: str) -> list[int]:
        found = args.get(name)
        count = len(self.propositions)
        if not isinstance(found, list) or not all(
            isinstance(i, int) and not isinstance(i, bool) and 0 <= i < count for i in found
        ):
            raise CaseError(
                f"a list of numbers below {count}", field=f"{field}.{name}", found=shown(found)
            )
        return found

    def _edges(self, args: Mapping[str, Any], field: str) -> Iterator[tuple[int, int]]:
        found = args.get("dag_edges")
        if not isinstance(found, list):
            raise CaseError("a list of pairs", field=f"{field}.args.dag_edges", found=shown(found))
        for number, edge in enumerate(found):
            where = f"{field}.args.dag_edges"
            pair = self._indexes({str(number): edge}, str(number), where)
            if len(pair) != 2:
                raise CaseError("a pair of numbers", field=f"{where}.{number}", found=shown(edge))
            yield pair[0], pair[1]


def _few(choices: list[list[Choice]]) -> Iterator[tuple[Choice, ...]]:
    for number, parts in enumerate(product(*choices)):
        if number >= _MOST_CHOICES:
            raise CaseError(
                f"at most {_MOST_CHOICES} ways to choose arguments",
                field="evaluation_constraints",
                found="more",
            )
        yield parts


def _some(number: Any, parts: list[JsonObject], field: str) -> JsonObject:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise CaseError("a count", field=f"{field}.args.number", found=shown(number))
    return _any(parts) if number == 1 else {"at_least": [number, parts]}


def _any(parts: list[JsonObject]) -> JsonObject:
    return parts[0] if len(parts) == 1 else {"any": parts}


def _clustered(groups: list[list[str]]) -> JsonObject:
    """Something of each group is next to something of another group."""
    parts = []
    for i, group in enumerate(groups):
        others = [h for k, other in enumerate(groups) if k != i for h in other]
        parts.append({"any": [{"near": [one, other]} for one in group for other in others]})
    return {"all": parts}


def _objects(record: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    found = record.get(field) or []
    if not isinstance(found, list):
        raise CaseError("a list", field=field, found=shown(found))
    for number, part in enumerate(found):
        if not isinstance(part, dict):
            raise CaseError("an object", field=f"{field}[{number}]", found=shown(part))
    return found
