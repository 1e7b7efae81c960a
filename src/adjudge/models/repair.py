"""The one repair turn: the model is shown its answer and told what was wrong with it."""

from __future__ import annotations

from dataclasses import replace

from adjudge.contract import Message
from adjudge.models.transport import ModelRequest

_KEPT = 8_000


def repair(request: ModelRequest, answer: str, reason: str) -> ModelRequest:
    """The request with the unusable answer and the reason added, to be asked once more.

    Of a very long answer only the end is shown, where a cut or a second object would be.
    """
    shown = answer if len(answer) <= _KEPT else f"…{answer[-_KEPT:]}"
    told = (
        f"That answer cannot be used ({reason}). Give the whole answer again as one JSON object "
        "with your own words and values in every field, and write nothing around it."
    )
    turn = (
        Message(role="assistant", content=shown.strip() or "(no answer)"),
        Message(role="user", content=told),
    )
    return replace(request, messages=request.messages + turn, shared=0)
