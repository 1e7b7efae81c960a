"""The first question with a new beginning goes out ahead of those that share it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from adjudge.contract import Message
from adjudge.models.transport import ModelRequest

LEAST = 4000
"""Characters, some 1,000 tokens: providers keep no shorter beginning of a prompt."""

PATIENCE = 2.0
"""Seconds: by then a provider has read the prompt, though it may not have answered."""

KEPT = 240.0
"""Seconds: providers forget a beginning that nobody used for five minutes."""

_MOST = 4096


class Warmth:
    """Keeps a provider's prompt cache of use to questions that are asked at the same time.

    Samples of one prompt, and the questions of one case, begin alike and would all be sent before
    the provider has read any of them. So the first goes ahead, and the others follow once it is
    answered, or after two seconds. Where a beginning is known, too short to be kept, or nobody's
    else, nothing waits.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._used: OrderedDict[int, float] = OrderedDict()
        self._leading: dict[int, asyncio.Future[None]] = {}

    async def follow(self, request: ModelRequest) -> contextlib.AbstractContextManager[None]:
        """Wait for whoever leads; then ask within what this returns."""
        beginning = _beginning(request)
        if beginning is None:
            return contextlib.nullcontext()
        leader = self._leading.get(beginning)
        if leader is not None:
            await asyncio.wait((leader,), timeout=PATIENCE)
        now = self._clock()
        known = now - self._used.get(beginning, float("-inf")) < KEPT
        self._used[beginning] = now
        self._used.move_to_end(beginning)
        if len(self._used) > _MOST:
            self._used.popitem(last=False)
        if known or beginning in self._leading:
            return contextlib.nullcontext()
        return self._lead(beginning)

    @contextlib.contextmanager
    def _lead(self, beginning: int) -> Iterator[None]:
        leading = self._leading[beginning] = asyncio.get_running_loop().create_future()
        try:
            yield
        finally:
            del self._leading[beginning]
            leading.set_result(None)


def shared_beginning(questions: Sequence[tuple[Message, ...]]) -> int:
    """How many characters the last messages begin with alike, where all before them are the same.

    >>> told = Message(role="system", content="You judge.")
    >>> texts = ("A long case. Turn 1", "A long case. Turn 2")
    >>> shared_beginning([(told, Message(role="user", content=text)) for text in texts])
    18
    """
    if len({messages[:-1] for messages in questions}) != 1:
        return 0
    texts = [messages[-1].content for messages in questions]
    first, last = min(texts), max(texts)
    low, high = 0, min(len(first), len(last))
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == last[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _beginning(request: ModelRequest) -> int | None:
    """What is shared, as a number: all messages but the last, and the beginning of that one."""
    *before, last = request.messages
    length = 0
    for message in request.messages:
        length += len(message.content)
    if length < LEAST:
        return None
    texts = [message.content for message in before]
    return hash((*texts, last.content[: request.shared or LEAST]))
