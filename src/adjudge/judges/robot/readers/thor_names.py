"""AI2-THOR's names for things, as the judge writes them."""

from __future__ import annotations

import re

from adjudge.judges.robot.case import normal

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def thing(name: str) -> str:
    """A type of AI2-THOR as a category.

    >>> thing("CounterTop"), thing("TVStand"), thing("mug")
    ('counter_top', 'tv_stand', 'mug')
    """
    return normal(_HUMP.sub("_", name))
