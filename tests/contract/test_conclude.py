"""The only place where a score is made: held inside bounds, combined, with a status in any case."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from adjudge.contract import (
    Bound,
    BoundsConflict,
    Decision,
    Evidence,
    Finding,
    Judge,
    Opinion,
    Published,
    Scale,
    Usage,
    Verdict,
    combine,
    conclude,
    hold,
    intersect,
)

MARK = Scale.ordinal(0, 4)
NOTE = Scale.ordinal(1, 5, nullable=True)
KIND = Scale.choice(("good", "bad", "odd"))
SHARE = Scale.real(0, 1)
SCALES = {"mark": MARK, "note": NOTE, "kind": KIND, "share": SHARE}


class Case(BaseModel):
    id: str = "a"


class FourScales(Judge):
    name: ClassVar[str] = "four"
    version: ClassVar[str] = "7"
    Case: ClassVar[type[BaseModel]] = Case

    def scales(self, case: Any) -> Mapping[str, Scale]:
        return SCALES

    def publish(self, case: Any, evidence: Evidence[Any], decision: Decision) -> Published:
        words = decision.opinion.output.get("words") if decision.opinion else None
        return Published(
            output={"words": words}, details={"facts": evidence.facts}, success=True, reward=0.5
        )


def evidence(*bounds: Bound, facts: Any = "own") -> Evidence[Any]:
    found = Finding(id="F1", kind="seen", severity="info", at={}, text="it was seen")
    return Evidence(findings=(found,), bounds=bounds, facts=facts)


def bound(dimension: str, *allowed: Any, rule: str = "rule", **more: Any) -> Bound:
    return Bound(dimension=dimension, allowed=frozenset(allowed), rule=rule, **more)


def verdict(opinions: Sequence[Opinion], *bounds: Bound, quorum: int | None = None) -> Verdict:
    return conclude(
        FourScales(), Case(), evidence(*bounds), opinions, position=3, method="m", quorum=quorum
    )


def says(mark: Any = 2, **more: Any) -> Opinion:
    rest = {"note": 3, "kind": "good", "share": 0.5}
    return Opinion(**{"scores": {"mark": mark, **rest}, **more})


FAILED = Opinion(status="refused", reason="would not")


@given(st.one_of(st.none(), st.integers(0, 4)), st.frozensets(st.integers(0, 4), min_size=1))
def test_held_is_the_nearest_allowed_value_the_lower_on_a_tie(
    value: int | None, allowed: frozenset[int]
) -> None:
    held = hold(value, sorted(allowed))
    assert held in allowed
    if value is None:
        assert held == min(allowed)
    else:
        assert isinstance(held, int)
        assert all(abs(held - value) <= abs(other - value) for other in allowed)
        assert all(held <= o for o in allowed if abs(held - value) == abs(o - value))
        assert (held == value) == (value in allowed)


@pytest.mark.parametrize(
    ("value", "allowed", "held"),
    [
        (None, [None, 2], None),
        (4, [None, 2], 2),
        (4, [None], None),
        ("good", ["bad", "odd"], "bad"),
        (None, ["odd", "bad"], "bad"),
        (0.7, [0.0, 1.0], 1.0),
    ],
)
def test_what_has_no_distance_becomes_the_lowest(value: Any, allowed: Any, held: Any) -> None:
    assert hold(value, allowed) == held


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_several_marks_are_their_lower_median(marks: list[int]) -> None:
    middle = combine(marks, MARK)
    assert isinstance(middle, int)
    assert middle in marks
    assert sum(mark < middle for mark in marks) <= (len(marks) - 1) // 2
    assert sum(mark > middle for mark in marks) <= len(marks) // 2


@given(st.lists(st.sampled_from(KIND.choices), min_size=1, max_size=9))
def test_several_choices_are_the_commonest(kinds: list[str]) -> None:
    chosen = combine(kinds, KIND)
    assert all(kinds.count(str(chosen)) >= kinds.count(kind) for kind in kinds)


@given(st.lists(st.one_of(st.none(), st.integers(1, 5)), min_size=1, max_size=9))
def test_null_wins_where_more_than_half_say_so(notes: list[int | None]) -> None:
    given_notes = [note for note in notes if note is not None]
    expected_null = len(given_notes) * 2 < len(notes)
    found = combine(notes, NOTE)
    assert (found is None) == expected_null
    assert found is None or found in given_notes


@given(st.lists(st.frozensets(st.integers(0, 4)), min_size=1, max_size=4))
def test_hard_bounds_are_intersected(sets: list[frozenset[int]]) -> None:
    bounds = [bound("mark", *allowed, because=(f"F{i}",)) for i, allowed in enumerate(sets)]
    soft = bound("mark", hard=False)
    left = frozenset.intersection(*sets)
    if not left:
        with pytest.raises(BoundsConflict, match="leaves no value"):
            intersect(bounds, SCALES)
        return
    record = intersect([*bounds, soft], SCALES)["mark"]
    assert record.allowed == tuple(sorted(left))
    assert record.because == tuple(f"F{i}" for i in range(len(sets)))


marks = st.integers(0, 4)
opinions = st.one_of(
    marks.map(says),
    st.sampled_from(
        [
            FAILED,
            Opinion(status="error", reason=None),
            Opinion(scores={"mark": 9}),
            Opinion(scores={"mark": True}),
            Opinion(scores={"mark": None}),
            Opinion(scores={"mark": 1}, unscored={"note": "needs_model"}),
            Opinion(scores={"other": 1}),
            Opinion(),
        ]
    ),
)
bounds = st.builds(
    lambda allowed, hard, disputable: bound("mark", *allowed, hard=hard, disputable=disputable),
    st.frozensets(marks),
    st.booleans(),
    st.booleans(),
)


@given(
    st.lists(opinions, min_size=1, max_size=5),
    st.lists(bounds, max_size=3),
    st.one_of(st.none(), st.integers(1, 5)),
)
def test_whatever_jurors_say_a_verdict_is_whole_and_inside_its_bounds(
    jurors: list[Opinion], given_bounds: list[Bound], quorum: int | None
) -> None:
    found = verdict(jurors, *given_bounds, quorum=quorum)
    hard = [b.allowed for b in given_bounds if b.hard]
    left = frozenset.intersection(*hard) if hard else frozenset(range(5))
    assert len(found.opinions) == len(jurors)
    good = [o for o in found.opinions if o.status == "scored"]
    needed = quorum if quorum is not None else len(jurors) // 2 + 1
    assert (found.status == "scored") == (len(good) >= needed)
    if found.status != "scored":
        assert found.reason
        assert found.scores == {}
        assert (found.output, found.success, found.reward) == (None, None, None)
        return
    assert found.reason is None
    assert left, "an impossible bound scored"
    assert set(found.scores) | set(found.unscored) == set(SCALES)
    if "mark" in found.scores:
        assert found.scores["mark"] in left
    assert all(SCALES[name].holds(value) for name, value in found.scores.items())
    moved = any("mark" in o.scores and o.scores["mark"] not in left for o in good)
    assert ("bounded" in found.flags) == moved
    assert (found.raw_scores is not None) == moved
    assert verdict(jurors, *given_bounds, quorum=quorum).to_json() == found.to_json()


def test_a_moved_score_keeps_the_jurors_own() -> None:
    found = verdict([says(4)], bound("mark", 0, 2, because=("F1",)))
    assert found.scores["mark"] == 2
    assert found.raw_scores is not None
    assert found.raw_scores["mark"] == 4
    assert found.opinions[0].scores["mark"] == 4
    assert found.flags == ("bounded",)
    assert found.bounds["mark"].because == ("F1",)
    assert found.rules == ("rule",)


@pytest.mark.parametrize(
    ("one", "scored", "flags"),
    [
        (bound("mark", 1, disputable=True), 1, ("bounded", "disputed")),
        (bound("mark", 1, hard=False), 4, ("disputed",)),
        (bound("mark", 1, hard=False, disputable=True), 4, ("disputed",)),
        (bound("mark", 4, disputable=True), 4, ()),
    ],
)
def test_who_is_held_by_a_reading_disputes_it(
    one: Bound, scored: int, flags: tuple[str, ...]
) -> None:
    found = verdict([says(4)], one)
    assert (found.scores["mark"], found.flags) == (scored, flags)


def test_bounds_that_contradict_each_other_are_an_error_and_shown_by_none() -> None:
    found = verdict([says(4)], bound("mark", 1), bound("mark", 2, rule="other"))
    assert (found.status, found.bounds) == ("error", {})
    assert found.reason == "bounds_conflict: mark: other leaves no value"
    assert found.rules == ("rule", "other")


def test_half_is_no_quorum_unless_it_is_said_to_be_one() -> None:
    half = [says(3), FAILED]
    missed = verdict(half)
    assert (missed.status, missed.reason, missed.flags) == ("refused", "would not", ("no_quorum",))
    assert verdict(half, quorum=1).scores["mark"] == 3
    assert verdict([FAILED, FAILED]).flags == ()
    assert verdict([says(1), says(3), says(4), FAILED]).scores["mark"] == 3


def test_jurors_who_differ_are_flagged_and_the_words_are_of_one_who_does_not() -> None:
    jurors = [says(4, output={"words": "four"}), says(1, output={"words": "one"})]
    found = verdict(jurors, quorum=2)
    assert found.scores["mark"] == 1
    assert found.flags == ("disagreement",)
    assert found.output == {"words": "one"}


def test_evidence_that_a_juror_brought_bounds_that_juror_alone() -> None:
    brought = says(4, evidence=evidence(bound("mark", 2), facts="brought"))
    found = verdict([brought, says(4), says(4)], quorum=3)
    assert [o.scores["mark"] for o in found.opinions] == [4, 4, 4]
    assert found.scores["mark"] == 4
    assert set(found.flags) == {"bounded", "disagreement"}
    alone = verdict([brought])
    assert (alone.scores["mark"], alone.details) == (2, {"facts": "brought"})


def test_what_nobody_scored_is_named_with_its_reason() -> None:
    found = verdict([Opinion(scores={"mark": 1}, unscored={"note": "needs_model"})])
    assert found.unscored == {"note": "needs_model", "kind": "not_scored", "share": "not_scored"}


def test_usage_and_cost_are_summed_and_an_unknown_cost_stays_unknown() -> None:
    used = Usage(calls=1, input_tokens=10, output_tokens=2)
    found = verdict([says(1, usage=used, cost_usd=0.25), says(1, usage=used, cost_usd=0.5)])
    assert found.usage == Usage(calls=2, input_tokens=20, output_tokens=4)
    assert found.cost_usd == 0.75
    assert verdict([says(1, cost_usd=0.25), says(1, cost_usd=None)]).cost_usd is None


def test_a_verdict_says_what_it_is_about() -> None:
    found = verdict([says()])
    assert (found.case_id, found.position, found.judge, found.judge_version, found.method) == (
        "a",
        3,
        "four",
        "7",
        "m",
    )
    assert Verdict.model_validate_json(found.to_json()) == found
