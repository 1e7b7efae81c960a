"""What the robot judge proves: the trace, the goal, progress, the role of each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StepRole = Literal["necessary", "tidy", "neutral", "redundant", "failed", "not_executed"]
GoalSource = Literal["case", "reader", "instruction", "model"]
ErrorClass = Literal["hallucination", "malformed", "affordance", "missing_step", "wrong_order"]


@dataclass(frozen=True, slots=True)
class StepError:
    """Why a step did not execute.

    ``kind`` is one of the simulator's (``container_closed``, ``not_reachable`` …), ``None`` where
    another simulator's own text is all there is; ``step`` its 0-based index in the plan;
    ``would_help`` the step that would have met the missing precondition.
    """

    kind: str | None
    error_class: ErrorClass | None
    step: int
    text: str
    would_help: str | None = None


@dataclass(frozen=True, slots=True)
class TraceFacts:
    """PART 1 (``executed``, with indexes into the plan), PART 2, PART 3 (``remaining``).

    ``left_out`` are additional steps, with their indexes, that an action model leaves out.
    """

    executed: tuple[str, ...]
    executed_indexes: tuple[int, ...]
    failed: bool
    error: StepError | None
    remaining: tuple[str, ...]
    left_out: tuple[tuple[int, str], ...] = ()

    @property
    def total_steps(self) -> int:
        """Steps that executed and steps that did not."""
        return len(self.executed) + len(self.remaining)

    @property
    def step_ratio(self) -> float:
        """Executed steps over all steps, 0 for an empty plan."""
        return len(self.executed) / self.total_steps if self.total_steps else 0.0


@dataclass(frozen=True, slots=True)
class GoalFacts:
    """The goal: where it came from, in words, whether it holds and since which step.

    ``met`` is ``None`` where a step of unknown effect leaves it open; ``met_at`` is the 0-based
    step after which it held until the end; -1: from the start.
    """

    source: GoalSource
    text: str
    met: bool | None
    met_at: int | None


@dataclass(frozen=True, slots=True)
class RobotFacts:
    """Everything ``check`` proved. ``goal`` is ``None`` where no goal could be had."""

    trace: TraceFacts
    goal: GoalFacts | None
    semantic_progress: float | None
    optimal_length: int | None
    roles: tuple[tuple[str, StepRole], ...]
