"""A case as a policy saw it: what it was given, and what it answered."""

from __future__ import annotations

import json

from adjudge.contract import JsonObject
from adjudge.judges.browser.case import BrowserCase, ConversationMessage
from adjudge.judges.robot.case import RobotCase


def robot_prompt(case: RobotCase) -> str:
    """The instruction, and the scene as JSON where there is one."""
    if case.scene is None:
        return case.instruction
    scene = case.scene.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return f"{case.instruction}\n\n{json.dumps(scene, ensure_ascii=False)}"


def robot_plan(case: RobotCase) -> list[str]:
    """The steps of the plan, those that were never reached too."""
    if case.plan is not None:
        return case.plan
    return [*case.trace.executed, *case.trace.remaining] if case.trace is not None else []


def browser_messages(case: BrowserCase) -> tuple[list[JsonObject], list[JsonObject]]:
    """The messages before the response, and the response, as chat messages of text.

    Calls and results stand in the text as JSON: not every chat template knows them.
    """
    return [_message(m) for m in case.before], [_message(m) for m in case.response]


def _message(message: ConversationMessage) -> JsonObject:
    parts = [message.text] if message.text else []
    parts += [
        json.dumps({"call": call.name, "arguments": call.arguments}, ensure_ascii=False)
        for call in message.calls
    ]
    parts += [result.text for result in message.results]
    return {"role": message.role, "content": "\n".join(parts)}
