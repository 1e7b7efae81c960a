"""What an episode can be judged on: SOTOPIA's dimensions, their ranges and what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DimensionName = Literal[
    "goal",
    "relationship",
    "knowledge",
    "believability",
    "secret",
    "social_rules",
    "financial",
]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension. ``key`` is its name in SOTOPIA's exports, ``low`` to ``high`` its range there.

    Source of names and ranges: SOTOPIA-EVAL (``SotopiaDimensions``); the wording is our own.
    """

    name: DimensionName
    key: str
    low: int
    high: int
    meaning: str


_ALL = (
    Dimension(
        "goal",
        "goal",
        0,
        10,
        "how far the agent reached the social goal it was given; higher is closer to it",
    ),
    Dimension(
        "relationship",
        "relationship",
        -5,
        5,
        "what the dialogue did to the relation between the agents: whether their ties or the"
        " agent's standing grew (positive) or were harmed (negative), compared with before",
    ),
    Dimension(
        "knowledge",
        "knowledge",
        0,
        10,
        "what the agent learnt: information that is new to it, important and to the point",
    ),
    Dimension(
        "believability",
        "believability",
        0,
        10,
        "how natural and realistic the agent is, and how true to its character its acts are",
    ),
    Dimension(
        "secret",
        "secret",
        -10,
        0,
        "whether the secret or hidden intention that the agent has stayed hidden: 0 where it was"
        " kept, lower the more of it came out",
    ),
    Dimension(
        "social_rules",
        "social_rules",
        -10,
        0,
        "whether the agent broke laws or social and moral norms: 0 where it kept them, lower the"
        " worse the breach",
    ),
    Dimension(
        "financial",
        "financial_and_material_benefits",
        -5,
        5,
        "money or goods that the agent gained (positive) or lost (negative) by the dialogue",
    ),
)

DIMENSIONS = {dimension.name: dimension for dimension in _ALL}
"""Every dimension by its name, ``goal`` first."""
