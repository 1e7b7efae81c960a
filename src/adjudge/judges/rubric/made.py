"""Classes made from a text, which worker processes can be given: they are made there again."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


class Made(ModelMetaclass):
    """The type of such classes. ``made_by`` is ``(function, arguments)``, whose result is the
    class itself; the function remembers what it made, so that equal texts give the same class."""

    made_by: tuple[Callable[..., Any], tuple[Any, ...]]


def made(kind: type[Any], by: Callable[..., Any], *arguments: Any) -> None:
    """Say how ``kind`` is made."""
    type.__setattr__(kind, "made_by", (by, arguments))


def _reduce(kind: type[Any]) -> str | tuple[Any, ...]:
    # a class statement's own class is found by its name, like any other
    found: tuple[Any, ...] | None = vars(kind).get("made_by")
    return found or kind.__qualname__


copyreg.pickle(Made, _reduce)
