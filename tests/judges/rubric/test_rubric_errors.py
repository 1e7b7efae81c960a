"""A rubric that cannot be used says where: file, line, field, what was expected, what was found."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.judges.rubric.judge import judge_in_text
from adjudge.judges.rubric.load import read_rubric, rubric_of
from adjudge.judges.rubric.places import RubricError
from support_rubric import SUPPORT, support


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("scale: 1-5", "scal: 1-5", ":7: dimensions.resolution.scal: expected one of scale"),
        ("scale: 1-5", "scale: 5", ":7: dimensions.resolution.scale: expected a string, found 5"),
        ("scale: 1-5", "scale: 5-1", ":7: dimensions.resolution: expected a scale such as 1-5"),
        ("scale: 1-5", "scale: 0-9999", ":7: dimensions.resolution: expected at most 1,000 values"),
        ("anchors: {1:", "anchors: {9:", "expected anchors for values on the scale, found '9'"),
        ("[rude, plain, kind]", "[rude]", ":8: dimensions.tone: expected two or more"),
        ("  tone: {", "  Tone: {", ":8: dimensions.Tone: expected a name of small letters"),
        ("  tone: {", "  reasons: {", "reasons: expected another name for a dimension"),
        ("optional object", "optional objet", ":5: input.order: expected a type (text, number"),
        ("name: optional text", "name: txt", ":4: input.messages.of.name: expected a type"),
        ("  order:", "  label:", ":5: input.label: expected another name for a field"),
        ("messages: {of:", "messages: {shown: no, of:", ":4: input.messages.shown: expected one"),
        ("messages: {of:", "messages: {show: no, of:", "show: expected true or false, found 'no'"),
        ("messages: {of:", "messages: {type: text, of:", "expected `of` with what a list's"),
        ("content: text,", "content: {type: text, agent: rol == 1},", "did you mean role?"),
        (
            "[user, assistant, tool]",
            "{type: text, agent: 3}",
            "of.role.agent: expected true or fal",
        ),
        (
            "optional object,",
            "{type: object, agent: true} #",
            "input.order.agent: expected it at a",
        ),
        ("optional object,", "{type: text, agent: x} #", "order.agent: expected true or false"),
        ("at most 2", "at most 0", ":12: bounds.no_lookup.allow.resolution: expected `at most N`"),
        ("at most 2", "at most 2 or null", "where the dimension is not nullable"),
        ("at most 2", "[1, 2.5]", "allow.resolution: expected `at most N`, `at least N`, or val"),
        ("at most 2", "[]", "one or a list, found none"),
        ("{resolution: at most 2}", "{size: 2}", ":12: bounds.no_lookup.allow.size: expected a di"),
        ("tone: null, reso", "tone: nice, reso", "expected rude, plain, kind or null, or a list"),
        ("soft: true", "soft: maybe", ":14: bounds.long.soft: expected true or false"),
        ("when: len(messages)", "if: len(messages)", ":14: bounds.long.if: expected one of when"),
        ('role == "tool"', 'rol == "tool"', ":11:27: bounds.no_lookup.when: expected one of role"),
        ('role == "tool"', 'role = "tool"', ":11:32: bounds.no_lookup.when: expected a name, a"),
        ("'not any(", "'not ani(", ":13:23: bounds.silent.when: expected one of len"),
        ("success: resolution", "success: resoluton", ":15:10: success: expected one of resolut"),
        ("- 1) / 4", "- 1 / 4", ":16:28: reward: expected ), found the end"),
        ("name: support", "name: Support!", ":1: name: expected"),
        ("name: support", "name: robot", ":1: name: expected a name that no other judge has"),
        ("name: support", "names: support", ":1: names: expected one of name"),
        ("instructions: Judge", "x: 1\ninstructions: 7\ny: ", "expected one of name, version"),
        ("  order:", "  messages:", ":5: input: expected each key once, found 'messages' again"),
        ("input:", "input: [", "expected YAML, found"),
        ("input:", "\tinput:", ":3:1: expected YAML, found"),
        ("success:", "template: 'x'\nsuccess:", ":15: template: expected a template that can be"),
        ("success:", "template: '{{ case'\nsuccess:", "template: expected a template"),
        ("success:", "template: '{{ plan }}'\nsuccess:", "{{ plan }} (there are allowed, case"),
        ("success:", "template: '{{ fields.plan }}'\nsuccess:", "has no attribute 'plan'"),
    ],
)
def test_errors_name_line_and_field(old: str, new: str, says: str) -> None:
    with pytest.raises(RubricError) as error:
        support((old, new))
    told = str(error.value)
    assert told.startswith("support.yaml:")
    assert says in told
    assert ", found" in told
    assert "\n" not in told


@pytest.mark.parametrize("text", ["", "7", "[a, b]", "a: &x [*x]", "\0", "- " * 3000, "{" * 400])
def test_what_is_no_rubric_at_all_is_named(text: str) -> None:
    with pytest.raises(RubricError, match=r"^odd\.yaml.*expected .* found"):
        judge_in_text(text, "odd.yaml")


def test_aliases_cannot_stand_for_more_values_than_there_may_be() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    with pytest.raises(RubricError, match="at most 20,000 values"):
        judge_in_text("\n".join(lines))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_rubric_is_read_or_named(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SUPPORT)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.text(alphabet="abc:{}[]-'\"#&*!|>%@ \n1.,", max_size=4))
    try:
        read_rubric(SUPPORT[:at] + put + SUPPORT[at + cut :], "r.yaml")
    except RubricError as error:
        assert str(error).startswith("r.yaml")  # noqa: PT017  (most damaged ones are none)


def test_json_is_read_too_and_says_the_same() -> None:
    kind = support()
    content = json.loads(kind.content)
    assert judge_in_text(json.dumps(content, indent=1), "support.json") is kind
    assert rubric_of(content, "kept") == kind.compiled


def test_comments_and_layout_make_no_other_rubric_and_words_do() -> None:
    text = "# mine\n" + SUPPORT.replace("{resolution: at most 2}", "\n      resolution: at most 2")
    assert judge_in_text(text) is support()
    assert judge_in_text(text.replace("at most 2", "at most 3")) is not support()


def test_yes_and_no_are_words() -> None:
    kind = support(("[rude, plain, kind]", "[yes, no]"), ("[plain, rude]", "no"))
    assert kind.compiled.scales["tone"].choices == ("yes", "no")


def test_a_rubric_without_a_name_is_called_as_its_file() -> None:
    text = SUPPORT.replace("name: support\n", "")
    assert judge_in_text(text, "/some/where/My Rubric 2.yaml").name == "my-rubric-2"
