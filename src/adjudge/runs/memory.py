"""Whatever a caller gives as cases, as places: paths, JSON-like objects, case objects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeGuard

from pydantic import BaseModel

from adjudge.inputs import Source, expand, record_of
from adjudge.inputs.memory import MEMORY
from adjudge.runs.places import Place, places

Cases = str | os.PathLike[str] | Mapping[str, Any] | BaseModel | Iterable[Any]
"""A path (file, folder, glob), a case (object or model), or an iterable of those."""


class Given:
    """Places for given cases, and in ``names`` the sources seen so far.

    ``is_part`` as in ``places``.
    """

    def __init__(self, cases: Cases, is_part: Callable[[Any], bool] = lambda value: False) -> None:
        self.names: list[str] = [MEMORY]
        self._cases = cases
        self._is_part = is_part

    def places(self) -> Iterator[Place]:
        """One place a case, lazily: a generator is drawn from as cases are judged."""
        number = 0
        for given in self._each():
            if isinstance(given, list):
                base = len(self.names)
                self.names.extend(source.name for source in given)
                for place in places(given, is_part=self._is_part):
                    yield Place(number, base + place.source, place.default_id, place.piece)
                    number += 1
            else:
                yield Place(number, 0, f"case-{number + 1}", record_of(given, number + 1))
                number += 1

    def _each(self) -> Iterator[list[Source] | Any]:
        cases = self._cases
        if _is_path(cases):
            yield expand([cases])
        elif isinstance(cases, Mapping | BaseModel):
            yield cases
        elif isinstance(cases, list | tuple) and all(_is_path(one) for one in cases):
            yield expand(cases)  # together: files of the same name are told apart
        elif isinstance(cases, Iterable):
            for one in cases:
                yield expand([one]) if _is_path(one) else one
        else:
            raise TypeError(
                "cases: expected a path, a case, or an iterable of those, "
                f"found {type(cases).__name__}"
            )


def _is_path(value: Any) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(value, str | os.PathLike)
