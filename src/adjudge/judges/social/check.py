"""What can be proved about a dialogue: which utterances there are, and what in it is not speech."""

from __future__ import annotations

import re
from collections.abc import Iterator

from adjudge.contract import Evidence, FindingLog, JsonObject
from adjudge.judges.hostile import words_to_judge
from adjudge.judges.social.case import SocialCase, listed
from adjudge.judges.social.dimensions import Dimension
from adjudge.judges.social.facts import SocialFacts, Utterance

_FIELDS = ("importance", "direction", "progress")
_MOST_LISTED = 20
_FENCE = re.compile(r"^[ \t]{0,8}(?:`{3,}|~{3,})", re.MULTILINE)
# A line that looks like the head of a turn, in our prompt, in Sotopia-RL's, in SOTOPIA's.
_TURN_LINE = re.compile(
    r"^[ \t\"'{*#>-]{0,8}(?:utterance|turn)[\"']?[ \t]{0,4}[:#]?[ \t]{0,4}\d{1,6}"
    r"[ \t]{0,4}(?:[:,}\"'|-]|by\b|$)",
    re.IGNORECASE | re.MULTILINE,
)
_ACTED = re.compile(r"[ \t]{0,4}(?::|said:|left the conversation|did nothing)")
_MARKUP = " \t\"'*#>-"


def check_dialogue(case: SocialCase, dimension: Dimension) -> Evidence[SocialFacts]:
    """The utterances to score, and findings: nothing here bounds a score."""
    log = FindingLog()
    _note_gaps(case, dimension, log)
    names = tuple(case.agents)
    texts = list(_texts(case))
    # most dialogues hold nothing of the kind, and one look at the whole costs far less than many
    if _suspicious("\n".join(text for _, text in texts), names):
        for at, text in texts:
            for words in words_to_judge(text, fields=_FIELDS):
                log.add("addresses_the_judge", "warning", at, f"{words.kind}: {words.quote!r}")
            if "turn" in at:
                _note_forgery(text, at, names, log)
    utterances = tuple(
        Utterance(turn, f"Utterance {k} by {case.agent}", case.turns[turn].shown)
        for k, turn in enumerate(case.own_turns())
    )
    facts = SocialFacts(utterances, case.score(dimension))
    return Evidence(findings=log.all(), bounds=(), facts=facts)


def _note_gaps(case: SocialCase, dimension: Dimension, log: FindingLog) -> None:
    """What is missing, and turns that are no utterances of an agent."""
    if dimension.name == "goal" and not case.goals.get(case.agent):
        log.add("no_goal", "warning", {"field": "goals"}, "the agent's goal is not given")
    if case.score(dimension) is None:
        text = (
            f"the episode's score on {dimension.name} is not known: rewards that need it are null"
        )
        log.add("no_score", "info", {"field": "scores"}, text)
    idle = [i for i, t in enumerate(case.turns) if t.speaker == case.agent and not t.acted]
    if idle:
        shown = ", ".join(map(str, idle[:_MOST_LISTED])) + (" …" if idle[_MOST_LISTED:] else "")
        text = f"did nothing in {len(idle)} turns, which are no utterances: {shown}"
        log.add("did_nothing", "info", {"turn": idle[0]}, text)
    others = [t.speaker for t in case.turns if t.speaker not in case.agents]
    if others:
        names = listed(list(dict.fromkeys(others)))
        log.add("unknown_speaker", "warning", {"field": "turns"}, f"speakers of no agent: {names}")


def _texts(case: SocialCase) -> Iterator[tuple[JsonObject, str]]:
    """Every text from the case that a question can hold, with its place."""
    for field, text in (
        ("scenario", case.scenario),
        ("goals", case.goals.get(case.agent)),
        ("backgrounds", case.backgrounds.get(case.agent)),
        ("agents", "\n".join(case.agents)),
    ):
        if text:
            yield {"field": field}, text
    for index, turn in enumerate(case.turns):
        if turn.text:
            yield {"turn": index}, turn.text


def _turn_line(text: str, names: tuple[str, ...]) -> str | None:
    """The first line in ``text`` that begins as a turn does, by number or by an agent's name."""
    numbered = _TURN_LINE.search(text)
    if numbered:
        return text[numbered.start() :].split("\n", 1)[0]
    for line in text.split("\n"):
        begun = line.lstrip(_MARKUP)
        if begun.startswith(names):
            ends = (len(name) for name in names if begun.startswith(name))
            if any(_ACTED.match(begun, end) for end in ends):
                return line
    return None


def _suspicious(text: str, names: tuple[str, ...]) -> bool:
    return bool(
        _turn_line(text, names) is not None
        or _FENCE.search(text)
        or words_to_judge(text, fields=_FIELDS)
    )


def _note_forgery(text: str, at: JsonObject, names: tuple[str, ...], log: FindingLog) -> None:
    line = _turn_line(text, names)
    if line is not None:
        log.add("forged_turn", "warning", at, f"a line like the head of a turn: {line[:80]!r}")
    if _FENCE.search(text):
        log.add("holds_a_fence", "info", at, "a line like a code fence")
