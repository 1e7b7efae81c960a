"""Ten thousand made-up replies: none raises, none gives a value out of bounds, none leaves NaN."""

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.contract import Ask, Evidence, Opinion, Question, Reply, conclude
from adjudge.judges.robot.judge import RobotJudge
from adjudge.models import form_of, parse
from adjudge.models.parsing import safe
from scripted import unsettled, verdict_of

ANSWERS, EXAMPLES = 5, 200
JUDGE = RobotJudge()
METHOD = JUDGE.methods()["llm"]
CASES = [
    JUDGE.Case.model_validate(case)
    for case in (
        unsettled(1),
        unsettled(2, plan=["navigate(shelf)", "pick(book)", "fly(book)"]),
        unsettled(3, plan=["navigate(shelf)", "pick(book)", "fly(book)", "wait()", "wait()"]),
    )
]


def asked(case: Any) -> tuple[Any, Evidence[Any], Question]:
    """A case, what is proved about it, and what a model is asked."""
    evidence = JUDGE.check(case)
    ask = METHOD.step(case, evidence, {})
    assert isinstance(ask, Ask)
    return case, evidence, ask.questions[0]


SEEN = [asked(case) for case in CASES]

numbers = st.one_of(
    st.integers(-3, 9),
    st.floats(allow_nan=True, allow_infinity=True),
    st.integers(),
    st.sampled_from(["4", "four", None, True, [4], {"score": 4}]),
)
words = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["<one sentence>", "...", "Fine: F1.", "{", "```", '"', "\ud800", "\x00"]),
)
answers = st.builds(
    lambda score, said, success, left_out, more: (
        {
            name: value
            for name, value in {
                **verdict_of(0, said),
                "score": score,
                "success_boolean": success,
            }.items()
            if name != left_out
        }
        | more
    ),
    numbers,
    words,
    st.one_of(st.booleans(), numbers),
    st.sampled_from([None, None, None, "score", "summary", "success_boolean"]),
    st.dictionaries(st.text(max_size=5), numbers, max_size=1),
)


def around(answer: dict[str, Any], how: str, noise: str) -> str:
    text = json.dumps(answer, ensure_ascii=False)
    shapes = {
        "bare": text,
        "fenced": f"{noise}\n```json\n{text}\n```",
        "prose": f"{noise} {text} {noise}",
        "cut": text[: len(text) * 2 // 3],
        "twice": f"{json.dumps(verdict_of(2))}\n{text}",
        "comma": text[:-1] + ",}",
        "thought": f"<think>{noise}</think>{text}",
        "listed": f"[{text}]",
        "noise": noise,
    }
    return shapes[how]


HOW = ("bare", "bare", "fenced", "prose", "cut", "twice", "comma", "thought", "listed", "noise")
finishes = st.sampled_from(["stop", "stop", "stop", "length", "refusal", "other"])
batches = st.lists(st.tuples(answers, words, finishes), min_size=ANSWERS, max_size=ANSWERS)
assert ANSWERS * len(HOW) * EXAMPLES == 10_000


@settings(max_examples=EXAMPLES, deadline=None)
@given(batches)
def test_no_reply_raises_or_leaves_the_bounds(
    batch: list[tuple[dict[str, Any], str, Any]],
) -> None:
    for (answer, noise, finish), how in itertools.product(batch, HOW):
        judge(around(answer, how, noise), finish)


def judge(text: str, finish: Any) -> None:
    """All the way from what a model wrote to a line of JSON."""
    case, evidence, question = SEEN[len(text) % len(SEEN)]
    parsed = parse(text, form_of(question.form), finish=finish)
    reply = Reply(status=parsed.status, value=parsed.value, text=safe(text), reason=parsed.reason)
    opinion = METHOD.step(case, evidence, {question.key: reply})
    assert isinstance(opinion, Opinion)
    verdict = conclude(JUDGE, case, evidence, [opinion])
    if parsed.status == "ok":
        assert verdict.status == "scored"
        assert verdict.scores["score"] in verdict.bounds["score"].allowed
    else:
        assert (verdict.status, verdict.reason) == (parsed.status, parsed.reason)
        assert verdict.scores == {}
    json.loads(verdict.to_json(), parse_constant=pytest.fail)
