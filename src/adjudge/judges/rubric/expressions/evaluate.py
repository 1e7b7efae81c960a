"""What an expression comes to on a case: always a value, in bounded time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudge.judges.rubric.expressions.tree import (
    Call,
    Constant,
    Element,
    Field,
    Junction,
    ListOf,
    Node,
    Not,
    Operation,
    Over,
    Part,
    Whole,
)

_TEXT_A_STEP = 256
_GREATEST = 1e300
_DEEPEST = 100


class OutOfBudget(Exception):
    """The expression takes more steps than it may."""


@dataclass
class Budget:
    """How many steps are left: one a node and one for every 256 characters looked through."""

    steps: int = 200_000

    def spend(self, steps: int = 1) -> None:
        """Raises ``OutOfBudget``."""
        self.steps -= steps
        if self.steps < 0:
            raise OutOfBudget


def evaluate(node: Node, case: Mapping[str, Any], budget: Budget) -> Any:
    """The value of an expression on a case in plain JSON values. Raises ``OutOfBudget`` only.

    What is missing is ``None``. Order between values of different kinds, or with ``None``, is
    false; arithmetic on what is no number, and a division by zero, give ``None``. Texts are found
    in texts whatever their case.

    >>> from adjudge.judges.rubric.expressions import ANYTHING, parse
    >>> tree = parse('count(plan, contains(it, "PICK")) > 1', {"plan": ANYTHING})
    >>> evaluate(tree, {"plan": ["pick(mug)", "pick(pan)", "wait"]}, Budget())
    True
    """
    return _Reading(case, budget).value(node, None)


def is_true(value: Any) -> bool:
    """Whether a value counts as true: not false, null, 0 or empty."""
    return bool(value)


@dataclass(frozen=True, slots=True)
class _Reading:
    case: Mapping[str, Any]
    budget: Budget

    def value(self, node: Node, it: Any) -> Any:
        self.budget.spend()
        match node:
            case Constant(value):
                return value
            case Field(name, of_element):
                return _part(it if of_element else self.case, name)
            case Element():
                return it
            case Whole():
                return self.case
            case Part(inner, key):
                return _part(self.value(inner, it), key)
            case ListOf(items):
                return [self.value(item, it) for item in items]
            case Not(inner):
                return not is_true(self.value(inner, it))
            case Junction(operands, every):
                # the first that decides ends it, as written
                for operand in operands:
                    if is_true(self.value(operand, it)) != every:
                        return not every
                return every
            case Operation(sign, left, right):
                return self._operation(sign, self.value(left, it), self.value(right, it))
            case Call():
                return self._call(node, it)
            case Over():
                return self._over(node, it)

    def _operation(self, sign: str, left: Any, right: Any) -> Any:
        self._look_through(left)
        if sign in ("==", "!="):
            return self._equal(left, right) == (sign == "==")
        if sign in ("in", "not in"):
            return self._holds(right, left) == (sign == "in")
        if sign in ("+", "-", "*", "/"):
            return _arithmetic(sign, left, right)
        if not (_numbers(left, right) or (isinstance(left, str) and isinstance(right, str))):
            return False
        return {"<": left < right, "<=": left <= right, ">": left > right}.get(sign, left >= right)

    def _call(self, call: Call, it: Any) -> Any:
        first = self.value(call.arguments[0], it)
        self._look_through(first)
        match call.function:
            case "len":
                return len(first) if isinstance(first, str | list | dict) else 0
            case "words":
                return len(first.split()) if isinstance(first, str) else 0
            case "matches":
                assert call.pattern is not None
                return isinstance(first, str) and call.pattern.found_in(first)
            case _:
                return self._holds(first, self.value(call.arguments[1], it))

    def _over(self, over: Over, outer: Any) -> Any:
        items = self.value(over.items, outer)
        if not isinstance(items, list):
            items = []
        backwards = over.function == "last"
        count = 0
        for item in reversed(items) if backwards else items:
            self.budget.spend()
            holds = over.condition is None or is_true(self.value(over.condition, item))
            if holds and over.function in ("first", "last"):
                return item
            if holds and over.function == "any":
                return True
            if not holds and over.function == "all":
                return False
            count += holds
        return {"count": count, "any": False, "all": True}.get(over.function)

    def _holds(self, where: Any, what: Any) -> bool:
        if isinstance(where, str):
            self._look_through(where)
            return isinstance(what, str) and what.casefold() in where.casefold()
        if isinstance(where, dict):
            return isinstance(what, str) and what in where
        if not isinstance(where, list):
            return False
        return any(self._equal(item, what) for item in where)

    def _equal(self, left: Any, right: Any, depth: int = 0) -> bool:
        """Equality that does not take true for 1, and that costs a step a part."""
        self.budget.spend()
        if depth > _DEEPEST:
            raise OutOfBudget
        if isinstance(left, bool) != isinstance(right, bool):
            return False
        if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
            pairs = zip(left, right, strict=True)
            return all(self._equal(one, other, depth + 1) for one, other in pairs)
        if isinstance(left, dict) and isinstance(right, dict) and left.keys() == right.keys():
            return all(self._equal(one, right[key], depth + 1) for key, one in left.items())
        if isinstance(left, list | dict) or isinstance(right, list | dict):
            return False
        self._look_through(left)
        return bool(left == right)

    def _look_through(self, value: Any) -> None:
        if isinstance(value, str):
            self.budget.spend(len(value) // _TEXT_A_STEP)


def _part(value: Any, key: str | int) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return None


def _numbers(*values: Any) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _arithmetic(sign: str, left: Any, right: Any) -> float | int | None:
    if not _numbers(left, right) or abs(left) > _GREATEST or abs(right) > _GREATEST:
        return None
    if sign == "/":
        made = left / right if right else None
    else:
        made = {"+": left + right, "-": left - right}.get(sign)
        if made is None:
            made = left * right
    return made if made is not None and abs(made) <= _GREATEST else None
