"""How far off the guess at a question's and an answer's tokens is."""

import json

import pytest
from pydantic import BaseModel, Field

from adjudge.contract import Message
from adjudge.judges.browser.form import BrowserAnswer
from adjudge.judges.robot.form import RobotAnswer
from adjudge.judges.social.forms import ThreeScores
from adjudge.models import ModelRequest, form_of
from adjudge.models.tokens import BYTES_PER_TOKEN, answer_tokens, question_tokens

COUNTED = [
    ("social", 2898, 851),
    ("social", 2921, 861),
    ("social", 2887, 827),
    ("social", 2882, 821),
    ("browser", 7961, 2267),
    ("browser", 7096, 1906),
    ("browser", 7887, 2212),
]
"""Judge, UTF-8 bytes and tokens of prompts of two messages, by the tokenizer of SmolLM2."""


class Mark(BaseModel):
    score: int = Field(ge=0, le=4)


@pytest.mark.parametrize(("judge", "size", "tokens"), COUNTED)
def test_a_question_s_tokens_are_guessed_within_a_tenth(judge: str, size: int, tokens: int) -> None:
    half = size // 2
    messages = (
        Message(role="system", content="x" * half),
        Message(role="user", content="x" * (size - half)),
    )
    guess = question_tokens(ModelRequest(messages, form_of(Mark)), with_schema=False)
    assert guess == pytest.approx(tokens, rel=0.1)


def test_what_counts_is_bytes_and_the_schema_where_it_is_sent() -> None:
    def guess(text: str, *, with_schema: bool = False) -> int:
        asked = ModelRequest((Message(role="user", content=text),), form_of(Mark))
        return question_tokens(asked, with_schema=with_schema)

    assert guess("é" * 700) > 1.9 * guess("e" * 700)
    assert guess("\ud800") == guess("?")
    schema = len(form_of(Mark).schema_json) / BYTES_PER_TOKEN
    assert guess("e" * 700, with_schema=True) - guess("e" * 700) == pytest.approx(schema, abs=1)


def test_an_answer_s_tokens_go_by_its_form_and_end_at_the_longest() -> None:
    assert answer_tokens(form_of(Mark)) < 10
    for form, fields in ((RobotAnswer, 3), (BrowserAnswer, 1)):
        assert 80 * fields < answer_tokens(form_of(form)) < 80 * fields + 160
    filled = {"analysis": "word " * 80, "scores": [{"turn": 1, "importance": 2}] * 8}
    written = len(json.dumps(filled)) / BYTES_PER_TOKEN
    assert answer_tokens(form_of(ThreeScores)) == pytest.approx(written, rel=0.4)
    assert answer_tokens(form_of(RobotAnswer), most=50) == 50
    assert answer_tokens(form_of(Mark), most=5000) == answer_tokens(form_of(Mark))
