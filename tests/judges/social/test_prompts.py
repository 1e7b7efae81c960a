"""The social judge's prompts: every rule and range is there, in our own words."""

from __future__ import annotations

import re
from typing import Any

import pytest

from adjudge.contract import Ask, Question
from adjudge.judges.social.dimensions import DIMENSIONS
from adjudge.judges.social.judge import SocialJudge
from social_cases import SHARED, cases_of, dialogue

TALK = dialogue(
    ("Ann", "Twenty?"),
    ("Bob", "Too much."),
    ("Ann", "Fifteen, then."),
    scenario="A flea market.",
    backgrounds={"Ann": "Ann has a secret.", "Bob": "Bob has another."},
)


def _question(method: str, record: Any = TALK, **options: Any) -> Question:
    judge = SocialJudge(**options)
    (case,) = cases_of(record)
    asked = judge.methods()[method].step(case, judge.check(case), {})
    assert isinstance(asked, Ask)
    return asked.questions[-1]


def _text(method: str, **options: Any) -> str:
    """System and user message, on one line."""
    messages = _question(method, **options).messages
    return " ".join(" ".join(message.content for message in messages).split())


IMPORTANCE = {
    "history of a dialogue between agents": r"history of a dialogue between agents",
    "the goal of one of them": r"social goal that one of the agents, the chosen agent, has",
    "importance of each utterance, by agent and number": r"importance to each utterance of the "
    r"chosen agent, named by the agent and the number of its turn",
    "for the final achievement of the goal": r"contributed to the final achievement of the agent's"
    r" goal",
    "how critical, not how good": r"Weigh nothing but how critical .* good utterance in itself"
    r" does not count",
    "with the other's responses": r"together with the replies that the other agent made",
    "both affect the outcome": r"final outcome depends on both",
    "none of the other agent's": r"No utterance of another agent gets one",
    "all of the chosen agent's": r"Every utterance of the chosen agent gets a score",
    "follow the formatting instruction": r"formatting instruction for the answer\. Keep to it",
}
THREE = {
    "0: no impact": r"0: the utterance had no impact",
    "1 or 2: moderate, by degree": r"1 or 2: it had a moderate impact; the degree decides",
    "3: significant": r"3: it had a significant impact",
    "beside the key utterance": r"key critical utterance that has already been identified",
    "0 to 3 only": r"whole number between 0 and 3, and nothing else",
}
TEN = {
    "0: no impact": r"0: the utterance had no impact",
    "1 to 5: minor, by degree": r"1 to 5: it had a minor impact, by degree",
    "6 to 10: major, by degree": r"6 to 10: it had a major impact, by degree",
    "10: significant": r"10: it had a significant impact",
    "beside the key utterances": r"Key critical utterances that have already been identified",
    "0 to 10 only": r"whole number between 0 and 10, and nothing else",
}
KEY = {
    "history of a dialogue between agents": r"history of a dialogue between agents",
    "the goal of one of them": r"social goal that one of the agents, the chosen agent, has",
    "the most critical, highest impact on the goal": r"most critical utterance: the one with the"
    r" highest impact on the final achievement of the agent's goal",
    "good or bad": r"be the impact good or bad",
    "how critical, not how good": r"Weigh nothing but how critical",
    "with the other's responses": r"together with the replies that the other agent made",
    "both affect the outcome": r"final outcome depends on both",
    "a unique key each": r"Every utterance has a key of its own",
    "only that key": r"Return the key of the most critical one and no other",
    "follow the formatting instruction": r"formatting instruction for the answer\. Keep to it",
    "for a program": r"read by a program",
}


@pytest.mark.parametrize(
    ("method", "rules"),
    [
        ("direct", {**IMPORTANCE, **THREE}),
        ("default", {**IMPORTANCE, **THREE}),
        ("direct_10", {**IMPORTANCE, **TEN}),
        ("10-scale", {**IMPORTANCE, **TEN}),
        ("key_utterance", KEY),
    ],
)
def test_every_rule_and_range_is_in_the_prompt(method: str, rules: dict[str, str]) -> None:
    text = _text(method)
    missing = [name for name, pattern in rules.items() if not re.search(pattern, text)]
    assert missing == []


@pytest.mark.parametrize(
    ("method", "patterns"),
    [
        ("only_response", [r"how positive or negative that reply", r"between 0 and 3", r"1 or 2"]),
        ("utterance_quality", [r"how good or bad the utterance itself is", r"between 0 and 3"]),
        ("goal_progress", [r"0 \(not at all\) to 10 \(fully\)", r"not what comes after it"]),
    ],
)
def test_methods_that_ask_by_utterance_say_what_counts(method: str, patterns: list[str]) -> None:
    text = _text(method)
    assert [p for p in patterns if not re.search(p, text)] == []


def test_no_eight_words_in_a_row_are_carried_over() -> None:
    sources = sorted((SHARED / "seeds").glob("002*.txt"))
    if not sources:
        pytest.skip("needs the shared source documents")
    taken = _runs(sources[0].read_text(encoding="utf-8"))
    assert len(taken) > 200
    for method in ("direct", "direct_10", "key_utterance", "only_response", "utterance_quality"):
        assert sorted(_runs(_text(method)) & taken) == []


def _runs(text: str, length: int = 8) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_the_formatting_instruction_is_a_slot_of_its_own() -> None:
    own = "Reply in JSON: {analysis}, {{ scores }} as we agreed."
    plain, replaced = _text("direct"), _text("direct", formatting_instruction=own)
    assert replaced.endswith(own)
    head = plain[: plain.index("Answer with one JSON object")]
    assert replaced == head + own


@pytest.mark.parametrize("name", list(DIMENSIONS))
def test_a_dimension_comes_with_its_meaning_and_range(name: str) -> None:
    dimension = DIMENSIONS[name]  # type: ignore[index]
    text = _text("direct", dimension=name)
    if name == "goal":
        assert "One dimension" not in text
        return
    assert f"called {name} and runs from {dimension.low} to {dimension.high}" in text
    assert dimension.meaning in text
    assert f"final outcome on {name}" in text


def test_score_and_background_are_shown_only_where_asked_for() -> None:
    plain = _text("direct")
    for hidden in ("Final score", "flea market", "secret"):
        assert hidden not in plain
    shown = _text("direct", show_score=True, background=True)
    assert "Final score of the chosen agent on goal, from 0 to 10: 8" in shown
    assert "flea market" in shown
    assert "Ann has a secret" in shown
    assert "Bob has another" not in shown
    unknown = _question("direct", {**TALK, "scores": {}}, show_score=True)
    assert "Final score" not in unknown.messages[-1].content


def test_the_other_agents_goal_is_never_shown() -> None:
    record = {**TALK, "goals": {"Ann": "Agree on a price.", "Bob": "Pay no more than twelve."}}
    judge = SocialJudge(background=True, show_score=True)
    (case,) = cases_of(record)
    for method in judge.methods().values():
        if method.needs_model:
            asked = method.step(case, judge.check(case), {})
            assert isinstance(asked, Ask)
            told = [m.content for question in asked.questions for m in question.messages]
            assert not any("twelve" in text for text in told)


def test_what_to_score_is_listed_with_its_number() -> None:
    assert "at these turns: 0, 2 (2 in all)" in _text("direct")
    assert "utterances at these turns: 0, 2 (2 in all)" in _text("key_utterance")
    anyone = _text("key_utterance", key_candidates="anyone")
    assert "utterances at these turns: 0, 1, 2 (3 in all)" in anyone
    assert "may be an utterance of any agent" in anyone
    assert "must be an utterance of the chosen agent" in _text("key_utterance")
