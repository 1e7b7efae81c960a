"""These tests need torch, TRL and datasets, and run only where ADJUDGE_INTEGRATION is set."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip them otherwise; other people's libraries may warn here."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("default"))
            if not os.environ.get("ADJUDGE_INTEGRATION"):
                item.add_marker(pytest.mark.skip(reason="runs with make test-integration"))
