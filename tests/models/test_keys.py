from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from adjudge.contract import Message
from adjudge.models import Endpoint, ModelRequest, Sampling, form_of, request_key


class Mark(BaseModel):
    score: int


class Other(BaseModel):
    score: int
    why: str


ASKED = ModelRequest((Message(role="user", content="Score it."),), form_of(Mark))
MODEL = Endpoint("openai", "some-model")


def test_the_key_is_the_same_in_every_process() -> None:
    assert request_key(MODEL, ASKED) == (
        "cc8e9c85b3fb922337f70fca2cf08ee87031a07e0adb263221e3a9a386c7bee6"
    )


@pytest.mark.parametrize(
    "changed",
    [
        replace(ASKED, messages=(Message(role="user", content="Score it!"),)),
        replace(ASKED, messages=(Message(role="system", content="Score it."),)),
        replace(ASKED, messages=(*ASKED.messages, *ASKED.messages)),
        replace(ASKED, form=form_of(Other)),
        replace(ASKED, sample=1),
        replace(ASKED, sampling=Sampling(temperature=0.5)),
        replace(ASKED, sampling=Sampling(max_tokens=10)),
        replace(ASKED, sampling=Sampling(seed=1)),
    ],
)
def test_what_shapes_the_reply_is_in_the_key(changed: ModelRequest) -> None:
    assert request_key(MODEL, changed) != request_key(MODEL, ASKED)


@pytest.mark.parametrize(
    "other",
    [
        Endpoint("openai", "another"),
        Endpoint("openai-compatible", "some-model"),
        Endpoint("openai", "some-model", weights="1"),
    ],
)
def test_who_is_asked_is_in_the_key(other: Endpoint) -> None:
    assert request_key(other, ASKED) != request_key(MODEL, ASKED)


def test_zero_is_zero() -> None:
    assert request_key(MODEL, replace(ASKED, sampling=Sampling(temperature=0))) == request_key(
        MODEL, ASKED
    )


@given(st.lists(st.text(), min_size=1, max_size=3), st.lists(st.text(), min_size=1, max_size=3))
def test_different_messages_have_different_keys(one: list[str], two: list[str]) -> None:
    def key(texts: list[str]) -> str:
        messages = tuple(Message(role="user", content=text) for text in texts)
        return request_key(MODEL, replace(ASKED, messages=messages))

    assert (key(one) == key(two)) == (one == two)
