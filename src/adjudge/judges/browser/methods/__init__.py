"""The browser judge's ways to an opinion."""

from adjudge.judges.browser.methods.checks import ChecksMethod
from adjudge.judges.browser.methods.llm import LlmMethod

__all__ = ["ChecksMethod", "LlmMethod"]
