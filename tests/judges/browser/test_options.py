"""Catalogues and bounds from files: what they hold, what is wrong with them, what they change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudge.contract import Opinion, conclude, intersect
from adjudge.judges.browser.bounds import BoundsError
from adjudge.judges.browser.catalogue import CatalogueError, load_catalogue
from adjudge.judges.browser.judge import BrowserJudge
from browser_conversations import ASK, DONE, TABS, call, page, result, say, tabs, user
from browser_reading import check, kinds, one_case

SCHEMA = {"type": "object", "properties": {"tab": {"type": "integer"}}, "required": ["tab"]}
FORMS: dict[str, str] = {
    "openai.json": json.dumps(
        [{"type": "function", "function": {"name": "open_tab", "parameters": SCHEMA}}]
    ),
    "anthropic.json": json.dumps({"tools": [{"name": "open_tab", "input_schema": SCHEMA}]}),
    "schemas.jsonl": json.dumps({"name": "open_tab", "parameters": SCHEMA})
    + "\n"
    + json.dumps({"name": "other"}),
    "own.toml": '[[tool]]\nname = "open_tab"\n[tool.parameters]\ntype = "object"\n'
    'required = ["tab"]\nproperties.tab.type = "integer"\n',
}


@pytest.mark.parametrize("name", FORMS)
def test_a_file_of_tools_in_each_form(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FORMS[name])
    good = {"conversation": [ASK, call("x", "open_tab", {"tab": 3})]}
    assert kinds(check(good, tools=str(path))) == []
    wrong = {"conversation": [ASK, call("x", "open_tab", {"tab": "third"})]}
    assert kinds(check(wrong, tools=str(path))) == ["schema_violation"]
    other = {"conversation": [ASK, call("x", "get_tabs")]}
    assert kinds(check(other, tools=str(path))) == ["unknown_tool"]


def test_roles_other_names_and_endings_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(
        json.dumps(
            [
                {"name": "fetch", "role": "read_page", "aliases": ["grab"]},
                {"name": "leave", "role": "web_search", "terminal": True},
            ]
        )
    )
    url = "https://nowhere.example/q83/made-up"
    talk = [
        ASK,
        call("a", "grab", {"url": url}),
        result("a", "text"),
        call("b", "leave"),
        result("b", ""),
        call("c", "fetch", {"url": url}),
        result("c", "text"),
        DONE,
    ]
    assert sorted(kinds(check({"conversation": talk}, tools=str(path)))) == [
        "call_after_handoff",
        "invented_url",
        "invented_url",
        "page_refetched",
        "tool_alias",
    ]


def test_the_renamed_tools_of_smart_window() -> None:
    talk = [
        ASK,
        call("t", "get_open_tabs"),
        result("t", TABS),
        call(
            "p", "get_page_content", {"url_list": ["https://www.nike.com/t/kd17-basketball-shoes"]}
        ),
        result("p", "KD17"),
        DONE,
    ]
    assert kinds(check({"conversation": talk})) == []
    assert kinds(check({"conversation": talk}, tools="smart_window")) == []
    old = {"conversation": [ASK, call("t", "get_tabs")]}
    assert kinds(check(old, tools="smart_window")) == ["tool_alias"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[3]", "[0]: expected an object, found 3"),
        ("{", "expected TOML or JSON"),
        ('"x"', "expected a list of tools, found 'x'"),
        ('[{"name": ""}]', "[0].name: expected a tool's name"),
        ('[{"name": "a", "role": "chef"}]', "[0].role: expected read_page"),
        ('[{"name": "a", "aliases": 3}]', "[0].aliases: expected a list of names"),
        ('[{"name": "a"}, {"name": "a"}]', "[1]: expected each name once"),
    ],
)
def test_a_file_of_tools_that_is_wrong_is_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(text)
    with pytest.raises(CatalogueError) as caught:
        load_catalogue(str(path))
    assert said in str(caught.value)
    assert "tools.json" in str(caught.value)
    with pytest.raises(CatalogueError):
        BrowserJudge(tools=str(path)).methods()


def test_a_catalogue_that_is_not_there() -> None:
    with pytest.raises(CatalogueError, match="assistant, smart_window or a file"):
        BrowserJudge(tools="firefox").methods()


# -- bounds


def _left(record: Any, **options: Any) -> dict[str, list[Any]]:
    judge = BrowserJudge(**options)
    case = one_case(record, judge)
    found = intersect(judge.check(case).bounds, judge.scales(case))
    return {name: list(bound.allowed) for name, bound in found.items()}


TWICE = {"conversation": [ASK, *tabs("t1"), *tabs("t2"), DONE]}


def test_a_row_of_ones_own_narrows_what_is_left(tmp_path: Path) -> None:
    rows = tmp_path / "rows.toml"
    rows.write_text(
        '[[bound]]\nfinding = "duplicate_call"\ndimension = "tool_call_accuracy"\nat_most = 2\n'
        'rule = "strict"\n'
        '[[bound]]\nfinding = "duplicate_call"\ndimension = "assistant_usefulness"\n'
        "at_least = 2\nat_most = 4\n"
    )
    assert _left(TWICE) == {"tool_call_accuracy": [1, 2, 3]}
    assert _left(TWICE, bounds=rows) == {
        "tool_call_accuracy": [1, 2],
        "assistant_usefulness": [2, 3, 4],
    }


def test_a_soft_row_only_flags(tmp_path: Path) -> None:
    rows = tmp_path / "rows.toml"
    rows.write_text(
        '[[bound]]\nfinding = "duplicate_call"\ndimension = "knowledge"\nat_most = 2\nsoft = true\n'
    )
    judge = BrowserJudge(bounds=rows)
    case = one_case(TWICE, judge)
    evidence = judge.check(case)
    opinion = Opinion(scores={"knowledge": 5})
    verdict = conclude(judge, case, evidence, [opinion])
    assert verdict.scores["knowledge"] == 5
    assert "disputed" in verdict.flags


def test_rows_that_contradict_each_other_are_an_error(tmp_path: Path) -> None:
    rows = tmp_path / "rows.toml"
    rows.write_text(
        '[[bound]]\nfinding = "duplicate_call"\ndimension = "tool_call_accuracy"\nat_least = 5\n'
    )
    judge = BrowserJudge(bounds=rows)
    case = one_case(TWICE, judge)
    evidence = judge.check(case)
    for name in ("checks", "llm"):
        opinion: Any = judge.method(name).step(case, evidence, {})
        verdict = conclude(judge, case, evidence, [opinion])
        assert verdict.status == "error"
        assert str(verdict.reason).startswith("bounds_conflict: tool_call_accuracy")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('finding = "duplicate"', "finding: expected"),
        ('finding = "duplicate_call"\ndimension = "tone"', "dimension: expected"),
        ('finding = "repetition"\ndimension = "knowledge"', "found 0 of them"),
        ('finding = "repetition"\ndimension = "knowledge"\nat_most = 9', "from 1 to 5, found 9"),
        ('finding = "repetition"\ndimension = "knowledge"\nat_most = true', "found true"),
        (
            'finding = "repetition"\ndimension = "knowledge"\nat_most = 2\nat_least = 3',
            "at_least <= at_most",
        ),
        ('finding = "repetition"\ndimension = "knowledge"\nexactly = 2\nhard = 1', "found 'hard'"),
        (
            'finding = "repetition"\ndimension = "knowledge"\nexactly = 2\nsoft = 1',
            "soft: expected",
        ),
        ('finding = "repetition"\nseverity = "bad"', "dimension: expected"),
        ("= ", "expected TOML"),
    ],
)
def test_a_row_that_is_wrong_is_named(row: str, said: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.toml"
    rows.write_text(f"[[bound]]\n{row}\n")
    with pytest.raises(BoundsError) as caught:
        BrowserJudge(bounds=rows).methods()
    assert said in str(caught.value)


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BoundsError, match="expected a TOML file"):
        BrowserJudge(bounds=tmp_path / "none.toml").methods()


# -- details


def test_where_each_address_came_from() -> None:
    talk = [
        user("Read https://a.example/one for me"),
        *page("p1", "https://a.example/one", "See https://b.example/two/three"),
        *page("p2", "https://b.example/two/three", "text"),
        *page("p3", "https://c.example/", "text"),
        *page("p4", "https://d.example/z9k/qq12.html", "text"),
        say("Done."),
    ]
    judge = BrowserJudge()
    case = one_case({"conversation": talk}, judge)
    evidence = judge.check(case)
    opinion: Any = judge.method("checks").step(case, evidence, {})
    verdict = conclude(judge, case, evidence, [opinion])
    sources = [(url["call"], url["from"], url["seen_in"]) for url in verdict.details["urls"]]
    assert sources == [
        ("p1", "user", 0),
        ("p2", "page", 2),
        ("p3", "site", None),
        ("p4", "invented", None),
    ]
    assert verdict.details["tools"] == {"get_page_contents": 4}
    assert verdict.details["response"] == [1, 10]
    assert verdict.output is not None
    assert verdict.output["issues"] == ["invented_url"]
    assert verdict.output["explanation"].startswith("F1 invented_url (message 7, call p4)")
