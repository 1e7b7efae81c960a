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
# each with the lower-case words of which one must occur for it to be worth trying
_TO_ASSISTANT: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (
        ("assistant", " agent", "llm", "language model", " bot", " to ai", " for ai"),
        re.compile(
            r"\b(?:instructions?|message|note|notice|attention) (?:to|for) (?:the |any |all )?"
            + _WHOM
            + r"|(?:^|[.!?\n]\s{0,3})(?:dear |attention,? |hey,? )?(?:ai |browser )"
            r"(?:assistant|agent)s?(?:,|:| you| must| should)",
            re.IGNORECASE,
        ),
    ),
    (("if you are a",), re.compile(r"\bif you are an? (?:large )?" + _WHOM, re.IGNORECASE)),
    (
        (" the user",),
        re.compile(
            r"\b(?:do not|don't|never) (?:tell|inform|mention [^.\n]{0,30}? to"
            r"|reveal [^.\n]{0,30}? to) the user\b",
            re.IGNORECASE,
        ),
    ),
)


def find(view: View, log: FindingLog) -> None:
    """``addresses_the_judge`` and ``addresses_the_assistant``."""
    texts = list(_texts(view))
    # one pass over everything: a case without such words, nearly every one, costs one look
    together = "\n".join([text for _, text, _ in texts])
    suspect = bool(words_to_judge(together))
    lower = together.lower()
    patterns = [p for needs, p in _TO_ASSISTANT if any(word in lower for word in needs)]
    if not suspect and not patterns:
        return
    for at, text, from_tool in texts:
        if suspect:
            _judge(at, text, from_tool, log)
        if from_tool:
            for pattern in patterns:
                if (found := pattern.search(text)) is not None:
                    _assistant(at, found.span(), found.group(), log)
                    break


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
