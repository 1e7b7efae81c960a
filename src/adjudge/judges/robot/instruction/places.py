"""Where things are, as far as a case says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudge.judges.robot.case import default_category
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.nouns import default_nouns, squash

_DEEPEST = 32
_LONGEST_NAME = 4


class Places:
    """The stated places and the rooms of a case."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._rooms: Mapping[str, str | None] | None = None

    def room(self, words: tuple[str, ...]) -> str | None:
        """The room that words name, if they name one and only one."""
        key = "".join(words)
        if not self.lexicon.rooms:
            open_ = not self.lexicon.closed and key in default_nouns().rooms
            return "_".join(words) if open_ else None
        if self._rooms is None:
            self._rooms = _by_name(self.lexicon.rooms)
        return self._rooms.get(key)

    def around(self, name: str) -> tuple[str, ...]:
        """What a thing is in, on or at, and what that is in; the innermost first."""
        found: list[str] = []
        place = self.lexicon.places.get(name)
        while place is not None and place[0] != "room" and len(found) < _DEEPEST:
            found.append(place[1])
            place = self.lexicon.places.get(place[1])
        return tuple(found)

    def room_of(self, name: str) -> str | None:
        """The room an object is in, as far as the stated places say."""
        for thing in (name, *self.around(name)):
            place = self.lexicon.places.get(thing)
            if place is not None and place[0] == "room":
                return place[1]
        return None


def _by_name(rooms: Iterable[str]) -> Mapping[str, str | None]:
    """Squashed room names, with and without their number; ``None`` where that is not one room.

    What is longer than a name (words may have been written behind it) is also known by how it
    begins, where nothing else is called so.
    """
    found: dict[str, str | None] = {}
    begun: dict[str, str | None] = {}
    for room in rooms:
        short = squash(default_category(room))
        found[short] = None if short in found else room
        words = room.split("_")
        for length in range(1, _LONGEST_NAME) if len(words) > _LONGEST_NAME else ():
            beginning = squash("_".join(words[:length]))
            begun[beginning] = None if beginning in begun else room
    return {**begun, **found, **{squash(room): room for room in rooms}}
