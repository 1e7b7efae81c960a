"""A scene as a graph: nodes with class, properties and states, edges with a relation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, NamedTuple, TypeGuard

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
)

from adjudge.contract import CaseError
from adjudge.judges.invalid import shown

RELATIONS: Mapping[str, str] = {
    "on": "on",
    "ontop": "on",
    "onfloor": "on",
    "inside": "in",
    "in": "in",
    "close": "near",
    "near": "near",
    "nextto": "near",
    "facing": "facing",
    "between": "between",
    "under": "under",
    "holds_rh": "right_hand",
    "holds_lh": "left_hand",
    "sitting": "sitting_on",
}
"""A relation as graphs write it (in any case) to the word of the goal language."""

_ROBOTS = ("character", "agent", "robot")


def _is_id(value: object) -> TypeGuard[int | str]:
    return type(value) is int or isinstance(value, str)


def _node_id(value: Any) -> Any:
    if not _is_id(value):
        raise ValueError(f"expected a number or a name, found {shown(value)}")
    return value


NodeId = Annotated[int | str, BeforeValidator(_node_id)]
"""A node's id: VirtualHome numbers its nodes, BEHAVIOR names them."""


class _Part(BaseModel):
    # graphs carry bounding boxes, prefab names and more that no rule asks for
    model_config = ConfigDict(frozen=True, extra="ignore")


class GraphNode(_Part):
    """One thing or room. ``category`` ``Rooms`` makes it a room."""

    id: NodeId
    class_name: str = Field(min_length=1)
    category: str | None = None
    properties: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


class GraphEdge(NamedTuple):
    """A relation between two nodes, by their ids."""

    from_id: int | str
    relation_type: str
    to_id: int | str


def _edges(value: Any) -> tuple[GraphEdge, ...]:
    # a scene has thousands of edges: a model for each would cost more than all verdicts on it
    if not isinstance(value, list | tuple):
        raise ValueError(f"expected a list, found {shown(value)}")
    found = []
    for index, edge in enumerate(value):
        if isinstance(edge, dict):
            a, kind, b = (edge.get(field) for field in GraphEdge._fields)
        elif isinstance(edge, list | tuple) and len(edge) == 3:
            a, kind, b = edge
        else:
            raise ValueError(f"expected an object at [{index}], found {shown(edge)}")
        if not _is_id(a):
            raise ValueError(f"expected a node's id at [{index}].from_id, found {shown(a)}")
        if not _is_id(b):
            raise ValueError(f"expected a node's id at [{index}].to_id, found {shown(b)}")
        if not isinstance(kind, str):
            what = f"a string at [{index}].relation_type"
            raise ValueError(f"expected {what}, found {shown(kind)}")
        found.append(GraphEdge(a, kind, b))
    return tuple(found)


def _plain_edges(edges: tuple[GraphEdge, ...]) -> list[dict[str, Any]]:
    return [edge._asdict() for edge in edges]


Edges = Annotated[
    tuple[GraphEdge, ...],
    PlainValidator(_edges),
    PlainSerializer(_plain_edges, return_type=list[dict[str, Any]]),
    WithJsonSchema({"type": "array", "items": {"type": "object"}}),
]


class SceneGraph(_Part):
    """A scene graph as VirtualHome writes it. One object serves all cases of its scene."""

    nodes: tuple[GraphNode, ...]
    edges: Edges

    @cached_property
    def names(self) -> Mapping[int | str, str]:
        """Node id to the name it has in the judge: ``sofa_352``, or an id that is a name."""
        return {
            node.id: plain(node.class_name) + f"_{node.id}"
            if isinstance(node.id, int)
            else plain(node.id)
            for node in self.nodes
        }

    @cached_property
    def robot(self) -> GraphNode | None:
        """The node that acts: the first of class character, agent or robot."""
        found = [n for n in self.nodes if plain(n.class_name) in _ROBOTS]
        return min(found, key=lambda n: str(n.id).zfill(20), default=None)

    def __getstate__(self) -> dict[Any, Any]:
        # what was worked out stays here: another process works it out again
        state = super().__getstate__()
        fields = {name: state["__dict__"][name] for name in type(self).model_fields}
        return {**state, "__dict__": fields}

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was worked out from this graph, for whoever works on it again."""
        return {}


def plain(name: str) -> str:
    """A name in a graph as it is compared.

    >>> plain("Washing Machine"), plain("carton.n.02_1")
    ('washing_machine', 'carton_n_02_1')
    """
    return "_".join(name.lower().replace("-", " ").replace("_", " ").replace(".", " ").split())


def check_graph(graph: SceneGraph, field: str) -> None:
    """Raises ``CaseError``: each id once, every edge between nodes, a relation that is known."""
    seen: dict[int | str, int] = {}
    for index, node in enumerate(graph.nodes):
        if node.id in seen:
            raise CaseError(
                "an id of its own",
                field=f"{field}.nodes[{index}].id",
                found=f"{shown(node.id)}, which is also the id of nodes[{seen[node.id]}]",
            )
        seen[node.id] = index
    if len(set(graph.names.values())) < len(graph.nodes):
        raise CaseError(
            "ids that differ in more than dots, blanks and capitals",
            field=f"{field}.nodes",
            found="two that do not",
        )
    for index, (one, kind, other) in enumerate(graph.edges):
        if one in seen and other in seen and (kind in RELATIONS or kind.lower() in RELATIONS):
            continue
        where = f"{field}.edges[{index}]"
        for name, end in (("from_id", one), ("to_id", other)):
            if end not in seen:
                raise CaseError("the id of a node", field=f"{where}.{name}", found=shown(end))
        known = ", ".join(r.upper() for r in RELATIONS)
        raise CaseError(f"one of {known}", field=f"{where}.relation_type", found=shown(kind))
    if graph.robot is None:
        raise CaseError("a node of class character", field=f"{field}.nodes", found="none")
