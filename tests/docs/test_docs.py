"""What the documents show is what the commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

import sessions


@pytest.mark.parametrize("document", sessions.documents(), ids=lambda path: path.name)
def test_sessions_show_what_is_printed(document: Path) -> None:
    shown = document.read_text(encoding="utf-8")
    assert sessions.played(document) == shown, "renew with: python tests/sessions.py"
