"""``adjudge serve-rewards``: a judge as a reward server for OpenRLHF."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from adjudge.cli.ending import command, fail

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@command
def serve_rewards(
    judge: Annotated[
        str, typer.Argument(help="A judge's name (see `adjudge judges`), or package.module:Class.")
    ],
    method: Annotated[
        str | None, typer.Option(help="How the judge comes to an opinion.", metavar="NAME")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("-o", "--option", metavar="NAME=VALUE", help="Set an option of the judge."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(metavar="PROVIDER:NAME", help="A model to ask; several are a jury."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Where an openai-compatible model is.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; other machines reach 0.0.0.0 only.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 5000,
    time_limit: Annotated[
        float, typer.Option(min=0.1, help="Seconds for one request; OpenRLHF waits for 180.")
    ] = 170.0,
    max_batch: Annotated[
        int, typer.Option(min=1, help="The most completions in one request.")
    ] = 1024,
    missing: Annotated[
        float | None,
        typer.Option(
            metavar="REWARD",
            help="The number for what was not judged; null otherwise, which OpenRLHF cannot read.",
        ),
    ] = None,
) -> None:
    """Answer OpenRLHF's reward requests (POST /get_reward) with a judge's rewards.

    A request's labels are the cases that its completions complete. With ADJUDGE_REWARDS_TOKEN in
    the environment every request must bring that token. GET /health says whether the server is up.

    \b
    Examples:
      adjudge serve-rewards robot
      adjudge serve-rewards social --method direct --model openai:gpt-4o-mini --missing 0
      curl -s localhost:5000/health
    """
    import importlib.util

    if importlib.util.find_spec("fastapi") is None or importlib.util.find_spec("uvicorn") is None:
        fail("the reward server needs FastAPI and uvicorn: pip install 'adjudge[rewards]'")
    import uvicorn

    from adjudge.judges import load_judge
    from adjudge.judges.options import judge_from_text
    from adjudge.rewards import RewardSource
    from adjudge.rewards.server import TOKEN_VARIABLE, Limits, reward_app

    made = judge_from_text(load_judge(judge), option or ())
    source = RewardSource(made, method, asking={"model": model or None, "base_url": base_url})
    source.check()
    token = os.environ.get(TOKEN_VARIABLE) or None
    if host not in _LOOPBACK and token is None:
        print(
            f"adjudge: {host} can be reached from other machines and {TOKEN_VARIABLE} is not set: "
            "anyone there can have completions judged",
            file=sys.stderr,
        )
    app = reward_app(
        source,
        limits=Limits(seconds=time_limit, batch=max_batch),
        token=token,
        missing=missing,
    )
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    listening = config.bind_socket()
    listening.listen(config.backlog)
    at = listening.getsockname()
    print(
        f"adjudge: the {made.name} judge rewards at http://{at[0]}:{at[1]}/get_reward", flush=True
    )
    server.run(sockets=[listening])
