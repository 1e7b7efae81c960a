"""The social judge's ways to an opinion."""

from adjudge.judges.social.methods.alone import WithoutModel
from adjudge.judges.social.methods.key import KeyUtteranceMethod
from adjudge.judges.social.methods.one_pass import OnePassMethod
from adjudge.judges.social.methods.opinions import Yield
from adjudge.judges.social.methods.per_turn import GoalProgressMethod, UtteranceMethod

__all__ = [
    "GoalProgressMethod",
    "KeyUtteranceMethod",
    "OnePassMethod",
    "UtteranceMethod",
    "WithoutModel",
    "Yield",
]
