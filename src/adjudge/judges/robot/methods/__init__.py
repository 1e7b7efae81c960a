"""The robot judge's ways to an opinion."""

from adjudge.judges.robot.methods.grounded import GroundedMethod, Prove
from adjudge.judges.robot.methods.llm import LlmMethod
from adjudge.judges.robot.methods.settled import Explain, allowed_scores, cited, lowest
from adjudge.judges.robot.methods.symbolic import SymbolicMethod

__all__ = [
    "Explain",
    "GroundedMethod",
    "LlmMethod",
    "Prove",
    "SymbolicMethod",
    "allowed_scores",
    "cited",
    "lowest",
]
