"""Messages between this process and its workers, as length and pickle, small and quick to make.

Pickles only ever cross between a process and the children that it started itself.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

from adjudge.contract import Message, Question, Reply, Usage
from adjudge.runs.bench import Outcome
from adjudge.runs.sitting import Answered, Begin, Left, Step

_LENGTH = struct.Struct("<Q")


class Frames:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def add(self, data: bytes) -> Iterator[Any]:
        """The messages that ``data`` completes."""
        self._bytes += data
        start = 0
        while len(self._bytes) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._bytes, start)
            begin = start + _LENGTH.size
            if len(self._bytes) - begin < length:
                break
            start = begin + length
            yield pickle.loads(memoryview(self._bytes)[begin:start])  # noqa: S301
        del self._bytes[:start]


def read_frames(stream: BinaryIO) -> Iterator[Any]:
    """The messages in a blocking stream, until its end."""
    while len(head := stream.read(_LENGTH.size)) == _LENGTH.size:
        yield pickle.loads(stream.read(_LENGTH.unpack(head)[0]))  # noqa: S301


def frame(message: Any) -> bytes:
    """A message as bytes."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


def pack_message(message: Begin | Answered | Left) -> Any:
    """A message to a worker in plain values; an item is read again there, from its piece."""
    if isinstance(message, Begin):
        return message._replace(item=None)
    if isinstance(message, Left):
        return message
    replies = {
        key: (
            reply.status,
            reply.value,
            reply.text,
            reply.reason,
            dict(reply.usage),
            reply.meta,
        )
        for key, reply in message.replies.items()
    }
    return message.position, message.juror, replies


def unpack_message(plain: Any) -> Begin | Answered | Left:
    """What ``pack_message`` packed."""
    if isinstance(plain, Begin | Left):
        return plain
    position, juror, replies = plain
    return Answered(position, juror, {key: _reply(*given) for key, given in replies.items()})


def pack_step(step: Step) -> Any:
    """A worker's answer in plain values."""
    if step is None or isinstance(step, Outcome):
        return step
    return [(q.key, [(m.role, m.content) for m in q.messages], q.form) for q in step]


def unpack_step(plain: Any) -> Step:
    """What ``pack_step`` packed."""
    if plain is None or isinstance(plain, Outcome):
        return plain
    # made by a worker from valid ones: there is nothing to validate
    return tuple(
        Question.model_construct(
            key=key,
            messages=tuple(Message.model_construct(role=r, content=c) for r, c in messages),
            form=form,
        )
        for key, messages, form in plain
    )


def _reply(
    status: Any, value: Any, text: str | None, reason: str | None, usage: Any, meta: Any
) -> Reply:
    return Reply.model_construct(
        status=status,
        value=value,
        text=text,
        reason=reason,
        usage=Usage.model_construct(**usage),
        meta=meta,
    )
