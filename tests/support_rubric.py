"""A rubric for tests, and cases of it."""

from __future__ import annotations

from typing import Any

from adjudge.judges.rubric.judge import RubricJudge, judge_in_text

SUPPORT = """\
name: support
instructions: Judge how the agent handled the customer's request.
input:
  messages: {of: {role: [user, assistant, tool], content: text, name: optional text}}
  order: optional object, what the shop knows
dimensions:
  resolution: {scale: 1-5, about: Was it solved?, anchors: {1: not at all, 5: solved}}
  tone: {scale: [rude, plain, kind], nullable: only where nothing was said}
bounds:
  no_lookup:
    when: count(messages, role == "tool") == 0
    allow: {resolution: at most 2}
  silent: {when: 'not any(messages, role == "assistant")', allow: {tone: null, resolution: 1}}
  long: {when: len(messages) > 3, allow: {tone: [plain, rude]}, soft: true, text: it is long}
success: resolution >= 4
reward: (resolution - 1) / 4
"""


def said(role: str, content: str) -> dict[str, Any]:
    """A message."""
    return {"role": role, "content": content}


GOOD: dict[str, Any] = {
    "id": "good",
    "messages": [
        said("user", "Where is my order?"),
        said("tool", "shipped"),
        said("assistant", "It is on its way."),
    ],
}
"""No rule applies."""
UNPROVED: dict[str, Any] = {
    "id": "unproved",
    "messages": [said("user", "Where is my order?"), said("assistant", "On its way.")],
}
"""``no_lookup`` applies."""
SILENT: dict[str, Any] = {"id": "silent", "messages": [said("user", "Hello?")]}
"""All is settled."""


def support(*changes: tuple[str, str]) -> type[RubricJudge]:
    """The judge, with texts of the rubric replaced."""
    text = SUPPORT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return judge_in_text(text, "support.yaml")


def answered(resolution: Any, tone: Any, why: str = "See F1 and F9.") -> dict[str, Any]:
    """An answer in the rubric's form."""
    return {
        "reasons": {"resolution": why, "tone": "As it was put."},
        "scores": {"resolution": resolution, "tone": tone},
    }
