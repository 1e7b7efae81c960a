"""The language of rubrics' conditions: what it says, what it refuses, what it costs."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.judges.rubric.expressions import (
    ANYTHING,
    Budget,
    ExpressionError,
    OutOfBudget,
    Shape,
    evaluate,
    names_in,
    parse,
)

MESSAGE = Shape("object", {"role": Shape("text"), "content": Shape("text")})
FIELDS = {
    "messages": Shape("list", element=MESSAGE),
    "plan": Shape("list", element=Shape("text")),
    "answer": Shape("text"),
    "order": Shape("object"),
    "total": Shape("number"),
    "done": Shape("boolean"),
    "free": ANYTHING,
}
CASE = {
    "messages": [
        {"role": "user", "content": "Where is my order?"},
        {"role": "tool", "content": "shipped"},
        {"role": "assistant", "content": "It was SHIPPED on Monday."},
    ],
    "plan": ["pick(mug)", "wait", "place(mug)"],
    "answer": "Refunded 12.50 EUR",
    "order": {"id": 7, "odd key": "x", "items": [{"price": 2}, {"price": 5}]},
    "total": 12.5,
    "done": True,
}


def value(source: str, case: dict[str, Any] | None = None) -> Any:
    return evaluate(parse(source, FIELDS), CASE if case is None else case, Budget())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('count(messages, role == "tool")', 1),
        ("count(messages) == len(messages)", True),
        ('any(messages, role == "assistant" and contains(content, "shipped"))', True),
        ('all(messages, role in ["user", "tool"])', False),
        ('last(messages).role == "assistant" and first(messages).role == "user"', True),
        ('last(messages, role != "assistant").content', "shipped"),
        ("messages[-1].role", "assistant"),
        ("messages[9].role", None),
        ('order["odd key"] == "x" and order.id == 7', True),
        ("count(order.items, price > 3)", 1),
        ('count(plan, matches(it, "^pick\\(|^place\\(")) / len(plan) > 0.5', True),
        ('matches(answer, "\\d+\\.\\d\\d")', True),
        (r'"a\\" == "a\\" and len("\"\n\t\d") == 5', True),
        ("words(answer)", 3),
        ('"wait" in plan and "run" not in plan', True),
        ("contains(plan, 'wait') and not contains(plan, 'WAIT')", True),
        ("count(messages, len(content) > len(case.answer))", 1),
        ("done == 1", False),
        ("done and not not done", True),
        ("1 < total <= 12.5", True),
        ("2 + 3 * 4 - 6 / 2 == 11 and -total < 0", True),
        ("free", None),
        ("free == null and free.more[3] == null", True),
        ("free < 3 or free >= 3", False),
        ("not free < 3", True),
        ("total / 0 == null", True),
        ('answer + 1 == null or answer < "a"', True),
        ("any(free, it) or not all(free, it)", False),
        ("len(free) + words(free)", 0),
        ("null in [1, null]", True),
        ("messages[0] == messages[0] and messages[0] != messages[1] and plan == plan", True),
        ("[1, [true]] == [1, [1]] or [1] == [1, 1]", False),
        ("done or free.that.is.not.there", True),
    ],
)
def test_what_expressions_come_to(source: str, expected: Any) -> None:
    found = value(source)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("source", "column", "says"),
    [
        ("mesages == 3", 1, "did you mean messages?"),
        ('count(messages, rol == "tool")', 17, "did you mean role?"),
        ("count(messages, answer > 3)", 17, "case.answer is the case's"),
        ("count(answer)", 7, "count over a list, found a text"),
        ("count(plan, role)", 13, "it (a text) or case.role"),
        ("all(messages)", 13, "a comma and the condition of all"),
        ("answer.length", 8, "an object before a field, found a text"),
        ("total[0]", 7, "a list before [, found a number"),
        ("len(total)", 5, "len of a text or list or object"),
        ("len()", 1, "len with one argument, found 0"),
        ("contains(answer)", 1, "contains with two arguments"),
        ("size(answer)", 1, "expected one of len"),
        ("answer = 3", 8, "equality is =="),
        ("done && done", 6, "write and"),
        ('answer == "x', 11, "without its end"),
        ("(done", 6, "expected ), found the end"),
        ("done done", 6, "an operator or the end"),
        ("", 1, "found the end"),
        ('matches(answer, "(a")', 17, "regular expression"),
        ('matches(answer, "(?=a)b")', 17, "without look-around"),
        ("matches(answer, answer)", 17, "no text in quotes"),
        ("it == 3", 1, "expected one of messages"),
        ("__import__('os')", 1, "expected one of len"),
        ("answer.__class__", 8, "an object before a field"),
        ("lambda: 3", 7, "a name, a number"),
        ("(" * 60 + "done" + ")" * 60, 41, "levels"),
        ("1+" * 300 + "1", 402, "words and signs"),
        ("9" * 3000, 2001, "2,000 characters"),
    ],
)
def test_what_says_nothing_is_named_by_its_column(source: str, column: int, says: str) -> None:
    with pytest.raises(ExpressionError) as error:
        parse(source, FIELDS)
    assert says in str(error.value)
    assert error.value.at + 1 == column


def test_which_fields_are_read() -> None:
    tree = parse("count(messages, role == case.answer) > total or not done", FIELDS)
    assert names_in(tree) == ("messages", "answer", "total", "done")


NUMBERS = st.recursive(
    st.integers(0, 20).map(str),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: f"({' '.join(parts)})"
    ),
    max_leaves=8,
)
COMPARED = st.tuples(NUMBERS, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), NUMBERS)
LOGIC = st.recursive(
    COMPARED.map(" ".join),
    lambda inner: (
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda p: f"({' '.join(p)})")
        | inner.map(lambda one: f"not ({one})")
    ),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(LOGIC)
def test_arithmetic_and_logic_are_python_s(source: str) -> None:
    try:
        expected = eval(source, {})  # noqa: S307  (made of numbers and operators above)
    except ZeroDivisionError:
        return
    assert value(source) is expected


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["role", "content", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)
SOURCES = (
    'count(free, role == "tool" or content > 3)',
    "free[0].x in free or free - 1 > -free.x",
    'contains(free, "a") or matches(free, "a+$") or contains(free.x, case.free)',
    "len(free) * words(free) / len(free.x) >= free",
    "any(free, all(it, last(it) == it)) and first(free, it != null)",
    "free * free + free / free == free",
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(SOURCES), JSON)
def test_it_never_raises_whatever_the_case_holds(source: str, free: Any) -> None:
    value(source, {"free": free})


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="mesages()[].,<>=!+-*/ \"'\\01answer_andornotin\n", max_size=40))
def test_any_text_is_an_expression_or_an_error_with_its_place(source: str) -> None:
    at = 0
    try:
        parse(source, FIELDS)
    except ExpressionError as error:
        at = error.at
    assert 0 <= at <= len(source)


def test_the_work_on_one_case_is_bounded() -> None:
    tree = parse("any(free, any(case.free, any(case.free, it == 1)))", FIELDS)
    with pytest.raises(OutOfBudget):
        evaluate(tree, {"free": list(range(2, 2000))}, Budget())


def test_comparing_what_is_large_costs_what_it_takes() -> None:
    tree = parse("any(free, case.free == [])  or any(free, case.free == it)", FIELDS)
    row: list[Any] = [0] * 400
    with pytest.raises(OutOfBudget):
        evaluate(
            parse("any(free, any(case.free, it == case.free[1] and 0))", FIELDS),
            {"free": [row] * 400},
            Budget(),
        )
    assert evaluate(tree, {"free": [row] * 400}, Budget()) is False
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(OutOfBudget):
        evaluate(parse("free == free", FIELDS), {"free": deep}, Budget())


def test_a_pattern_takes_linear_time_on_the_worst_text() -> None:
    # Python's own engine would take longer than the universe is old
    began = time.process_time()
    assert value('matches(answer, "^(a+)+$")', {"answer": "a" * 200_000 + "b"}) is False
    assert time.process_time() - began < 5
