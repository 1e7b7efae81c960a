"""Real function calls against real schemas: right ones raise nothing, broken ones their kind."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from browser_reading import check, kinds, shared

FILES = (
    "BFCL_v4_multi_turn_base.possible_answer.first40.jsonl",
    "BFCL_v4_multi_turn_miss_param.possible_answer.first40.jsonl",
)
Call = tuple[str, dict[str, Any]]
# another type of the same rank, for each type that the schemas have
WRONG: dict[str, Any] = {
    "string": 17,
    "integer": "seventeen",
    "float": "a lot",
    "number": "a lot",
    "boolean": "yes",
    "array": "one",
    "dict": "one",
}


@cache
def tools() -> dict[str, Any]:
    """Function name to its definition, as the files have them (their own type names too)."""
    found: dict[str, Any] = {}
    for path in sorted(shared("bfcl").glob("func_doc_*.json")):
        for line in path.read_text().splitlines():
            tool = json.loads(line)
            found.setdefault(tool["name"], tool)
    return found


@cache
def ground_truth() -> tuple[Call, ...]:
    """Every call in the answers whose function is documented, arguments by name."""
    calls = []
    for name in FILES:
        for line in shared("bfcl", name).read_text().splitlines():
            for turn in json.loads(line)["ground_truth"]:
                calls += [found for text in turn if (found := _read(text)) is not None]
    return tuple(calls)


def _read(text: str) -> Call | None:
    node = ast.parse(text, mode="eval").body
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    tool = tools().get(node.func.id)
    if tool is None:
        return None
    names = list(tool["parameters"]["properties"])
    arguments = {
        name: ast.literal_eval(value) for name, value in zip(names, node.args, strict=False)
    }
    arguments |= {str(k.arg): ast.literal_eval(k.value) for k in node.keywords}
    return node.func.id, arguments


def _evidence(call: Call) -> Any:
    name, arguments = call
    message = {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
        ],
    }
    talk = [{"role": "user", "content": "do it"}]
    return check({"conversation": talk, "response": message, "tools": list(tools().values())})


def test_ground_truth_raises_nothing() -> None:
    calls = ground_truth()
    assert len(calls) > 400
    for call in calls:
        assert kinds(_evidence(call)) == [], call


Mutation = Callable[[Call], Iterator[tuple[Call, str]]]


def _renamed(call: Call) -> Iterator[tuple[Call, str]]:
    name, arguments = call
    for given in arguments:
        made = {(n + "_x" if n == given else n): v for n, v in arguments.items()}
        yield (name, made), f"{given}_x: no such argument"


def _dropped(call: Call) -> Iterator[tuple[Call, str]]:
    name, arguments = call
    for needed in tools()[name]["parameters"].get("required", ()):
        if needed in arguments:
            made = {n: v for n, v in arguments.items() if n != needed}
            yield (name, made), f"{needed}: required, and not given"


def _retyped(call: Call) -> Iterator[tuple[Call, str]]:
    name, arguments = call
    for given, schema in tools()[name]["parameters"]["properties"].items():
        if given in arguments and schema.get("type") in WRONG:
            yield (name, {**arguments, given: WRONG[schema["type"]]}), f"{given}: "


@pytest.mark.parametrize("mutation", [_renamed, _dropped, _retyped])
def test_broken_arguments_raise_the_right_thing(mutation: Mutation) -> None:
    seen = set()
    for call in ground_truth():
        for made, said in mutation(call):
            key = json.dumps(made, sort_keys=True)
            if key in seen:
                continue
            seen.add(key)
            evidence = _evidence(made)
            assert kinds(evidence) == ["schema_violation"], made
            assert said in evidence.findings[0].text, made
            [bound] = [b for b in evidence.bounds if b.dimension == "tool_call_accuracy"]
            assert bound.allowed == {1, 2, 3}
    assert len(seen) > 100


def test_a_cut_call_and_an_unknown_function() -> None:
    name, arguments = next(call for call in ground_truth() if len(call[0]) > 6 and call[1])
    cut = json.dumps(arguments)[:-2]
    message = {
        "content": None,
        "tool_calls": [{"id": "c", "function": {"name": name, "arguments": cut}}],
    }
    talk = {"conversation": [{"role": "user", "content": "do it"}], "response": message}
    assert kinds(check({**talk, "tools": list(tools().values())})) == ["malformed_arguments"]
    others = [tool for tool in tools().values() if tool["name"] != name]
    evidence = _evidence((name + "s", arguments))
    assert kinds(evidence) == ["unknown_tool"]
    assert f"the nearest is {name}" in evidence.findings[0].text
    assert "unknown_tool" in kinds(check({**talk, "tools": others}))
