"""Tool catalogues."""

from adjudge.judges.browser.catalogue.load import (
    BUILT_IN,
    built_in,
    catalogue_of,
    known_role,
    known_tools,
    load_catalogue,
)
from adjudge.judges.browser.catalogue.model import ROLES, Catalogue, CatalogueError, Tool

__all__ = [
    "BUILT_IN",
    "ROLES",
    "Catalogue",
    "CatalogueError",
    "Tool",
    "built_in",
    "catalogue_of",
    "known_role",
    "known_tools",
    "load_catalogue",
]
