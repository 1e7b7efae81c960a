"""The robot judge's ways to an opinion that ask a model."""

from adjudge.judges.robot.methods.grounded import GroundedMethod, Prove
from adjudge.judges.robot.methods.llm import LlmMethod
from adjudge.judges.robot.methods.settled import Explain, allowed_scores, cited, lowest

__all__ = ["Explain", "GroundedMethod", "LlmMethod", "Prove", "allowed_scores", "cited", "lowest"]
