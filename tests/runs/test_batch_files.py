"""Files of requests: split at their limits, whole or not there."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.models import BATCH_FORMATS, BatchFormat, BatchLimits
from adjudge.models.batches import AnthropicBatch, OpenAIBatch
from adjudge.runs.batch.files import RequestFiles
from batch_provider import requests_in

OPENAI = BATCH_FORMATS["openai"]


def key(number: int) -> str:
    return f"{number:064x}"


@settings(deadline=None)
@given(
    form=st.sampled_from([OpenAIBatch, AnthropicBatch]),
    texts=st.lists(st.sampled_from(["", "é\u2028\n", "x" * 30, "y" * 400]), max_size=30),
    requests=st.integers(1, 7),
    size=st.integers(200, 900),
)
def test_no_file_passes_its_limits_and_no_request_is_lost(
    form: type[OpenAIBatch] | type[AnthropicBatch], texts: list[str], requests: int, size: int
) -> None:
    made: BatchFormat = form(BatchLimits(requests, size))
    with tempfile.TemporaryDirectory() as folder:
        with RequestFiles(Path(folder) / "out", "run") as files:
            for number, text in enumerate(texts):
                files.add("openai:m", made, key(number), {"text": text}, "/x")
            files.close()
            assert not list(Path(folder).glob("out/run*"))
            files.publish()
        there = [file.path for file in files.files]
        assert set(Path(folder).glob("out/*")) == set(there)
        found = requests_in(there)
        assert [(line["custom_id"], line.get("body") or line.get("params")) for line in found] == [
            (key(number), {"text": text}) for number, text in enumerate(texts)
        ]
        for file in files.files:
            assert file.size == file.path.stat().st_size
            assert file.requests == len(list(file.keys)) <= requests
            assert file.size <= size or file.requests == 1
        assert len(there) >= -(-len(texts) // requests)


def test_files_that_are_not_whole_leave_nothing(tmp_path: Path) -> None:
    def fails() -> None:
        with RequestFiles(tmp_path, "run") as files:
            files.add("openai:m", OPENAI, key(1), {}, "/x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fails()
    assert list(tmp_path.iterdir()) == []


def test_each_round_has_its_number(tmp_path: Path) -> None:
    for number in (1, 2):
        for run in ("a", "ab"):
            with RequestFiles(tmp_path, run) as files:
                files.add("openai:m", OPENAI, key(number), {}, "/x")
                files.close()
                files.publish()
                assert files.files[0].path.name == f"{run}-{number}-openai-m-1.jsonl"
    assert json.loads((tmp_path / "ab-2-openai-m-1.jsonl").read_text())["custom_id"] == key(2)
