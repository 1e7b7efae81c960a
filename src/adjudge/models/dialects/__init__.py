"""How requests and replies are written on the wire: one file a dialect."""

from adjudge.models.dialects.anthropic import AnthropicMessages
from adjudge.models.dialects.base import Dialect
from adjudge.models.dialects.openai import OpenAIChat

__all__ = ["AnthropicMessages", "Dialect", "OpenAIChat"]
