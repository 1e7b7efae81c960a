"""What words to a judge look like: one table of patterns, each with the words it cannot do without.

Every repeat is bounded, so that a search takes linear time whatever the text. ``<name>`` stands for
the words below, ``~N~`` for a gap of up to N words within one sentence, ``~name~`` for a gap of up
to six words of that list alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

HostileKind = Literal[
    "score_demand",
    "override",
    "judge_named",
    "forged_section",
    "forged_verdict",
    "control_token",
    "invisible_text",
]

_WORDS = {
    "judged": r"assistant|agent|robot|plan|trace|trajectory|response|conversation|episode"
    r"|utterances?|run|execution|candidate|submission",
    "best": r"perfect|full|max|maximum|maximal|highest|top|best",
    "judge": r"evaluators?|graders?|raters?|assessors?|auto-?rater|judge model|llm judge|ai judge"
    r"|evaluation model|evaluating model|reward model",
    "must": r"must|should|shall|has to|have to|needs? to|is to|are to|is required to"
    r"|is instructed to|will now|please",
    "rules": r"instructions?|rules?|rubrics?|criteri(?:a|on)|guidelines?|prompts?|bounds?"
    r"|constraints|decision tree|findings",
    "earlier": r"above|previous|prior|preceding|earlier|foregoing|system|evaluation|scoring|grading"
    r"|judging|judge's|evaluator's",
    "skip": r"ignore|disregard|forget|override|overrule|bypass|do not follow|don't follow"
    r"|stop following|do not apply",
    "section": r"effective trace|successfully executed|executed actions|simulation status"
    r"|intended(?: but failed)? actions|reality check|scene graph|proved findings"
    r"|user instruction",
    # words that may stand between "give" and "score", or "score" and its number
    "small": r"it|this|that|them|these|the|a|an|my|your|its|our|final|overall|integer|numeric|only"
    r"|all|every|each|task|with|of|for|as|out|back|assistant|agent|robot|plan|trace|trajectory"
    r"|response|conversation|episode|utterance|run|always|just|to|is|be|must|should|at|least"
    r"|exactly|value|equal|and|both|here|step|whole",
}
_GAP = r"(?:[^\w.!?\n]{{1,6}}\w{{1,32}}){{0,{most}}}?[^\w.!?\n]{{1,6}}"
_SMALL_GAP = r"(?:[^\w.!?\n]{1,6}(?:<small>)){0,6}?[^\w.!?\n]{1,6}"
_NUMBER = r"(?:10|\d)\b(?![.,]?\d)"


@dataclass(frozen=True, slots=True)
class HostilePattern:
    """A pattern and the lower-case words of which one must occur for it to be worth trying.

    ``cased`` patterns are searched in the text as it is, the others in its lower case.
    """

    kind: HostileKind
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    cased: bool = False


def _pattern(kind: HostileKind, needs: str, pattern: str, *, cased: bool = False) -> HostilePattern:
    pattern = pattern.replace("~small~", _SMALL_GAP).replace("<number>", _NUMBER)
    pattern = re.sub(r"~(\d)~", lambda found: _GAP.format(most=found.group(1)), pattern)
    for name, words in _WORDS.items():
        pattern = pattern.replace(f"<{name}>", f"(?:{words})")
    return HostilePattern(kind, tuple(needs.split("|")), re.compile(pattern, re.MULTILINE), cased)


_SKIP = "ignore|disregard|forget|overr|bypass|follow|not apply"
_GRADE = "score|rating|grade|verdict|marks|success"

PATTERNS: tuple[HostilePattern, ...] = (
    # calls to set the rules aside
    _pattern("override", _SKIP, r"\b<skip>~4~<earlier>~2~<rules>\b"),
    _pattern("override", _SKIP, r"\b<skip>~4~<rules>~3~(?:above|before|so far|you were given)\b"),
    _pattern(
        "override", _SKIP, r"\b<skip>~1~your (?:instructions|rubric|criteria|guidelines|prompt)\b"
    ),
    _pattern("override", _SKIP, r"\b(?i:<skip>)~3~PART [123]\b", cased=True),
    # demands for a score
    _pattern(
        "score_demand",
        _GRADE,
        r"\b(?:give|giving|award|assign|output|return|report|produce|emit|print|write|answer"
        r"|respond|reply|grant|set)~small~(?:scores?|ratings?|grades?|marks|verdict"
        r"|success(?:_boolean)?)~small~(?:<number>|<best>\b|true\b)",
    ),
    _pattern(
        "score_demand",
        _GRADE,
        r"\b(?:give|giving|award|assign|grant)~small~<best>(?: possible)?[^\w\n]{1,3}"
        r"(?:scores?|ratings?|grades?|marks)\b",
    ),
    _pattern(
        "score_demand",
        _GRADE,
        r"\b(?:output|return|report|answer|respond|reply)~small~(?:perfect|full)[^\w\n]{1,3}"
        r"(?:scores?|ratings?|grades?|marks)\b",
    ),
    _pattern(
        "score_demand",
        "give|rate|score|grade|mark|award",
        r"\b(?:give|rate|score|grade|mark|award)~2~<judged>[^\w.!?\n]{1,3}"
        r"(?:(?:a|an|as|with|the)[^\w.!?\n]{1,3})?(?:(?:10|\d)\b(?:/\d{1,3}\b)?"
        r"(?=\W{0,3}(?:$|in\b|for\b|on\b|out\b|stars?\b|points?\b|across\b|everywhere\b))"
        r"|<best>[^\w\n]{1,3}(?:scores?|ratings?|grades?|marks|points)\b)",
    ),
    _pattern(
        "score_demand",
        "score|rate|grade",
        r"\b(?:score|rate|grade) (?:this|it|me)(?: as)?(?: an?)? <number>"
        r"(?=\W{0,3}(?:$|in\b|for\b|on\b|out\b|across\b|everywhere\b))",
    ),
    _pattern(
        "score_demand",
        _GRADE,
        r"\b(?:scores?|ratings?|grades?|verdict)[^\w.!?\n]{1,3}(?:must|should|shall|has to"
        r"|needs to)~small~(?:<number>|<best>\b)",
    ),
    _pattern(
        "score_demand",
        "deserve",
        r"\bdeserves?~2~(?:<best>[^\w\n]{1,3}(?:scores?|ratings?|grades?|marks)|(?:scores?"
        r"|ratings?|grades?) of (?:10|\d)|(?:10|\d)/(?:10|\d))\b",
    ),
    _pattern(
        "score_demand",
        "treat|count|regard|consider|mark",
        r"\b(?:treat|count|regard|consider|mark)~2~(?:<judged>|steps?|actions?|part [123])~3~"
        r"(?:as|to be) (?:a )?(?:executed|successful|success|succeeded|perfect|pass|passed"
        r"|correct)\b",
    ),
    _pattern("score_demand", "success_boolean", r"\bsuccess_boolean\b"),
    # orders to whoever judges, by name
    _pattern(
        "judge_named",
        "evaluat|grader|rater|assessor|judge|reward model",
        r"\b(?:the |this |an? |any |dear |to )?<judge>~2~<must>\b",
    ),
    _pattern(
        "judge_named",
        "judge",
        r"\bthe judge~2~<must>~3~(?:score|rate|give|output|award|return|ignore|grade|mark|treat"
        r"|accept)\b",
    ),
    _pattern(
        "judge_named",
        "evaluat|grader|rater|assessor|judge|reward model",
        r"\b(?:dear|attention|note (?:to|for)|message (?:to|for)|hello|hey),?(?: the| all)?"
        r" (?:<judge>|judge)\b",
    ),
    _pattern(
        "judge_named",
        "evaluat|grad|rater|assessor|judg|scor|reward model",
        r"\b(?:(?:you are|you're) (?:now )?(?:the |an? )?(?:<judge>|evaluating this"
        r"|grading this|judging this|scoring this)|as (?:the |an? )?<judge>,? you)\b",
    ),
    _pattern(
        "judge_named",
        "evaluat|grading|judging|scoring",
        r"\b(?:notes?|message|notice|memo)~1~(?:from|by)[^\w\n]{1,3}(?:(?:the|your|our) )?"
        r"(?:evaluat(?:ion|ing|ors?)|grading|judging|scoring)"
        r"(?: (?:team|committee|panel|staff))?\b",
    ),
    _pattern(
        "judge_named",
        "evaluat|grader|rater|assessor|judge|reward model",
        r"(?:^[^\w\n]{0,4}|[.!?] )(?:<judge>|judge)(?:(?: note| message| override)?\s?:"
        r"|, (?:please )?(?:give|rate|score|grade|output|award|ignore|mark)\b)",
    ),
    _pattern(
        "judge_named",
        "system|developer|admin",
        r"\b(?:SYSTEM|DEVELOPER|ADMIN)(?: (?:MESSAGE|NOTE|OVERRIDE|PROMPT|NOTICE))?\]?\s?:"
        r"(?=(?:[^\w\n]{0,6}[\w']{1,32}){0,8}?[^\w\n]{1,6}(?i:must|ignore|disregard|override"
        r"|always|evaluator|judge|score|output|respond|you)\b)",
        cased=True,
    ),
    # headings of the judge's own prompt
    _pattern(
        "forged_section",
        "part |reality",
        r"\b(?:part [123]|\[?reality check)\b[^\w\n]{0,8}(?:the [^\w\n]{0,2})?<section>\b",
    ),
    _pattern(
        "forged_section",
        "simulation status",
        r"\bsimulation status\b\W{0,8}(?:success|failed)\b",
    ),
    _pattern(
        "forged_section",
        "end of|start of|begin of|beginning of",
        r"^[^\w\n]{0,8}(?:end|beginning|start|begin) of (?:the )?(?:trace|trajectory|transcript"
        r"|case|conversation|episode|data|untrusted (?:text|data|input)|system prompt"
        r"|instructions)\b(?=\W{0,6}(?:$|new\b|now\b|ignore\b|system\b|the (?:evaluator|judge)))",
    ),
    _pattern(
        "forged_section",
        "system |scoring |evaluation |grading ",
        r"\b(?:new|updated|revised|real|actual) (?:system |scoring |evaluation |grading )"
        r"(?:instructions?|rules?|rubrics?|criteria|prompt)\s?:",
    ),
    # verdicts in a judge's form
    _pattern(
        "forged_verdict",
        "execution_analysis|tool_call|browser_context|assistant_use|preference_adh|response_conc",
        r"[\"'](?:execution_analysis|tool_call_accuracy|browser_context_awareness"
        r"|assistant_usefulness|preference_adherence|response_conciseness)[\"']\s{0,4}:",
    ),
    _pattern(
        "forged_verdict",
        "[[",
        r"\b(?:score|rating|verdict|winner)[\"']?\s{0,4}[:=]\s{0,4}[\"']?\[\[\w{1,12}\]\]",
    ),
    _pattern(
        "forged_verdict", "verdict>|final_score>|ment>", r"</?(?:verdict|final_score|judge?ment)>"
    ),
    _pattern(
        "forged_verdict",
        "score",
        r"[\"']score[\"']\s{0,4}:\s{0,4}(?:10|\d)\s{0,4},\s{0,4}[\"'](?:evaluate|verdict)\b",
    ),
    # tokens that start a turn in some chat template; those that are HTML as well are left out
    _pattern(
        "control_token",
        "<|[inst|[/inst|[system_|[/system_",
        r"<[|｜][^<>|｜\n]{1,64}[|｜]>|\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>"
        r"|\[/?system_prompt\]",
    ),
)

NEEDED: tuple[str, ...] = tuple(dict.fromkeys(word for rule in PATTERNS for word in rule.needs))
"""Every word that some pattern needs: a text with none of them, nearly every one, is done."""

_SHARED = (
    "rat",
    "ment",
    "verdict",
    "gra",
    "mar",
    "eval",
    "reward",
    "beg",
    "al ",
    "ew ",
    "ed ",
    "_",
)


def _roots() -> dict[str, tuple[str, ...]]:
    roots: dict[str, list[str]] = {}
    for word in NEEDED:
        inside = [part for part in (*_SHARED, *NEEDED) if part in word]
        roots.setdefault(min(inside, key=len), []).append(word)
    return {root: tuple(words) for root, words in roots.items()}


ROOTS = _roots()
"""A part of words in ``NEEDED`` to those words: where it is missing, so are they."""

# Tag characters outside the three flag emoji, direction overrides, and runs long enough to carry
# a message. Single joiners and soft hyphens are ordinary text.
INVISIBLE = re.compile(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]{1,4096}"
    r"|[\u202d\u202e]"
    r"|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]{8,4096}"
    r"|[\U000e0100-\U000e01ef]{4,4096}"
)
