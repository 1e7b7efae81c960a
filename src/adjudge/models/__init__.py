"""Language models: from a question to a reply, over HTTP, in process or by any Python object."""

from adjudge.models.allowance import Allowance
from adjudge.models.batches import BATCH_FORMATS, BatchFormat, BatchLimits, BatchResult
from adjudge.models.budget import Budget, CannotCount, Gate
from adjudge.models.cache import MemoryCache, ReplyCache, StoredReply
from adjudge.models.client import ModelClient, Spent
from adjudge.models.concurrency import Concurrency
from adjudge.models.forms import Form, form_of
from adjudge.models.http import HttpTransport
from adjudge.models.juror import Juror
from adjudge.models.keys import Endpoint, request_key
from adjudge.models.limits import Limiter
from adjudge.models.pace import Pace
from adjudge.models.parsing import Parsed, parse
from adjudge.models.prices import Price, PriceError, Prices
from adjudge.models.providers import PROVIDERS, ModelSpec, ModelSpecError, connect, parse_model
from adjudge.models.retry import Retry
from adjudge.models.sharing import shared_pace
from adjudge.models.transport import (
    ModelFailure,
    ModelRequest,
    ModelResponse,
    Sampling,
    Transport,
    Unanswered,
)

__all__ = [
    "BATCH_FORMATS",
    "PROVIDERS",
    "Allowance",
    "BatchFormat",
    "BatchLimits",
    "BatchResult",
    "Budget",
    "CannotCount",
    "Concurrency",
    "Endpoint",
    "Form",
    "Gate",
    "HttpTransport",
    "Juror",
    "Limiter",
    "MemoryCache",
    "ModelClient",
    "ModelFailure",
    "ModelRequest",
    "ModelResponse",
    "ModelSpec",
    "ModelSpecError",
    "Pace",
    "Parsed",
    "Price",
    "PriceError",
    "Prices",
    "ReplyCache",
    "Retry",
    "Sampling",
    "Spent",
    "StoredReply",
    "Transport",
    "Unanswered",
    "connect",
    "form_of",
    "parse",
    "parse_model",
    "request_key",
    "shared_pace",
]
