"""VirtualHome's symbolic goals in the goal language."""

from __future__ import annotations

from typing import Any

from adjudge.contract import CaseError, JsonObject
from adjudge.judges.invalid import shown
from adjudge.judges.robot.domains import Domain, load_domain
from adjudge.judges.robot.graph import RELATIONS, SceneGraph

_ROBOTS_OWN = ("near", "facing", "right_hand", "left_hand")


def read_goal(value: Any, graph: SceneGraph, field: str = "goal") -> JsonObject:
    """``{"goal": [states and relations], "actions": [names, "A|B" for either]}`` as one goal.

    Every state and relation has to hold at the end; the actions have to be done in this order.
    Raises ``CaseError`` that names the field.
    """
    if not isinstance(value, dict):
        raise CaseError("an object with goal and actions", field=field, found=shown(value))
    domain = load_domain("virtualhome")
    parts: list[JsonObject] = []
    for index, fact in enumerate(_list(value, "goal", field)):
        parts.append(_fact(fact, graph, domain, f"{field}.goal[{index}]"))
    actions = [
        _action(action, domain, f"{field}.actions[{index}]")
        for index, action in enumerate(_list(value, "actions", field))
    ]
    if len(actions) == 1:
        parts.append(actions[0])
    elif actions:
        parts.append({"in_order": actions})
    return {"all": parts}


def _list(value: dict[str, Any], name: str, field: str) -> list[Any]:
    found = value.get(name)
    if found is None:
        return []
    if not isinstance(found, list):
        raise CaseError("a list", field=f"{field}.{name}", found=shown(found))
    return found


def _fact(fact: Any, graph: SceneGraph, domain: Domain, field: str) -> JsonObject:
    if not isinstance(fact, dict):
        raise CaseError("an object", field=field, found=shown(fact))
    if "state" in fact:
        state = fact["state"]
        if not isinstance(state, str) or state.lower() not in domain.states:
            known = ", ".join(s.upper() for s in domain.states)
            raise CaseError(f"one of {known}", field=f"{field}.state", found=shown(state))
        return {"state": [_name(fact, "id", graph, field), state.lower()]}
    kind = fact.get("relation_type")
    word = RELATIONS.get(kind.lower()) if isinstance(kind, str) else None
    if word is None or word not in domain.relations:
        raise CaseError(
            "a state, or a relation_type such as ON, INSIDE, CLOSE, FACING, HOLDS_RH",
            field=f"{field}.relation_type",
            found=shown(kind),
        )
    a, b = _name(fact, "from_id", graph, field), _name(fact, "to_id", graph, field)
    robot = graph.robot is not None and fact["from_id"] == graph.robot.id
    if robot and word in _ROBOTS_OWN:
        return {word: [b]}
    if robot and word == "in":
        return {"in_room": [b]}
    return {word: [a, b]}


def _name(fact: dict[str, Any], end: str, graph: SceneGraph, field: str) -> str:
    found = fact.get(end)
    if not isinstance(found, int | str) or found not in graph.names:
        raise CaseError("the id of a node", field=f"{field}.{end}", found=shown(found))
    return graph.names[found]


def _action(action: Any, domain: Domain, field: str) -> JsonObject:
    options = action.split("|") if isinstance(action, str) else []
    found = [
        {"did": name}
        for option in options
        for name in domain.actions
        # the data set looks for the word in the line: PUT is any putting
        if option.strip() and option.lower().replace(" ", "") in name
    ]
    if not found:
        raise CaseError("the name of an action", field=field, found=shown(action))
    return found[0] if len(found) == 1 else {"any": found}
