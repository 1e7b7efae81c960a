"""Helps for tests: an endpoint that misbehaves on demand, and the table of faults."""

from adjudge.testing.endpoint import MisbehavingEndpoint, Received
from adjudge.testing.fault import Error, Fault, Play
from adjudge.testing.faults import FAULTS
from adjudge.testing.obedient import Obedient
from adjudge.testing.rate_limit import Admission, RateLimit
from adjudge.testing.wire import Said, minimal, write, write_error

__all__ = [
    "FAULTS",
    "Admission",
    "Error",
    "Fault",
    "MisbehavingEndpoint",
    "Obedient",
    "Play",
    "RateLimit",
    "Received",
    "Said",
    "minimal",
    "write",
    "write_error",
]
