"""inspect_ai: a task whose scorer asks a grader model with a response schema, run by ``eval``.

The solver does nothing, since what is judged is there already. Logging is as it comes (at this size
without writing while it goes), there is no display, and as many samples and connections as are to
be in flight.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from typing import Any

from contenders.answer import SCHEMA
from contenders.harness import Load, measured


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """One ``eval`` over as many samples."""
    import inspect_ai
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessageSystem,
        ChatMessageUser,
        GenerateConfig,
        ResponseSchema,
        get_model,
    )
    from inspect_ai.scorer import Score, mean, scorer
    from inspect_ai.solver import solver
    from inspect_ai.util import JSONSchema

    schema = JSONSchema.model_validate(SCHEMA)
    form = ResponseSchema(name="verdict", json_schema=schema, strict=True)
    grader = get_model(
        "openai-api/bench/none",
        base_url=load.url,
        api_key="none",
        config=GenerateConfig(temperature=0, max_connections=load.in_flight, response_schema=form),
        memoize=False,
    )

    def nothing() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            return state

        return solve

    def graded() -> Any:
        async def score(state: Any, target: Any) -> Any:
            asked = [
                ChatMessageSystem(content=load.system()),
                ChatMessageUser(content=state.input_text),
            ]
            answer = json.loads((await grader.generate(asked)).completion)
            done()
            return Score(value=answer["score"], explanation=answer["evaluate"])

        return score

    samples = [Sample(id=number, input=load.case(number)) for number in range(count)]
    task = inspect_ai.Task(
        dataset=MemoryDataset(samples),
        solver=solver(nothing)(),
        scorer=scorer(metrics=[mean()])(graded)(),
    )
    with tempfile.TemporaryDirectory() as folder:
        log = inspect_ai.eval(
            task,
            model=grader,
            log_dir=folder,
            display="none",
            max_samples=load.in_flight,
            max_connections=load.in_flight,
        )[0]
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == 3


if __name__ == "__main__":
    measured(run, "inspect_ai")
