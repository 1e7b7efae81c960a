"""All commands, one line each."""

from __future__ import annotations

import typer

from adjudge.cli.agree import agree
from adjudge.cli.attack import attack
from adjudge.cli.batch import batch
from adjudge.cli.diff import diff
from adjudge.cli.export import ExportCommand, export
from adjudge.cli.gate import gate
from adjudge.cli.goal import goal
from adjudge.cli.init import init
from adjudge.cli.judges import judges
from adjudge.cli.label import label
from adjudge.cli.merge import merge
from adjudge.cli.read import read
from adjudge.cli.render import render
from adjudge.cli.report import report
from adjudge.cli.run import run
from adjudge.cli.runs import runs
from adjudge.cli.serve_rewards import serve_rewards
from adjudge.cli.show import show
from adjudge.cli.simulate import simulate

# Plain help: drawing boxes would cost more time than all the rest of ``adjudge --help``.
app = typer.Typer(
    name="adjudge",
    help="Judge what agents did, inside the bounds of what can be proved.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(run)
app.command()(show)
app.command()(runs)
app.command()(merge)
app.command()(judges)
app.command()(init)
app.command()(read)
app.command()(simulate)
app.command()(goal)
app.command()(render)
app.command(cls=ExportCommand)(export)
app.command()(report)
app.add_typer(batch, name="batch")
app.add_typer(label, name="label")
app.command()(agree)
app.command()(diff)
app.command()(gate)
app.command()(attack)
app.command("serve-rewards")(serve_rewards)
