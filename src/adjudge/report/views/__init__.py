"""How cases are laid out: one file for each kind of case, found by the kind it says it shows.

A file here has ``CASE``, the type it knows, and ``view``, which makes a ``View`` of such a case and
its verdict. A case of any other type is shown by its fields.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

from adjudge.contract import JsonObject
from adjudge.report.views import any_case
from adjudge.report.views.view import View


def view_of(case: Any, verdict: JsonObject) -> View:
    """The case as plain data, with the verdict's words at their places."""
    for module in _known():
        if isinstance(case, module.CASE):
            made: View = module.view(case, verdict)
            return made
    return any_case.view(case, verdict)


@cache
def _known() -> tuple[ModuleType, ...]:
    return tuple(module for module in _modules() if hasattr(module, "CASE"))


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{found.name}")
