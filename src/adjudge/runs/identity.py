"""What makes two runs the same run."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from adjudge.contract import JsonObject, Judge
from adjudge.inputs import Source
from adjudge.judges.origin import Origin, origin_of
from adjudge.runs.shards import Shard


@dataclass(frozen=True)
class Identity:
    """Judge, version, options, method, reader, the models and how they are asked, the inputs by
    content, and which part of them."""

    judge: str
    judge_version: str
    options: JsonObject
    method: str
    reader: str | None
    models: tuple[str, ...]
    asking: JsonObject
    inputs: tuple[JsonObject, ...]
    shard: Shard | None = None
    origin: Origin | None = None

    @property
    def whole(self) -> Identity:
        """The identity of the run that this one is a shard of; its own if it is none."""
        return replace(self, shard=None)

    @property
    def hash(self) -> str:
        """The SHA-256 of all that shapes the verdicts, in hex.

        A file counts by its content and its label (which ids of cases without one begin with),
        not by the path it was reached through. So does a judge's own file, and a rubric by what it
        says; what a Python file imports is not looked at.
        """
        shaping: JsonObject = {
            "judge": self.judge,
            "version": self.judge_version,
            "options": self.options,
            "method": self.method,
            "reader": self.reader,
            "models": self.models,
            "asking": self.asking,
            "inputs": [[i["label"], i["sha256"]] for i in self.inputs],
        }
        if self.origin is not None and self.origin.sha256 is not None:
            shaping["code"] = self.origin.sha256
        if self.shard is not None:
            shaping["shard"] = str(self.shard)
        return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()

    @property
    def id(self) -> str:
        """A short name: the first twelve digits of the hash."""
        return self.hash[:12]


def identify(
    judge: Judge,
    method: str,
    sources: Sequence[Source],
    *,
    reader: str | None = None,
    models: Sequence[str] = (),
    asking: JsonObject | None = None,
    shard: Shard | None = None,
) -> Identity:
    """The identity of a run; reads every source once.

    Where a model stands, how fast and how patiently it is asked shapes no verdict.
    """
    return Identity(
        judge=judge.name,
        judge_version=judge.version,
        options=_options(judge),
        method=method,
        reader=reader,
        models=tuple(models),
        asking=asking or {},
        inputs=tuple({"name": s.name, "label": s.label, "sha256": s.digest()} for s in sources),
        shard=shard,
        origin=origin_of(type(judge)),
    )


def _options(judge: Judge) -> JsonObject:
    """The options; one that names a file stands for what is in it."""
    options = judge.model_dump(mode="json")
    for name, value in list(options.items()):
        if isinstance(value, str) and os.path.isfile(value):
            content = hashlib.sha256(Path(value).read_bytes()).hexdigest()
            options[name] = {"file": value, "sha256": content}
    return options
