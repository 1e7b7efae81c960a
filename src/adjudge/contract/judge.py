"""What a judge is, and what one of its methods is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from pydantic import BaseModel, ConfigDict

from adjudge.contract.asking import Ask, Reply
from adjudge.contract.base import Frozen, JsonObject, ScoreValue
from adjudge.contract.evidence import Evidence
from adjudge.contract.opinions import Opinion
from adjudge.contract.records import Reader
from adjudge.contract.scales import Scale


class Method(Protocol):
    """One way to an opinion. ``step`` is pure and is called again with all replies so far.

    It asks at most ``max_rounds`` times. One that as a rule asks more than once says how often in
    ``usual_rounds``: estimates of what a run will ask go by that.
    """

    @property
    def name(self) -> str: ...
    @property
    def needs_model(self) -> bool: ...
    @property
    def max_rounds(self) -> int: ...
    def step(
        self, case: Any, evidence: Evidence[Any], replies: Mapping[str, Reply]
    ) -> Ask | Opinion: ...


class Decision(Frozen):
    """What ``conclude`` decided, handed to the judge so that it can publish it.

    ``opinion`` is the one whose words are published: the first scored one whose bounded scores
    equal the decision's, else the first scored one, else ``None``.
    """

    scores: Mapping[str, ScoreValue]
    unscored: Mapping[str, str]
    rules: tuple[str, ...]
    flags: tuple[str, ...]
    opinion: Opinion | None


class Published(Frozen):
    """A verdict in the judge's own words: its output format, details, success and reward."""

    output: JsonObject
    details: JsonObject
    success: bool | None = None
    reward: float | None = None


class Judge(BaseModel):
    """A case type, options (its fields), a check, scales and methods.

    ``check``, ``scales`` and ``publish`` are pure: no I/O, no clock, no randomness.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    version: ClassVar[str]
    Case: ClassVar[type[BaseModel]]

    def readers(self) -> Mapping[str, Reader]:
        """Format name to reader, most specific first; the last one takes whatever is left."""
        raise NotImplementedError

    def is_part(self, value: Any) -> bool:
        """Whether an element of a JSON array is only a part of one case, so that the array is one
        record. By default each element is a record of its own."""
        return False

    def check(self, case: Any) -> Evidence[Any]:
        """Prove what can be proved about ``case``."""
        raise NotImplementedError

    def scales(self, case: Any) -> Mapping[str, Scale]:
        """Dimension to scale."""
        raise NotImplementedError

    def methods(self) -> Mapping[str, Method]:
        """Method name to method; the first that needs no model is the default without one, the
        first that needs one is the default with one."""
        raise NotImplementedError

    def publish(self, case: Any, evidence: Evidence[Any], decision: Decision) -> Published:
        """Say the decision in the judge's own output format."""
        raise NotImplementedError

    def agent_texts(self, case: Any) -> Sequence[tuple[str | int, ...]]:
        """The ways, in ``case`` as JSON, to the words of the agent that is judged, in order; none
        where nothing is known to be its own. ``adjudge attack`` rewrites them."""
        return ()

    def method(self, name: str | None, *, with_model: bool = False) -> Method:
        """The method called ``name``, or the default; ``KeyError`` says which there are."""
        methods = self.methods()
        if name is None:
            for method in methods.values():
                if method.needs_model == with_model:
                    return method
            return next(iter(methods.values()))
        if name not in methods:
            raise KeyError(
                f"the {self.name} judge has no method {name!r}; it has {', '.join(methods)}"
            )
        return methods[name]
