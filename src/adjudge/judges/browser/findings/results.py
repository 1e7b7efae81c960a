"""Results: those that answer nothing, calls that nothing answered, errors, what was cut."""

from __future__ import annotations

import re

from adjudge.contract import FindingLog
from adjudge.judges.browser.findings.english import is_english
from adjudge.judges.browser.view import View
from adjudge.judges.quoting import neutral

# any word that could be a way to own up to it
_OWNED_UP = re.compile(
    r"\?|\b(?:no|not|none|nothing|never|error\w*|fail\w*|unable|cannot|sorry|apolog\w*|unfortunately"
    r"|unavailable|trouble|issues?|problems?|without|however|instead|invalid|incorrect|denied"
    r"|time[ds]? ?out|unsuccessful\w*|miss\w*|retry|try|transfer\w*|but|although|only|ran into"
    r"|\w+n['’]t)\b",
    re.IGNORECASE,
)
_SHORTEST = 20


def find(view: View, log: FindingLog) -> None:
    """``orphan_result``, ``missing_result``, ``tool_error_ignored``, ``truncated``."""
    for result in view.results:
        at = {"message": result.message, "call": result.given.call_id, "result": result.number}
        if view.case.linked and result.call is None:
            log.add("orphan_result", "warning", at, "it answers no call that was made before it")
        elif view.case.linked and result.twice and result.call is not None:
            text = f"call {result.call.shown} had been answered already"
            log.add("orphan_result", "warning", at, neutral(text))
        if result.cut:
            length = result.given.length
            whole = f" of {length:,}" if length is not None else ""
            text = f"the trace holds {len(result.text):,}{whole} characters of it; the rest was cut"
            log.add("truncated", "info", at, text)
    if view.case.linked:
        _missing(view, log)
    _ignored(view, log)


def _missing(view: View, log: FindingLog) -> None:
    spoke = [i for i, m in enumerate(view.case.messages) if m.role in ("user", "assistant")]
    last = spoke[-1] if spoke else -1
    for call in view.calls:
        terminal = call.tool is not None and call.tool.terminal
        if not call.results and not terminal and call.message < last:
            log.add("missing_result", "warning", call.at, "nothing answers this call")


def _ignored(view: View, log: FindingLog) -> None:
    """An error that nothing came after, and an answer in which no word could own up to it."""
    judged = [
        result
        for result in view.results
        if view.case.response_from <= result.message < view.case.response_to
    ]
    if not judged or not judged[-1].failed:
        return
    last = judged[-1]
    if any(call.message > last.message for call in view.calls):
        return
    answer = "\n".join(text for index, text in view.answer_messages if index > last.message)
    if len(answer.strip()) < _SHORTEST or _OWNED_UP.search(answer) or not is_english(answer):
        return
    name = last.call.shown if last.call else "a call"
    at = {"message": last.message, "call": last.given.call_id, "result": last.number}
    text = f"{name} ended in an error, and the answer after it does not say so"
    log.add("tool_error_ignored", "warning", at, neutral(text))
