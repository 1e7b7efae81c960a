"""BDDL and PDDL goals in the goal language, with BDDL's counting quantifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudge.contract import CaseError, JsonObject
from adjudge.judges.robot.graph import plain
from adjudge.judges.robot.readers.sexpr import Expression, said

Categories = Mapping[str, Sequence[str]]
"""Category to its objects, both in compared form."""

_RELATIONS = {
    "inside": "in",
    "ontop": "on",
    "onfloor": "on",
    "nextto": "near",
    "under": "under",
}
_STATES = (
    "open",
    "cooked",
    "dusty",
    "frozen",
    "stained",
    "sliced",
    "soaked",
    "toggled_on",
    "burnt",
    "hot",
    "broken",
    "folded",
    "unfolded",
)


def goal_of(expression: Expression, categories: Categories, field: str = "goal") -> JsonObject:
    """A goal as JSON. Raises ``CaseError`` that names the field and the part of the goal.

    ``and``, ``or``, ``not``, ``imply``, ``forall``, ``exists``, ``forn`` (exactly so many),
    ``forpairs`` (each of the fewer has a partner, and as many of the others) and ``fornpairs`` (at
    least so many on both sides); facts are BDDL's predicates.

    >>> from adjudge.judges.robot.readers.sexpr import read_sexpr
    >>> text = "(forn (2) (?bow.n.08 - bow.n.08) (inside ?bow.n.08 basket.n.01_1))"
    >>> goal_of(read_sexpr(text, "goal"), {"bow_n_08": ["bow_n_08_1", "bow_n_08_2", "bow_n_08_3"]})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'all': [{'count': ['bow_n_08', '?bow_n_08', 2, {'in': ['$bow_n_08', 'basket_n_01_1']}]},
             {'not': {'count': ['bow_n_08', '?bow_n_08', 3,
                                {'in': ['$bow_n_08', 'basket_n_01_1']}]}}]}
    """
    return _Reading(categories, field).read(expression)


class _Reading:
    def __init__(self, categories: Categories, field: str) -> None:
        self.categories = categories
        self.field = field

    def read(self, expression: Expression) -> JsonObject:
        if not isinstance(expression, list) or not expression or not isinstance(expression[0], str):
            raise self._wrong("a formula such as (inside ?x basket_1)", expression)
        word, rest = expression[0], expression[1:]
        if word in ("and", "or"):
            return {"all" if word == "and" else "any": [self.read(part) for part in rest]}
        if word == "not" and len(rest) == 1:
            return {"not": self.read(rest[0])}
        if word in ("imply", "implies") and len(rest) == 2:
            return {"any": [{"not": self.read(rest[0])}, self.read(rest[1])]}
        if word in ("forall", "exists") and len(rest) == 2:
            variable, category = self._variable(rest[0])
            return {word: [variable, category, self.read(rest[1])]}
        if word == "forn" and len(rest) == 3:
            return self._exactly(self._count(rest[0]), rest[1], self.read(rest[2]))
        if word == "forpairs" and len(rest) == 3:
            return self._pairs(None, rest[0], rest[1], self.read(rest[2]))
        if word == "fornpairs" and len(rest) == 4:
            return self._pairs(self._count(rest[0]), rest[1], rest[2], self.read(rest[3]))
        return self._fact(word, rest, expression)

    def _fact(self, word: str, rest: list[Expression], expression: Expression) -> JsonObject:
        names = [self._name(term, expression) for term in rest]
        if word in _RELATIONS and len(names) == 2:
            return {_RELATIONS[word]: names}
        if word in _STATES and len(names) == 1:
            return {"state": [names[0], word]}
        if word in ("holding", "inhandofrobot") and len(names) == 1:
            return {"holding": names}
        known = ", ".join(
            [
                *["and", "or", "not", "imply", "forall", "exists", "forn", "forpairs", "fornpairs"],
                *_RELATIONS,
                *_STATES,
            ]
        )
        raise self._wrong(f"one of {known}, with its arguments", expression)

    def _name(self, term: Expression, expression: Expression) -> str:
        if not isinstance(term, str):
            raise self._wrong("a name or variable", expression)
        return "$" + plain(term[1:]) if term.startswith("?") else plain(term)

    def _variable(self, binding: Expression) -> tuple[str, str]:
        """``(?x - category)``; without a category the variable's own name is one."""
        if isinstance(binding, list) and all(isinstance(part, str) for part in binding):
            words = [part for part in binding if isinstance(part, str)]
            if (
                words
                and words[0].startswith("?")
                and (len(words), words[1:2])
                in (
                    (1, []),
                    (3, ["-"]),
                )
            ):
                variable = plain(words[0][1:])
                return variable, "?" + (plain(words[2]) if len(words) == 3 else variable)
        raise self._wrong("a variable such as (?x - bow.n.08)", binding)

    def _count(self, expression: Expression) -> int:
        word = expression[0] if isinstance(expression, list) and expression else expression
        if not isinstance(word, str) or not word.isdigit():
            raise self._wrong("a number such as (2)", expression)
        return int(word)

    def _exactly(self, number: int, binding: Expression, body: JsonObject) -> JsonObject:
        variable, category = self._variable(binding)
        return {
            "all": [
                {"count": [variable, category, number, body]},
                {"not": {"count": [variable, category, number + 1, body]}},
            ]
        }

    def _pairs(
        self, number: int | None, one: Expression, other: Expression, body: JsonObject
    ) -> JsonObject:
        x, xs = self._variable(one)
        y, ys = self._variable(other)
        if number is None:
            sizes = [len(self.categories.get(c.lstrip("?"), ())) for c in (xs, ys)]
            number = min(sizes)
        return {
            "all": [
                {"count": [x, xs, number, {"exists": [y, ys, body]}]},
                {"count": [y, ys, number, {"exists": [x, xs, body]}]},
            ]
        }

    def _wrong(self, expected: str, found: Expression) -> CaseError:
        return CaseError(expected, field=self.field, found=said(found))
