"""The little language that bounds, success and reward are written in."""

from adjudge.judges.rubric.expressions.evaluate import Budget, OutOfBudget, evaluate, is_true
from adjudge.judges.rubric.expressions.parser import parse
from adjudge.judges.rubric.expressions.shapes import ANYTHING, Shape
from adjudge.judges.rubric.expressions.tokens import ExpressionError
from adjudge.judges.rubric.expressions.tree import Node, names_in

__all__ = [
    "ANYTHING",
    "Budget",
    "ExpressionError",
    "Node",
    "OutOfBudget",
    "Shape",
    "evaluate",
    "is_true",
    "names_in",
    "parse",
]
