"""What asking costs: our client beside a bare aiohttp loop, against a server on this machine.

Run ``python benchmarks/asking.py``. Each figure comes from a client in a process of its own; the
server is another process that does nothing but answer. CPU is user and system time of the client.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from statistics import median
from typing import Any

import aiohttp
from pydantic import BaseModel, Field

IN_FLIGHT = 200
READY = 50
PROMPT = "The robot put the mug into the sink and turned the faucet on. " * 40
ANSWER = {
    "summary": "Put the mug into the sink and turned the faucet on.",
    "execution_analysis": "Every step of the trace could be executed in the order given. " * 2,
    "evaluate": "The mug stands in the sink under running water, which is what was asked. " * 4,
    "score": 3,
    "success_boolean": True,
}
REPLY = json.dumps(
    {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "none",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": json.dumps(ANSWER)},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": 600, "completion_tokens": 120, "total_tokens": 720},
    }
).encode()
RESPONSE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
    + str(len(REPLY)).encode()
    + b"\r\n\r\n"
    + REPLY
)
Ask = Callable[[int], Awaitable[None]]


class Form(BaseModel, frozen=True):
    """An answer of the usual size."""

    summary: str
    execution_analysis: str
    evaluate: str
    score: int = Field(ge=0, le=4)
    success_boolean: bool


class Server(asyncio.Protocol):
    """Answers every request with the same bytes; ``/250/…`` in the path means 250 ms later."""

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
            delay = int(head.split(b"/", 2)[1]) / 1000
            if delay:
                asyncio.get_running_loop().call_later(delay, self.transport.write, RESPONSE)
            else:
                self.transport.write(RESPONSE)


def serve(ports: multiprocessing.Queue[int]) -> None:
    """Run the server for ever."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Server, "127.0.0.1", 0)
        ports.put(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


async def bare(base_url: str) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """aiohttp and json, nothing else."""
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=IN_FLIGHT),
        headers={"Content-Type": "application/json", "Authorization": "Bearer none"},
    )

    async def ask(number: int) -> None:
        messages = [{"role": "user", "content": f"{number} {PROMPT}"}]
        data = json.dumps({"model": "none", "messages": messages, "temperature": 0}).encode()
        async with session.post(f"{base_url}/chat/completions", data=data) as response:
            body = json.loads(await response.read())
        score = json.loads(body["choices"][0]["message"]["content"])["score"]
        assert score == 3

    return ask, session.close


async def ours(base_url: str) -> tuple[Ask, Callable[[], Awaitable[None]]]:
    """Our client, with a cache that is asked and keeps nothing."""
    from adjudge.contract import Message, Question
    from adjudge.models import StoredReply, connect

    class Nothing:
        async def get_many(self, keys: Sequence[str]) -> Mapping[str, StoredReply]:
            return {}

        async def put(self, key: str, reply: StoredReply) -> None:
            return None

    client = connect(
        "openai-compatible:none", base_url=base_url, concurrency=IN_FLIGHT, cache=Nothing()
    )

    async def ask(number: int) -> None:
        message = Message(role="user", content=f"{number} {PROMPT}")
        reply = await client.ask(Question(key="mark", messages=(message,), form=Form))
        assert reply.status == "ok", reply.reason

    return ask, client.aclose


async def measure(kind: str, base_url: str, count: int) -> dict[str, float]:
    """Ask ``count`` times, ``IN_FLIGHT`` at a time, after as many to warm up."""
    ask, close = await (ours if kind == "ours" else bare)(base_url)

    # our client counts what is in flight itself; a few more questions stand ready
    workers = IN_FLIGHT if kind == "bare" else IN_FLIGHT + READY

    async def run(numbers: range) -> None:
        left = iter(numbers)

        async def worker() -> None:
            for number in left:
                await ask(number)

        await asyncio.gather(*(worker() for _ in range(workers)))

    await run(range(IN_FLIGHT))
    cpu, wall = time.process_time(), time.perf_counter()
    await run(range(IN_FLIGHT, IN_FLIGHT + count))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    await close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"cpu_ms": cpu * 1000 / count, "rate": count / wall, "peak_mb": peak}


def in_process(kind: str, base_url: str, count: int) -> dict[str, float]:
    """``measure`` in a process of its own."""
    command = [sys.executable, __file__, "--client", kind, base_url, str(count)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def report(rounds: int, count: int, long: int) -> None:
    """Measure and print."""
    ports: multiprocessing.Queue[int] = multiprocessing.Queue()
    server = multiprocessing.Process(target=serve, args=(ports,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{ports.get()}"
    results: dict[tuple[str, int], list[dict[str, float]]] = {}
    for _ in range(rounds):
        for latency in (0, 250):
            for kind in ("bare", "ours"):
                found = in_process(kind, f"{url}/{latency}/v1", count)
                results.setdefault((kind, latency), []).append(found)
    print(f"{count} judgements, {IN_FLIGHT} in flight, median of {rounds} runs")
    print(f"{'':24}{'CPU ms each':>12}{'per second':>12}{'peak MB':>10}")
    middle: dict[tuple[str, int], dict[str, Any]] = {}
    for (kind, latency), runs in sorted(results.items(), key=lambda item: item[0][1]):
        figures = {name: median(run[name] for run in runs) for name in runs[0]}
        middle[kind, latency] = figures
        line = f"{figures['cpu_ms']:12.3f}{figures['rate']:12.0f}{figures['peak_mb']:10.0f}"
        print(f"{kind + f', {latency} ms latency':24}{line}")
    cpu = middle["ours", 0]["cpu_ms"] / middle["bare", 0]["cpu_ms"]
    rate = middle["ours", 250]["rate"] / middle["bare", 250]["rate"]
    print(f"CPU at 0 ms: {cpu:.2f} times the bare loop's; rate at 250 ms: {rate:.1%} of it")
    if long:
        peak = in_process("ours", f"{url}/0/v1", long)["peak_mb"]
        print(f"peak memory after {long} judgements: {peak:.0f} MB")
    server.terminate()


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--long", type=int, default=100_000, help="0 to leave it out")
    parser.add_argument("--client", nargs=3, metavar=("KIND", "URL", "COUNT"), help="internal")
    given = parser.parse_args()
    if given.client:
        kind, url, count = given.client
        print(json.dumps(asyncio.run(measure(kind, url, int(count)))))
    else:
        report(given.rounds, given.count, given.long)


if __name__ == "__main__":
    main()
