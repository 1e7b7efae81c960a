"""What an agent of SOTOPIA was asked when it acted, and how it answered, for policies to learn.

The wording is SOTOPIA's own (MIT licence), as Sotopia-RL's data has it: reward models and policies
were trained on these very texts, so that nothing here may be put better.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from adjudge.judges.social.case import SocialCase, Turn

_VIEWER = re.compile(r'<p viewer="[^"]*">.*?</p>', re.DOTALL)
_TAG = re.compile(r"</?\w+>")

_TASK = """Imagine you are {agent}, your task is to act/speak as {agent} would, keeping in mind \
{agent}'s social goal.
You can find {agent}'s background and goal in the 'Here is the context of the interaction' field.
Note that {agent}'s secret and goal is only visible to you.
You should try your best to achieve {agent}'s goal in a way that align with their character traits.
Additionally, maintaining the conversation's naturalness and realism is essential (e.g., do not \
repeat what other people has already said before).
"""
_FORMAT = """ Your available action types are
"none action speak non-verbal communication leave".
Note: You can "leave" this conversation if 1. you have achieved your social goals, 2. this \
conversation makes you uncomfortable, 3. you find it uninteresting/you lose your patience, 4. or \
for other reasons you want to leave.

Please only generate a JSON string including the action type and the argument.
Your action should follow the given format:

As an example, for the schema {"properties": {"foo": {"title": "Foo", "description": "a list of \
strings", "type": "array", "items": {"type": "string"}}}, "required": ["foo"]}
the object {"foo": ["bar", "baz"]} is a well-formatted instance of the schema. The object \
{"properties": {"foo": ["bar", "baz"]}} is not well-formatted.

Here is the output schema:
```
{"description": "An interface for messages.\\nThere is only one required method: \
to_natural_language", "properties": {"action_type": {"title": "Action Type", "description": \
"whether to speak at this turn or choose to not do anything", "enum": ["none", "speak", \
"non-verbal communication", "action", "leave"], "type": "string"}, "argument": {"title": \
"Argument", "description": "the utterance if choose to speak, the expression or gesture if choose \
non-verbal communication, or the physical action if choose action", "type": "string"}}, \
"required": ["action_type", "argument"]}
```\x1b[0m
"""


def acting_prompt(case: SocialCase, turn: int) -> str:
    """What the case's agent was asked before the utterance at ``turn``.

    Its goal, secret and background, of the others what it was told, and the dialogue so far.
    """
    number, history = _history(case, turn)
    told = case.contexts.get(case.agent) or _context(case)
    # joined, not formatted: what agents say may hold braces
    task = _TASK.replace("{agent}", case.agent)
    return f"{task}{told}{history}.\nYou are at Turn #{number}.{_FORMAT}"


def action_json(turn: Turn) -> str:
    """An utterance as the agent answers it: ``{"action_type": "speak", "argument": "Hi"}``."""
    argument = "" if turn.kind in ("leave", "none") else turn.text
    return json.dumps({"action_type": turn.kind, "argument": argument})


def _context(case: SocialCase) -> str:
    """The context as SOTOPIA words it, for a case that does not hold it."""
    names = case.agents
    goal = _plain(case.goals.get(case.agent) or "")
    lines = [
        "",
        "Here is the context of this interaction:",
        f"Scenario: {_plain(case.scenario or '')}",
        f"Participants: {' and '.join(names)}",
        *(f"{name}'s background: {_background(case, name)}" for name in names),
        *(f"{name}'s goal: {goal if name == case.agent else 'Unknown'}" for name in names),
        "Conversation Starts:",
        "",
    ]
    return "\n".join(lines)


def _background(case: SocialCase, name: str) -> str:
    """A background; another agent's without its secrets."""
    text = _plain(case.backgrounds.get(name) or "")
    return text if name == case.agent else text.split(f"{name.split()[0]}'s secrets:")[0]


def _plain(text: str) -> str:
    return _TAG.sub("", _VIEWER.sub("", text))


def _history(case: SocialCase, turn: int) -> tuple[int, str]:
    """The number of the round in which ``turn`` stands, and what was done in those before it."""
    rounds = _rounds(case.turns)
    number = next(i for i, turns in enumerate(rounds) if turn in turns)
    lines = (
        f"\nTurn #{i}: {_acts(case.turns, turns)}\n" for i, turns in enumerate(rounds[:number])
    )
    return number, "".join(lines)


def _acts(turns: Sequence[Turn], ids: Sequence[int]) -> str:
    return "\n".join(f"{turns[i].speaker} {turns[i].natural}" for i in ids if turns[i].acted)


def _rounds(turns: Sequence[Turn]) -> list[list[int]]:
    """Turn ids by round. Where silence is written down everyone has a turn in each round; where
    it is not, each turn is a round."""
    silences = any(not turn.acted for turn in turns)
    rounds: list[list[int]] = []
    spoken: set[str] = set()
    for index, turn in enumerate(turns):
        if not rounds or not silences or turn.speaker in spoken:
            rounds.append([])
            spoken = set()
        rounds[-1].append(index)
        spoken.add(turn.speaker)
    return rounds
