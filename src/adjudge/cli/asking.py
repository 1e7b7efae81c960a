"""The options that say which models are asked, and how."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from adjudge.runs.panel import Panel
    from adjudge.runs.stopping import Stop

ModelOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="PROVIDER:NAME",
        help="A model to ask: openai:…, anthropic:…, openai-compatible:… with --base-url, "
        "llamacpp:FILE.gguf. Several are several jurors.",
    ),
]
BaseUrlOption = Annotated[
    list[str] | None,
    typer.Option(
        "--base-url", metavar="URL", help="Where the models are: one for all, or one for each."
    ),
]
SamplesOption = Annotated[int, typer.Option(min=1, help="So many opinions of each model.")]
QuorumOption = Annotated[
    int | None,
    typer.Option(min=1, help="Opinions that must be scored.  [default: more than half]"),
]
TemperatureOption = Annotated[float, typer.Option(min=0, help="How freely answers are drawn.")]
MaxOutputTokensOption = Annotated[
    int | None, typer.Option(min=1, help="The longest answer.  [default: the endpoint's]")
]
SeedOption = Annotated[
    int | None, typer.Option(help="Sample n is drawn with this seed + n, where seeds are known.")
]
ConcurrencyOption = Annotated[
    int, typer.Option(min=1, help="At most so many questions in flight at once.")
]
RpmOption = Annotated[
    float | None,
    typer.Option(
        "--rpm", help="Requests a minute at one endpoint.  [default: what it turns out to allow]"
    ),
]
TpmOption = Annotated[
    float | None,
    typer.Option(
        "--tpm", help="Tokens a minute, read and written.  [default: what it says it allows]"
    ),
]
TimeoutOption = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", help="For one request.  [default: 120]"),
]
DeadlineOption = Annotated[
    float | None,
    typer.Option(
        min=0, metavar="SECONDS", help="For a question, asked again and again.  [default: 600]"
    ),
]
MaxCostOption = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="USD",
        help="Ask nothing more once the run has cost so much; the same command goes on.",
    ),
]
MaxTokensOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        help="Ask nothing more once the run has read and written so many tokens.",
    ),
]
PricesOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Prices of models, over those known and those in ADJUDGE_PRICES."
    ),
]


def panel_from(
    stop: Stop,
    *,
    model: list[str] | None,
    base_url: list[str] | None,
    samples: int,
    quorum: int | None,
    temperature: float,
    max_output_tokens: int | None,
    seed: int | None,
    concurrency: int,
    rpm: float | None,
    tpm: float | None,
    timeout: float | None,
    deadline: float | None,
    max_cost: float | None,
    max_tokens: int | None,
    prices: str | None,
) -> Panel | None:
    """The models to ask, or ``None``; what is doubtful about the way is said on standard error."""
    if not model:
        return None
    from adjudge.runs.panel import make_panel

    panel = make_panel(
        {
            "model": model,
            "base_url": base_url,
            "samples": samples,
            "quorum": quorum,
            "temperature": temperature,
            "max_output_tokens": max_output_tokens,
            "seed": seed,
            "concurrency": concurrency,
            "rpm": rpm,
            "tpm": tpm,
            "timeout": timeout,
            "deadline": deadline,
            "max_cost": max_cost,
            "max_tokens": max_tokens,
            "prices": prices,
        },
        stop,
    )
    for warning in panel.warnings:
        print(f"adjudge: warning: {warning}", file=sys.stderr)
    return panel
