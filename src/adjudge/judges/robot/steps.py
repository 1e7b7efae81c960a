"""Plan steps as written, read as an action and its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from adjudge.judges.robot.case import normal
from adjudge.judges.robot.domains import Domain

_CALL = re.compile(r"^\s*([^()\s][^()]*?)\s*\(([^()]*)\)\s*;?\s*$")
_BARE = re.compile(r"^\s*([\w][\w -]*?)\s*;?\s*$")
_SCRIPT = re.compile(r"^\s*\[\s*(\w+)\s*\]\s*((?:<[^<>]*>\s*\([^()]*\)\s*)*)$")
_SCRIPT_OBJECT = re.compile(r"<([^<>]*)>\s*\(([^()]*)\)")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Step:
    """A step: the action's name, its arguments in compared form.

    ``implied`` marks a token such as ``place_on_table``, whose held object is left out.
    """

    action: str
    arguments: tuple[str, ...]
    implied: bool = False

    def __str__(self) -> str:
        return f"{self.action}({', '.join(self.arguments)})" if self.arguments else self.action


def read_step(text: str, domain: Domain) -> Step | None:
    """The step that ``text`` says, or ``None`` where it cannot be read.

    Calls (``pick(mug)``), script lines (``[GRAB] <mug> (1003)``, ``[GRAB] <mug> (1.1003)``), bare
    names (``navigate``) and tokens (``open_fridge``). The action need not exist in the domain.

    >>> from adjudge.judges.robot.domains import load_domain
    >>> household = load_domain("household")
    >>> print(read_step("navigate(agent, Room 1, room2)", household))
    navigate(agent, room_1, room2)
    >>> read_step("place_on_table", household)
    Step(action='place_on', arguments=('table',), implied=True)
    >>> print(read_step("[PUTBACK] <soap> (1.1002) <washing_machine> (1.1001)", household))
    putback(soap_1002, washing_machine_1001)
    >>> read_step("pick(mug", household) is None
    True
    """
    return _read(text, domain)


@lru_cache(maxsize=65_536)
def _read(text: str, domain: Domain) -> Step | None:
    if len(text) > _LONGEST:
        return None
    script = _SCRIPT.match(text)
    if script is not None:
        things = _SCRIPT_OBJECT.findall(script[2])
        return Step(normal(script[1]), tuple(_script_name(name, id_) for name, id_ in things))
    call = _CALL.match(text)
    if call is not None:
        given = [normal(a.strip().strip("'\"")) for a in call[2].split(",")]
        if given == [""]:
            given = []
        if any(not a for a in given):
            return None
        return Step(normal(call[1]), tuple(given))
    bare = _BARE.match(text)
    if bare is None:
        return None
    name = normal(bare[1])
    if not name or name in domain.actions:
        return Step(name, ()) if name else None
    for action in sorted(domain.actions, key=len, reverse=True):
        if name.startswith(action + "_"):
            return _token(domain, action, name[len(action) + 1 :])
    return Step(name, ())


def _script_name(name: str, instance: str) -> str:
    # "(1.1002)": the number after the dot is the node's
    return normal(name) + "_" + normal(instance.rpartition(".")[2])


def _token(domain: Domain, action: str, rest: str) -> Step:
    # "place_on_table": one word short of a call, because the held object goes without saying
    lengths = {len(names) for names in domain.actions[action].arguments}
    implied = 1 not in lengths and 2 in lengths
    return Step(action, (rest,), implied)


def names_in(steps: Iterable[str], domain: Domain) -> dict[str, None]:
    """Every object or room that the steps name, in order of first use."""
    found: dict[str, None] = {}
    for text in steps:
        step = read_step(text, domain)
        action = domain.actions.get(step.action) if step else None
        if step is None or action is None:
            continue
        names = action.names_for(len(step.arguments))
        for position, argument in enumerate(step.arguments):
            name = names[position] if names else ""
            if name != "_agent" and name != "_what":
                found.setdefault(argument)
    return found
