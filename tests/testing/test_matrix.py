from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from adjudge.testing import matrix

DOC = Path(__file__).parents[2] / "docs" / "faults.md"


@pytest.fixture(scope="module")
def rows() -> list[matrix.Row]:
    return asyncio.run(matrix.rows())


def test_the_page_of_faults_says_what_happens(rows: list[matrix.Row]) -> None:
    assert DOC.read_text("utf-8") == matrix.table(rows), (
        f"docs/faults.md is out of date; renew it with: {matrix.RENEW}"
    )


def test_a_fault_never_becomes_a_number(rows: list[matrix.Row]) -> None:
    for row in rows:
        assert (row.reply.status == "ok") == (row.reply.value is not None)
        assert row.reply.status == "ok" or row.reply.reason
        if isinstance(row.reply.value, matrix.Mark):
            assert row.reply.value.score == matrix.ANSWER["score"], row.fault.name


def test_no_fault_lets_the_key_out(rows: list[matrix.Row]) -> None:
    for row in rows:
        assert matrix.KEY not in row.reply.model_dump_json(), row.fault.name


def test_calls_are_counted_as_the_endpoint_counts_them(rows: list[matrix.Row]) -> None:
    for row in rows:
        assert row.reply.usage.calls == row.calls, row.fault.name
