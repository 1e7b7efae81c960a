"""deepeval: its ``GEval`` metric with given steps (one question a case), run by ``evaluate``.

The model is its ``LocalModel``, for endpoints that speak OpenAI's dialect. The prompt around ours
is its own. Telemetry, indicators and printed results are off, and time-outs are lifted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import Any

from contenders.harness import Load, measured

for name in ("DEEPEVAL_TELEMETRY_OPT_OUT", "DEEPEVAL_DISABLE_DOTENV", "ERROR_REPORTING"):
    os.environ[name] = "0" if name == "ERROR_REPORTING" else "1"
os.environ["DEEPEVAL_RETRY_MAX_ATTEMPTS"] = "2"
# with as many in flight a case waits for the others' work, longer than time-outs allow
for name in ("PER_ATTEMPT", "PER_TASK"):
    os.environ[f"DEEPEVAL_{name}_TIMEOUT_SECONDS_OVERRIDE"] = "86400"


def run(load: Load, count: int, done: Callable[..., None]) -> None:
    """One ``evaluate`` over as many test cases."""
    from deepeval import evaluate
    from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig, ErrorConfig
    from deepeval.metrics import GEval
    from deepeval.models import LocalModel
    from deepeval.test_case import LLMTestCase, SingleTurnParams

    model = LocalModel(model="none", base_url=load.url, api_key="none", temperature=0)

    class Counted(GEval):  # type: ignore[misc]
        async def a_measure(self, *given: Any, **named: Any) -> Any:
            score = await super().a_measure(*given, **named)
            done()
            return score

    metric = Counted(
        name="plan",
        evaluation_steps=[load.system()],
        evaluation_params=[SingleTurnParams.ACTUAL_OUTPUT],
        model=model,
    )
    cases = [LLMTestCase(input="", actual_output=load.case(number)) for number in range(count)]
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            result = evaluate(
                cases,
                [metric],
                async_config=AsyncConfig(max_concurrent=load.in_flight),
                display_config=DisplayConfig(show_indicator=False, print_results=False),
                cache_config=CacheConfig(write_cache=False),
                error_config=ErrorConfig(ignore_errors=False),
            )
        finally:
            os.chdir(here)
    assert len(result.test_results) == count
    for one in result.test_results:
        assert one.metrics_data[0].score is not None, one.metrics_data[0].error


if __name__ == "__main__":
    measured(run, "deepeval")
