"""Text that speaks to whoever judges, and text in results that speaks to the assistant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.contract import FindingLog, JsonObject
from adjudge.judges.browser.view import View
from adjudge.judges.hostile import words_to_judge
from adjudge.judges.quoting import neutral

_TO_JUDGE = ("score_demand", "judge_named", "forged_section", "forged_verdict")
_MOST = 3
_WHOM = r"(?:ai|a\.i\.|assistants?|agents?|llms?|language models?|bots?)\b"
_TO_ASSISTANT = re.compile(
    r"\b(?:instructions?|message|note|notice|attention) (?:to|for) (?:the |any |all )?"
    + _WHOM
    + r"|\bif you are an? (?:large )?"
    + _WHOM
    + r"|\b(?:do not|don't|never) (?:tell|inform|mention [^.\n]{0,30}? to|reveal [^.\n]{0,30}? to)"
    r" the user\b"
    r"|(?:^|[.!?\n]\s{0,3})(?:dear |attention,? |hey,? )?(?:ai |browser )(?:assistant|agent)s?"
    r"(?:,|:| you| must| should)",
    re.IGNORECASE,
)
# in lower case: without any of these no alternative of the pattern matches
_NEEDED = (
    *("if you are a", " the user", "ai assistant", "ai agent", "browser assistant"),
    *("browser agent", "ions to ", "ions for ", "ion to ", "ion for ", "age to ", "age for "),
    *("note to ", "note for ", "notice to ", "notice for "),
)


def find(view: View, log: FindingLog) -> None:
    """``addresses_the_judge`` and ``addresses_the_assistant``."""
    texts = list(_texts(view))
    # one pass over everything: a case without such words, nearly every one, costs one look
    together = "\n".join(text for _, text, _ in texts)
    suspect = bool(words_to_judge(together))
    for at, text, from_tool in texts:
        if suspect:
            _judge(at, text, from_tool, log)
        if from_tool and _may_address(text) and (found := _TO_ASSISTANT.search(text)):
            _assistant(at, found.span(), found.group(), log)


def _may_address(text: str) -> bool:
    lower = text.lower()
    return any(word in lower for word in _NEEDED)


def _judge(at: JsonObject, text: str, from_tool: bool, log: FindingLog) -> None:
    for words in words_to_judge(text)[:_MOST]:
        place = {**at, "start": words.start, "end": words.end}
        if words.kind in _TO_JUDGE or not from_tool:
            if words.kind == "override":
                continue  # people may tell their assistant to forget what it was told
            said = f"text that speaks to the judge ({words.kind}): {words.quote}"
            log.add("addresses_the_judge", "warning", place, said)
        else:
            said = f"text that speaks to the assistant ({words.kind}): {words.quote}"
            log.add("addresses_the_assistant", "warning", place, said)


def _assistant(at: JsonObject, span: tuple[int, int], quote: str, log: FindingLog) -> None:
    place = {**at, "start": span[0], "end": span[1]}
    said = f"text that speaks to the assistant: {neutral(quote.strip())[:120]}"
    log.add("addresses_the_assistant", "warning", place, said)


def _texts(view: View) -> Iterator[tuple[JsonObject, str, bool]]:
    for index, message in enumerate(view.case.messages):
        if message.text:
            yield {"message": index}, message.text, False
        if message.reasoning:
            yield {"message": index, "part": "reasoning"}, message.reasoning, False
    for result in view.results:
        if result.text:
            at = {"message": result.message, "call": result.given.call_id}
            yield {**at, "result": result.number}, result.text, True
