"""A model's endpoint that does nothing but answer, for benchmarks that ask.

The path says how: ``/250/robot/v1/chat/completions`` answers after 250 ms with an answer that suits
the robot judge. It has every field that the judges compared ask for.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
from collections.abc import Iterator, Mapping
from typing import Any

_REASON = "The mug stands in the sink under running water, which is what was asked. " * 4
ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "robot": {
        "summary": "Put the mug into the sink and turned the faucet on.",
        "execution_analysis": "Every step of the trace could be executed in the order given. " * 2,
        "evaluate": _REASON,
        "reason": _REASON,
        "score": 3,
        "success_boolean": True,
    },
    "browser": {
        "explanation": "The tab was found and read, and the answer rests on it. " * 8,
        "issues": [],
        "plain_knowledge_asked": False,
        "tool_call_accuracy": 5,
        "browser_context_awareness": 5,
        "assistant_usefulness": 4,
        "preference_adherence": 5,
        "response_conciseness": 5,
        "knowledge": 4,
    },
    "social": {
        "analysis": "Ann named a price that Bob could meet, and said why. " * 8,
        "scores": [{"turn": turn, "importance": turn % 4} for turn in range(0, 14, 2)],
    },
}


def _response(answer: Mapping[str, Any]) -> bytes:
    message = {"role": "assistant", "content": json.dumps(answer)}
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "none",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 600, "completion_tokens": 120, "total_tokens": 720},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


_RESPONSES = {name.encode(): _response(answer) for name, answer in ANSWERS.items()}


class _Server(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.waiting = b""

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        while (end := self.waiting.find(b"\r\n\r\n")) >= 0:
            head = self.waiting[:end].lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0] or 0)
            if len(self.waiting) < end + 4 + length:
                return
            self.waiting = self.waiting[end + 4 + length :]
            _, latency, kind, _ = head.split(b"/", 3)
            seconds = int(latency) / 1000
            if seconds:
                loop = asyncio.get_running_loop()
                loop.call_later(seconds, self.transport.write, _RESPONSES[kind])
            else:
                self.transport.write(_RESPONSES[kind])


def _serve(ports: multiprocessing.Queue[int]) -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(_Server, "127.0.0.1", 0, backlog=1024)
        ports.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


@contextlib.contextmanager
def answering() -> Iterator[str]:
    """The endpoint, in a process of its own: what its addresses begin with."""
    ports: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=_serve, args=(ports,), daemon=True)
    server.start()
    try:
        yield f"http://127.0.0.1:{ports.get()}"
    finally:
        server.terminate()
        server.join()
