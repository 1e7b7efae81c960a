"""From one episode to a case for each of its agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from adjudge.contract import CaseError
from adjudge.judges.invalid import case_error
from adjudge.judges.social.case import SocialCase, agents_in

_NOBODY = "?"


def cases_of(episode: dict[str, Any], agent: str | None) -> Iterator[SocialCase]:
    """A case for ``agent``, else for the agent that the episode names, else for every agent.

    ``episode`` has the fields of ``SocialCase``. Where it names its agent, its ``id`` is the
    case's; else the cases are called ``ID/AGENT``. Raises ``CaseError``.
    """
    own_id = episode_id_of(episode, "id")
    one = agent if agent is not None else episode.get("agent")
    case = _case({**episode, "id": own_id, "agent": _first(episode) if one is None else one})
    episode_id = case.episode_id or own_id
    if episode.get("agent") is not None and own_id is not None:
        yield case.model_copy(update={"episode_id": episode_id})
        return
    for name in case.agents if one is None else [case.agent]:
        made = None if episode_id is None else f"{episode_id}/{name}"
        yield case.model_copy(update={"agent": name, "id": made, "episode_id": episode_id})


def episode_id_of(record: dict[str, Any], field: str) -> Any:
    """The id in ``field`` of a record; a number counts as its digits."""
    given = record.get(field)
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


def _first(episode: dict[str, Any]) -> str:
    """Some agent to read the episode for; what is wrong with the agents is said by the case."""
    agents = episode.get("agents") or agents_in(episode)
    if not agents:
        raise CaseError(
            "agents, or turns with speakers",
            field="agents",
            found="none",
            case_id=episode.get("id") if isinstance(episode.get("id"), str) else None,
        )
    first = agents[0] if isinstance(agents, list) else None
    return first if isinstance(first, str) and first else _NOBODY


def _case(value: dict[str, Any]) -> SocialCase:
    case_id = value["id"] if isinstance(value["id"], str) else None
    try:
        return SocialCase.model_validate(value)
    except ValidationError as error:
        raise case_error(error, SocialCase, case_id) from None
