"""Action models: readable tables and what is compiled from them."""

from adjudge.judges.robot.domains.model import (
    ABILITY_WORDS,
    ROBOT,
    Action,
    Domain,
    DomainError,
    Kind,
    Term,
    load_domain,
    shipped_domains,
)

__all__ = [
    "ABILITY_WORDS",
    "ROBOT",
    "Action",
    "Domain",
    "DomainError",
    "Kind",
    "Term",
    "load_domain",
    "shipped_domains",
]
