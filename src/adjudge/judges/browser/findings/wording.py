"""The response's own words: none at all, or the same ones over again."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from adjudge.contract import FindingLog
from adjudge.judges.browser.view import View
from adjudge.judges.quoting import neutral

_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_WANTED = re.compile(
    r"\b(?:lyrics|poem|song|chorus|refrain|verbatim|template|times|repeat\w*|copy|copies|again|quote"
    r"|draft|script|chant|mantra|lines?)\b",
    re.IGNORECASE,
)
_SHORTEST, _FEWEST_WORDS = 60, 8
_LITTLE, _MOSTLY = 0.1, 1 / 3


@dataclass(frozen=True, slots=True)
class Wording:
    """How long the answer is, and how much of it (0 to 1) repeats earlier sentences of it."""

    characters: int
    words: int
    repeated: float


def measure(text: str) -> tuple[Wording, str | None]:
    """Length and repetition of ``text``, and the sentence repeated first.

    Sentences of at least 60 characters and eight words count; code, tables and quotations do not.
    """
    plain = _CODE.sub("", text) if "```" in text else text
    wording = Wording(len(text), len(text.split()), 0.0)
    if len(plain) < 2 * _SHORTEST:
        return wording, None
    split = plain.replace("!", ".").replace("?", ".").replace("\n", ".").split(".")
    parts = [part.strip() for part in split if len(part) >= _SHORTEST // 2]
    if len(set(parts)) == len(parts):
        return wording, None  # no two longer parts are equal, so no two sentences are
    sentences = [" ".join(s.split()) for s in _SENTENCE.split(plain) if s.lstrip()[:1] not in "|>"]
    counted = Counter(
        s for s in sentences if len(s) >= _SHORTEST and s.count(" ") >= _FEWEST_WORDS - 1
    )
    again = {sentence: n for sentence, n in counted.items() if n > 1}
    if not again:
        return wording, None
    share = sum(len(s) * (n - 1) for s, n in again.items()) / max(1, len(plain))
    return Wording(wording.characters, wording.words, round(min(1.0, share), 3)), next(iter(again))


def find(view: View, log: FindingLog) -> Wording:
    """``empty_response`` and ``repetition``, of the last words in the response."""
    last = next((text for _, text in reversed(view.answer_messages) if text.strip()), "")
    wording, sentence = measure(last)
    case = view.case
    at = {"message": case.response_from}
    attached = any(message.attached for message in case.response)
    if not view.answer.strip() and not view.judged_calls and not attached:
        log.add("empty_response", "error", at, "the response has no words and makes no call")
    asked = view.last_user.text or "" if view.last_user else ""
    if sentence is not None and wording.repeated >= _LITTLE and not _WANTED.search(asked):
        mostly = wording.repeated >= _MOSTLY
        shown = sentence if len(sentence) <= 80 else sentence[:80] + "…"
        text = f"{wording.repeated:.0%} of it repeats itself word for word: {neutral(repr(shown))}"
        log.add("repetition", "warning" if mostly else "info", at, text)
    return wording
