"""Steps on a state: what executes, what it changes, and why the first one that fails does."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from adjudge.judges.robot.conditions import (
    ABSENT,
    Assumptions,
    fluent,
)
from adjudge.judges.robot.facts import ErrorClass, StepError
from adjudge.judges.robot.ground import Ground, ground
from adjudge.judges.robot.stepping import (
    Failure,
    check_terms,
    has_nothing_to_do,
    make,
    unreached,
)
from adjudge.judges.robot.steps import Step, names_in, read_step
from adjudge.judges.robot.wording import missing, named
from adjudge.judges.robot.words import WAS, condition_of
from adjudge.judges.robot.world import HANDS, Key, State, World

_CLASSES: dict[str, ErrorClass] = {
    "unknown_action": "hallucination",
    "unknown_object": "hallucination",
    "wrong_arity": "malformed",
    "unreadable": "malformed",
    "no_affordance": "affordance",
}
_MOST_READINGS = 64


@dataclass(slots=True)
class Done:
    """One executed step: what it was read as, and whether it changed anything."""

    index: int
    ground: Ground | None
    effective: bool


@dataclass(slots=True)
class Run:
    """A plan on a world: what executed, what stopped it, the start that it shows.

    ``left_out`` are the additional steps of a domain that leaves those out.
    """

    done: list[Done] = field(default_factory=list)
    failure: Failure | None = None
    failed_at: int | None = None
    violations: list[tuple[int, Failure]] = field(default_factory=list)
    left_out: list[tuple[int, Failure]] = field(default_factory=list)
    state: State = field(default_factory=dict)
    assumed: Assumptions | None = None
    error: StepError | None = None


def read_ground(world: World, text: str, state: State) -> tuple[Step, list[Ground]] | Failure:
    """A step as the actions it can mean, or why it means none: unreadable, unknown action, wrong
    number of arguments, unknown object, an affordance that is missing (in this order)."""
    step = read_step(text, world.domain)
    if step is None:
        return Failure("unreadable", text="the step cannot be read; expected action(object, …)")
    action = world.domain.actions.get(step.action)
    if action is None:
        near = difflib.get_close_matches(step.action, list(world.domain.actions), 1)
        hint = f"; did it mean {near[0]}?" if near else ""
        return Failure("unknown_action", text=f"there is no action {named(step.action)}{hint}")
    arguments = step.arguments
    if step.implied:
        held = state[HANDS]
        arguments = (held[-1] if held else "", *arguments)
    names = action.names_for(len(arguments))
    if names is None:
        takes = " or ".join(str(len(n)) for n in action.arguments)
        return Failure(
            "wrong_arity",
            text=f"{action.name} takes {takes} arguments, found {len(arguments)}",
        )
    choices: list[tuple[str, ...]] = []
    for name, argument in zip(names, arguments, strict=True):
        if name in ("_agent", "_what") or not argument:
            choices.append((argument,))
            continue
        candidates = world.resolve(argument)
        if not candidates:
            near = difflib.get_close_matches(argument, list(world.categories)[:10_000], 1)
            hint = f"; the nearest name is {near[0]}" if near else ""
            return Failure(
                "unknown_object",
                arguments=(argument, ""),
                text=f"nothing in the scene is called {named(argument)}{hint}",
            )
        choices.append(candidates[:_MOST_READINGS])
    grounds = []
    refused: Failure | None = None
    for values in product(*choices):
        reading = ground(world.domain, action.name, names, values)
        lacking = _lacks(world, reading)
        if lacking is None:
            grounds.append(reading)
        else:
            refused = refused or lacking
        if len(grounds) >= _MOST_READINGS:
            break
    if not grounds:
        return refused or Failure("unknown_object", text="no such object")
    return step, grounds


def _lacks(world: World, ground: Ground) -> Failure | None:
    for bound in ground.affordances:
        if bound.a and world.can(bound.a, bound.word) is False:
            text = f"{named(bound.a)} is not {bound.word}"
            return Failure("no_affordance", bound.term, (bound.a, ""), text)
    return None


def attempt(
    world: World,
    state: State,
    grounds: Sequence[Ground],
    assume: Assumptions | None,
    log: list[tuple[Key, object]],
) -> tuple[Ground, bool] | tuple[Ground, Failure]:
    """Execute the first reading of a step that has an effect; else the first without one; else
    say why the first fails, or the first that is only additional."""
    idle: Ground | None = None
    first: Failure | None = None
    for reading in grounds:
        if has_nothing_to_do(world, state, reading, assume is not None):
            away = unreached(world, state, reading, assume)
            if away is None:
                idle = idle or reading
            else:
                first = first or away
            continue
        failure = check_terms(world, state, reading, assume)
        if failure is None:
            if assume is not None:
                assume.keep()
            return reading, make(world, state, reading, assume, log)
        if assume is not None:
            assume.back()
        if first is None or (failure.additional and not first.additional):
            first = failure
    if idle is not None:
        return idle, False
    assert first is not None
    return grounds[0], first


def execute(
    world: World,
    plan: Sequence[str],
    presupposed: State | None = None,
    *,
    believe: bool = False,
) -> Run:
    """Run a plan in the executing reading, up to its first failure.

    ``presupposed`` are start facts that a step may still show otherwise. With ``believe`` every
    step counts as executed: what speaks against it is a violation, and its effects are applied.
    In a world that is known nothing is assumed.
    """
    start: State = {**(presupposed or {}), **world.start}
    start.setdefault(HANDS, ())
    soft = {key for key in presupposed or () if key not in world.start}
    state = start.copy()
    shown = Assumptions(start, soft, hands_open=not world.hands_stated)
    assume = None if world.known else shown
    run = Run(state=state, assumed=shown)
    history: list[list[tuple[Key, object]]] = []
    for index, text in enumerate(plan):
        shown.step = index
        log: list[tuple[Key, object]] = []
        reading: Ground | None = None
        failure: Failure | None = None
        effective = False
        read = read_ground(world, text, state)
        if believe and isinstance(read, Failure) and read.kind == "unknown_object":
            # what a believed step handled was there, whatever the scene lists
            failure = read
            for name in names_in([text], world.domain):
                world.add(name)
            read = read_ground(world, text, state)
        if isinstance(read, Failure):
            failure = failure or read
        else:
            reading, outcome = attempt(world, state, read[1], assume, log)
            if isinstance(outcome, Failure):
                failure = failure or outcome
            elif failure is None or not believe:
                effective = outcome
        if failure is not None and failure.additional:
            run.left_out.append((index, failure))
            if not believe:
                continue
        elif failure is not None:
            if not believe:
                run.failure, run.failed_at = failure, index
                run.error = _explain(world, state, text, index, reading, failure, history)
                break
            run.violations.append((index, failure))
            if reading is not None:
                effective = make(world, state, reading, assume, log)
        run.done.append(Done(index, reading, effective))
        history.append(log)
    return run


def _explain(
    world: World,
    state: State,
    text: str,
    index: int,
    ground: Ground | None,
    failure: Failure,
    history: list[list[tuple[Key, object]]],
) -> StepError:
    if failure.text:
        return StepError(failure.kind, _CLASSES[failure.kind], index, failure.text)
    sentence, helps = missing(world, state, ground, failure)
    error_class: ErrorClass | None
    marked = failure.term.error if failure.term is not None else ""
    if marked:
        error_class = "affordance" if marked == "affordance" else None
    elif _held_before(world, state, ground, failure, history):
        error_class = "wrong_order"
    else:
        error_class = "missing_step"
    return StepError(failure.kind, error_class, index, sentence, helps)


def _held_before(
    world: World,
    state: State,
    ground: Ground | None,
    failure: Failure,
    history: list[list[tuple[Key, object]]],
) -> bool:
    """Whether the missing precondition held in an earlier state: walks the changes backwards."""
    term = failure.term
    if term is None or ground is None:
        return False
    past = state.copy()
    a, b = failure.arguments
    was = WAS.get(term.word)
    if was is not None and was(world, past, state, a):
        # what is looked for can hold right now without the requirement holding
        return True
    condition = condition_of(term)
    for log in reversed(history):
        for key, old in reversed(log):
            if old is ABSENT:
                past.pop(key, None)
            else:
                past[key] = old
        if was is not None:
            if was(world, past, state, a):
                return True
        elif condition is not None:
            # a household condition may settle where the robot stands
            if condition(world, past if world.graph else past.copy(), a, b, None) is None:
                return True
        elif world.graph:
            if fluent(world, past, term.word, a, not term.negated, None):
                return True
        elif past.get((term.word, a)) is (not term.negated):
            return True
    return False
