"""Run the misbehaving endpoint: ``python -m adjudge.testing --port 8089 --fault rate_limit``."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys

from adjudge.testing.endpoint import MisbehavingEndpoint
from adjudge.testing.faults import FAULTS
from adjudge.testing.rate_limit import RateLimit


async def _serve(endpoint: MisbehavingEndpoint) -> None:
    async with endpoint:
        sys.stdout.write(f"{endpoint.url} (each fault under …/faults/NAME/v1)\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m adjudge.testing", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--rpm", type=int, help="refuse more requests in any 60 seconds (429)")
    parser.add_argument("--fault", choices=sorted(FAULTS), help="how to misbehave")
    parser.add_argument(
        "--answer", type=json.loads, help="a JSON object; without one the least that fits the form"
    )
    parser.add_argument("--faults", action="store_true", help="list the faults and stop")
    given = parser.parse_args()
    if given.faults:
        for fault in FAULTS.values():
            sys.stdout.write(f"{fault.name:22} {fault.about}\n")
        return
    endpoint = MisbehavingEndpoint(
        given.answer,
        fault=given.fault,
        latency=given.latency,
        rate_limit=RateLimit(given.rpm) if given.rpm else None,
        port=given.port,
    )
    try:
        asyncio.run(_serve(endpoint))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
