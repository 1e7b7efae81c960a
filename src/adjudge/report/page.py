"""The page: everything about a run in one file, its cases unpacked as they are looked at."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, TextIO

from markupsafe import Markup

from adjudge.agreement.labelling import Labelling
from adjudge.agreement.names import NAMES, number
from adjudge.contract import Fault, Judge, Scale
from adjudge.models import Prices
from adjudge.report.agreed import Agreed, agreed
from adjudge.report.charts import written
from adjudge.report.overview import Overview, spending
from adjudge.report.packing import script_json
from adjudge.report.rows import blocks
from adjudge.report.text import named, shown
from adjudge.report.told import told
from adjudge.runs.joined import Pairs
from adjudge.runs.of_run import judge_of, pairs_of
from adjudge.runs.store import RunInfo, Store

if TYPE_CHECKING:
    from jinja2 import Template

_SCRIPTS = ("show.js", "page.js")
_STYLE = "page.css"


@dataclass(frozen=True)
class Page:
    """A run that is ready to be written as a page."""

    store: Store
    run: RunInfo
    pairs: Pairs | str
    scales: dict[str, Scale]
    agreed: Agreed

    @classmethod
    def of(
        cls,
        store: Store,
        run: RunInfo,
        *,
        judge: str | None = None,
        labelling: Labelling = Labelling(),
        cases: Sequence[str] = (),
        reader: str | None = None,
    ) -> Page:
        """The page of a run, with the cases read again from its inputs, or from ``cases``.

        Where its inputs are gone or have changed, or its judge cannot be had, verdicts are shown
        without their cases and the page says why. Raises ``CannotJoin`` where ``cases`` are given
        and are not the run's; ``NoLabels`` where labels are named and there are none.
        """
        try:
            by = judge_of(run, judge)
            pairs = pairs_of(store, run, cases=cases, reader=reader, judge=by)
            labels = Agreed()
            if labelling or _labelled(pairs):
                labels = agreed(store, run, by, labelling, cases=cases, reader=reader)
        except Fault as fault:
            if cases or judge or labelling.named:
                raise
            return cls(store, run, str(fault), {}, Agreed(why="Without its cases: none is known."))
        return cls(store, run, pairs, _scales(by, pairs), labels)

    def write(self, stream: TextIO) -> None:
        """Write the page, its cases one block at a time in memory."""
        overview = Overview.of(self.store.verdicts(self.run))
        for piece in _template().generate(
            run=self.run,
            total=overview.tally.total,
            begun=self.run.created.replace("T", " ").replace("+00:00", " UTC"),
            notes=list(self._notes()),
            figures=[*overview.figures(), *spending(self.store.asked(self.run), Prices.load())],
            charts=overview.charts(self.scales),
            agreement=self.agreed,
            measures=NAMES,
            about=list(self._about()),
            blocks=map(
                script_json, blocks(told(self.store, self.run, self.pairs), self.agreed.labels)
            ),
            **_own(),
        ):
            stream.write(piece)

    def _notes(self) -> Iterator[str]:
        if isinstance(self.pairs, str):
            yield f"Verdicts are shown without their cases: {self.pairs}"

    def _about(self) -> Iterator[tuple[str, str]]:
        run = self.run
        asking = run.asking if run.models else {}
        options = {f"option {name}": value for name, value in run.options.items()}
        for name, value in (*asking.items(), *options.items()):
            if value is not None:
                yield name, value if isinstance(value, str) else json.dumps(value)
        for given in run.inputs:
            yield "input", f"{given['name']} (SHA-256 {given['sha256'][:12]}…)"


def _labelled(pairs: Pairs) -> bool:
    """Whether any case brings a label."""
    return any(getattr(joined.case, "label", None) is not None for joined in pairs())


def _scales(judge: Judge, pairs: Pairs) -> dict[str, Scale]:
    """Those of the first case."""
    first = next((joined.case for joined in pairs() if joined.case is not None), None)
    return dict(judge.scales(first)) if first is not None else {}


@cache
def _own() -> dict[str, Any]:
    """The page's own style and script, and the policy that lets nothing else run."""
    style = _file(_STYLE)
    script = "\n".join(_file(name) for name in _SCRIPTS)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )
    return {"style": Markup(style), "script": Markup(script), "policy": Markup(policy)}


def _file(name: str) -> str:
    return resources.files("adjudge.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("adjudge.report", "."), autoescape=True, undefined=StrictUndefined
    )
    environment.filters.update(
        shown=shown,
        named=named,
        written=written,
        figure=number,
        along=lambda value: f"{(min(max(value, -1), 1) + 1) * 50:.2f}",
    )
    return environment.get_template("page.html.j2")
