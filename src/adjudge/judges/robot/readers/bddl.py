"""BEHAVIOR problems: objects, start and goal as PDDL or BDDL text, with a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from adjudge.contract import CaseError, JsonObject, Record
from adjudge.judges.invalid import shown
from adjudge.judges.robot.case import RobotCase
from adjudge.judges.robot.graph import SceneGraph, plain
from adjudge.judges.robot.readers.bddl_goal import goal_of
from adjudge.judges.robot.readers.sexpr import Expression, read_sexpr, said

_PROBLEM = re.compile(r"\s*\(\s*define\s*\(\s*problem\b", re.IGNORECASE)
_EDGES = {
    "inside": "INSIDE",
    "ontop": "ON",
    "onfloor": "ON",
    "nextto": "NEXTTO",
    "under": "UNDER",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: its name, its scene as a graph, its goal in the goal language."""

    name: str
    graph: SceneGraph
    goal: JsonObject


class BddlReader:
    """Records with a ``problem``, the text of a PDDL or BDDL problem, and a ``plan``.

    Steps are PDDL's own (``navigate_to sink_n_01_1 agent_n_01_1``, ``(open sink_n_01_1 agent)``)
    or calls; ``instruction`` defaults to the problem's name in words.
    """

    name = "bddl"

    def detect(self, record: Record) -> bool:
        """A problem text that is PDDL."""
        value = record.value
        return (
            isinstance(value, dict)
            and isinstance(value.get("problem"), str)
            and _PROBLEM.match(value["problem"]) is not None
        )

    def read(self, record: Record) -> Iterator[RobotCase]:
        """The case. Raises ``CaseError`` that names the field."""
        value = record.value
        if not isinstance(value, dict) or not isinstance(value.get("problem"), str):
            raise CaseError("a problem text", field="problem", found=shown(value))
        given = value.get("id")
        case_id = str(given) if isinstance(given, str | int) else None
        try:
            problem = read_problem(value["problem"])
            plan = _plan(value.get("plan"))
        except CaseError as error:
            error.case_id = case_id
            raise
        told = value.get("instruction")
        yield RobotCase(
            id=case_id,
            instruction=told if isinstance(told, str) else problem.name.replace("_", " "),
            graph=problem.graph,
            domain="behavior",
            plan=plan,
            goal=problem.goal,
            goal_source="reader",
            meta=value.get("meta"),
            label=value.get("label"),
        )


def read_problem(text: str, field: str = "problem") -> Problem:
    """A problem from its text. Raises ``CaseError``."""
    define = read_sexpr(text, field)
    parts: dict[str, list[Expression]] = {}
    name = "problem"
    for part in define[1:]:
        if isinstance(part, list) and part and isinstance(part[0], str):
            if part[0] == "problem" and len(part) == 2 and isinstance(part[1], str):
                name = part[1]
            parts[part[0]] = part[1:]
    if ":goal" not in parts or not parts[":goal"]:
        raise CaseError("a (:goal …)", field=field, found="none")
    kinds = _typed(parts.get(":objects", []), field)
    start = [_literal(fact, field) for fact in parts.get(":init", [])]
    graph = _graph(kinds, [fact for fact in start if fact is not None])
    categories: dict[str, list[str]] = {}
    for thing, kind in kinds.items():
        categories.setdefault(kind, []).append(thing)
    goal = goal_of(parts[":goal"][0], categories, f"{field}.:goal")
    return Problem(name, graph, goal)


def _typed(words: list[Expression], field: str) -> dict[str, str]:
    """Object to category of ``a b - x c - y``, in compared form."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    kind_next = False
    for word in words:
        if not isinstance(word, str):
            raise CaseError("names with a type", field=f"{field}.:objects", found=said(word))
        if word == "-":
            kind_next = True
        elif kind_next:
            found.update({name: plain(word) for name in waiting})
            waiting, kind_next = [], False
        else:
            waiting.append(plain(word))
    found.update(dict.fromkeys(waiting, "object"))
    return found


def _literal(fact: Expression, field: str) -> tuple[str, tuple[str, ...]] | None:
    """A positive fact; ``None`` for a negated one, since what is not said is not so."""
    if not isinstance(fact, list) or not fact or not all(isinstance(w, str) for w in fact):
        if isinstance(fact, list) and fact[:1] == ["not"]:
            return None
        raise CaseError("a fact such as (open x)", field=f"{field}.:init", found=said(fact))
    words = [word for word in fact if isinstance(word, str)]
    return words[0], tuple(map(plain, words[1:]))


def _graph(kinds: dict[str, str], start: list[tuple[str, tuple[str, ...]]]) -> SceneGraph:
    states: dict[str, list[str]] = {name: [] for name in kinds}
    edges = []
    agents = [name for name, kind in kinds.items() if kind.partition("_")[0] == "agent"]
    for word, names in start:
        if word in _EDGES and len(names) == 2 and all(name in kinds for name in names):
            edges.append({"from_id": names[0], "relation_type": _EDGES[word], "to_id": names[1]})
        elif word == "holding" and len(names) == 1 and agents and names[0] in kinds:
            edges.append({"from_id": agents[0], "relation_type": "HOLDS_RH", "to_id": names[0]})
        elif len(names) == 1 and names[0] in states:
            states[names[0]].append(word)
    nodes = [
        {
            "id": name,
            "class_name": "agent" if name in agents else kind,
            "states": states[name],
        }
        for name, kind in kinds.items()
    ]
    if not agents:
        nodes.append({"id": "agent", "class_name": "agent"})
    return SceneGraph.model_validate({"nodes": nodes, "edges": edges})


def _plan(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(step, str) for step in value):
        raise CaseError("a list of steps", field="plan", found=shown(value))
    return [_step(step) for step in value]


def _step(text: str) -> str:
    """``open sink_1 agent_1`` as the call ``open(sink_1, agent_1)``; a call stays as it is."""
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    if "(" in bare:
        return text
    words = bare.split()
    return f"{words[0]}({', '.join(words[1:])})" if words else text
