"""The rubric in the prompts: every dimension, anchor, rule, tool and field, in words of our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudge.contract import Ask
from adjudge.judges.browser.form import BrowserAnswer
from adjudge.judges.browser.judge import BrowserJudge
from adjudge.judges.browser.scales import DIMENSIONS
from adjudge.judges.prompting import TemplateError
from browser_conversations import ASK, NIKE, TALKS, page, say, tabs
from browser_reading import one_case

SOURCES = Path(__file__).parents[4] / "shared" / "seeds"


def _messages() -> tuple[str, str]:
    judge = BrowserJudge(tools="assistant")
    case = one_case({"conversation": [ASK, *tabs("t1"), *tabs("t2"), *page("p", NIKE), say("It.")]})
    step = judge.method("llm").step(case, judge.check(case), {})
    assert isinstance(step, Ask)
    system, user = step.questions[0].messages
    assert (system.role, user.role) == ("system", "user")
    return system.content, user.content


SYSTEM, USER = _messages()

SAME = r"\*\*1\*\* clear mistakes or contradictions.*\*\*3\*\* small slips.*no impact.*\*\*5\*\*"
# which message, what it is, what must be read there: "." within a line, "~" across lines
RULES: list[tuple[str, str, str]] = [
    ("system", "who is judged", r"browser assistant.*several turns.*call tools"),
    ("system", "history, with calls and cut results", r"conversation so far.*tool calls.*cut"),
    ("system", "it ends with a request", r"up to the user's latest request"),
    ("system", "the response", r"\*\*response\*\* to that request: what you judge"),
    ("system", "a call without words", r"a tool call without any words"),
    (
        "system",
        "what is judged",
        r"uses tools, keeps track of context, helps, heeds preferences, how concise.*knows",
    ),
    ("system", "accuracy: the right tool", r"## 1\. tool_call_accuracy~appropriate tool"),
    ("system", "accuracy: parameters", r"parameters and values right, and specific"),
    ("system", "accuracy: redundant", r"redundant\? That counts as inappropriate"),
    ("system", "accuracy: anchors", r"## 1\.~" + SAME + r" consistent and precise"),
    ("system", "accuracy: null", r"## 1\.~`null` only where no tool was called and none was"),
    ("system", "context: active tab", r"## 2\. browser_context_awareness~which tab is the active"),
    ("system", "context: retrieved content", r"respect the history and page content"),
    ("system", "context: wrong tab", r"wrong tab or contradicting what tools returned"),
    ("system", "context: anchors", r"## 2\.~" + SAME + r" consistent and precise"),
    ("system", "usefulness", r"## 3\. assistant_usefulness~correctness, completeness and clarity"),
    (
        "system",
        "usefulness: the hand-off",
        r"hand-off to a web search.*`engine_search`.*appropriate and the query well put",
    ),
    (
        "system",
        "usefulness: anchors",
        r"## 3\.~\*\*1\*\* unhelpful or incorrect.*\*\*3\*\* a partial.*\*\*5\*\* a full.*hand-off",
    ),
    ("system", "usefulness: never null", r"## 3\.~Never `null`"),
    ("system", "preferences honoured", r"## 4\. preference_adherence~honoured faithfully"),
    ("system", "preferences left alone", r"had no bearing and were left alone.*higher score"),
    (
        "system",
        "preferences: anchors",
        r"## 4\.~\*\*1\*\* ignored or misused.*\*\*3\*\* honoured in part, or retrieved without"
        r" need.*\*\*5\*\* retrieved when they help and honoured correctly, or rightly left alone",
    ),
    ("system", "preferences: a right skip", r"Leaving them alone where that was right is a 5"),
    ("system", "conciseness", r"## 5\. response_conciseness~concise, without repeating.*task done"),
    (
        "system",
        "conciseness: anchors",
        r"## 5\.~\*\*1\*\* verbose or redundant.*\*\*3\*\* somewhat wordy, yet acceptable.*"
        r"\*\*5\*\* crisp and efficient",
    ),
    ("system", "knowledge without a tool", r"## 6\. knowledge~without falling back on a tool"),
    ("system", "knowledge right and whole", r"## 6\.~accurate and complete\?"),
    (
        "system",
        "knowledge: anchors",
        r"## 6\.~\*\*1\*\* the answer is inaccurate or made up.*\*\*3\*\* a tool was called for it"
        r".*\*\*5\*\* accurate and complete, and no web search or other tool",
    ),
    (
        "system",
        "seen only through tools",
        r"sees browser content only through tools.*text of a page.*history entry.*preference",
    ),
    ("system", "what was visible before", r"count only what the assistant could see \*before\*"),
    (
        "system",
        "truncated results",
        r"may be truncated.*Do not judge whether the response covers the whole original page or"
        r" agrees with it.*reasonable for the truncated text",
    ),
    ("system", "only the latest response", r"Only the latest response counts.*do not judge them"),
    ("system", "reasons first", r"Reason first, then score"),
    ("system", "material has no authority", r"has no authority"),
    ("system", "findings are relied on", r"findings, numbered F1~rely on them"),
    ("user", "conversation and response", r"# Conversation up to~# The response to judge~\[7\]"),
    ("user", "numbered findings", r"# Proved by code~F1 \(duplicate_call, warning, message 3"),
    ("user", "values left", r"- tool_call_accuracy: 1, 2, 3 \(because of F1\)"),
    ("user", "only the response", r"Judge \*\*only\*\* the response"),
]
TOOLS = [
    (r"get_page_contents\(url\): .*text of the web page"),
    (r"search_history\(search_term\): .*URL, title, time of the visit.*description"),
    (r"get_preferences\(query\?\): .*location, diet, hobbies, interests.*query narrows"),
    (r"get_tabs\(\): .*URL, its title and whether it is the one the user is looking at"),
    (r"engine_search\(query\): .*search engine.*results page.*conversation ends"),
]


def _found(pattern: str, text: str) -> bool:
    at = 0
    for part in pattern.split("~"):
        match = re.search(part, text[at:])
        if match is None:
            return False
        at += match.end()
    return True


@pytest.mark.parametrize(
    ("where", "what", "pattern"), RULES, ids=[f"{w}: {n}" for w, n, _ in RULES]
)
def test_rule(where: str, what: str, pattern: str) -> None:
    assert _found(pattern, SYSTEM if where == "system" else USER)


@pytest.mark.parametrize("pattern", TOOLS)
def test_tool(pattern: str) -> None:
    assert _found(pattern, USER)


def test_every_field_is_asked_for_reasons_before_scores() -> None:
    fields = list(BrowserAnswer.model_fields)
    assert set(fields) == {"explanation", "issues", "plain_knowledge_asked", *DIMENSIONS}
    listed = re.findall(r"^- `(\w+)`:", SYSTEM, re.MULTILINE)
    assert listed == fields
    assert fields.index("explanation") < min(fields.index(name) for name in DIMENSIONS)
    for tag in ("redundant_call", "wrong_tab", "ignored_prefs"):
        assert tag in SYSTEM


def test_no_sentence_of_the_source_is_carried_over() -> None:
    if not SOURCES.exists():
        pytest.skip("the folder ../shared/seeds is absent")
    own = " ".join((SYSTEM + USER).lower().split())
    checked = 0
    for path in SOURCES.glob("001*.txt"):
        for line in path.read_text().splitlines():
            for sentence in re.split(r"(?<=[.?!;])\s+", line.strip(" -*\"'")):
                plain = " ".join(sentence.lower().split())
                if plain.count(" ") >= 7:
                    checked += 1
                    assert plain not in own, sentence
    assert checked > 15


def test_no_text_of_a_case_is_in_the_system_message() -> None:
    judge = BrowserJudge()
    systems = set()
    for talk in TALKS[:20]:
        case = one_case(talk.record, judge)
        step = judge.method("llm").step(case, judge.check(case), {})
        assert isinstance(step, Ask)
        systems.add(step.questions[0].messages[0].content)
    assert len(systems) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"user_template": "Judge {response}"}, "none called conversation"),
        ({"user_template": "Judge {{conversation}} {{response}}"}, "single braces"),
        ({"system_template": "See {conversation}"}, "found {conversation}"),
    ],
)
def test_a_template_that_cannot_judge_is_named_before_any_case(
    options: dict[str, str], said: str
) -> None:
    with pytest.raises(TemplateError, match=re.escape(said)):
        BrowserJudge(**options).methods()
