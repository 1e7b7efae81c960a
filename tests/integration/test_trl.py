"""Our reward functions in TRL's own trainers, and our sets in TRL's own checks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from integration_sets import dialogue_pairs, plan_pairs
from tiny_model import saved_model, tokenizer

from adjudge.exports.formats import ROW_FORMATS
from adjudge.exports.row_formats import Settings, write_rows
from adjudge.rewards import trl_reward, trl_reward_async
from adjudge.runs.joined import Joined

LAMP = json.dumps({"instruction": "Turn on the lamp."})


def _dataset(rows: Any) -> Any:
    return pytest.importorskip("datasets").Dataset.from_list(rows)


def _config(kind: Any, folder: Path, **more: Any) -> Any:
    return kind(
        output_dir=str(folder),
        max_steps=1,
        per_device_train_batch_size=2,
        num_generations=2,
        max_completion_length=6,
        report_to="none",
        use_cpu=True,
        save_strategy="no",
        logging_steps=1,
        bf16=False,
        **more,
    )


@pytest.mark.parametrize("trainer", ["GRPO", "RLOO"])
@pytest.mark.parametrize("make", [trl_reward, trl_reward_async])
def test_one_step_of_training_with_a_judge_as_the_reward(
    trainer: str, make: Callable[..., Any], tmp_path: Path
) -> None:
    trl = pytest.importorskip("trl")
    words = tokenizer()
    seen: list[Any] = []

    def reward(verdict: Any) -> float | None:
        seen.append(verdict.status)
        # a random model plans nothing: something to tell completions apart, and a None among them
        return None if len(seen) == 1 else float(len(verdict.findings) + len(seen))

    rows = [{"prompt": "Turn on the lamp. Plan: ", "case": LAMP}] * 4
    made = getattr(trl, f"{trainer}Trainer")(
        model=saved_model(tmp_path / "model", words),
        reward_funcs=[make("robot", reward=reward), make("robot")],
        args=_config(getattr(trl, f"{trainer}Config"), tmp_path),
        train_dataset=_dataset(rows),
        processing_class=words,
    )
    before = [p.detach().clone() for p in made.model.parameters()]
    made.train()
    assert seen == ["scored", "scored"]
    log = made.state.log_history[0]
    assert log["adjudge/judged"] == 1.0 or log["adjudge/judged"] == 0.75
    assert log["rewards/adjudge_robot/mean"] == log["rewards/adjudge_robot/mean"]
    changed = [not (a == b).all() for a, b in zip(before, made.model.parameters(), strict=True)]
    assert any(changed)


def _file(name: str, pairs: list[Joined], folder: Path, threshold: float | None) -> Any:
    datasets = pytest.importorskip("datasets")
    made = ROW_FORMATS[name]
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.json"
    with path.open("w", encoding="utf-8") as stream:
        write_rows(made.rows(pairs, Settings(threshold)), stream, made.container)
    return datasets.load_dataset(
        "json", data_files=str(path), split="train", cache_dir=str(folder / "cache")
    )


@pytest.mark.parametrize("name", [name for name in ROW_FORMATS if name != "sotopia"])
def test_every_set_loads_in_datasets_with_all_its_rows(name: str, tmp_path: Path) -> None:
    for threshold, pairs in ((1.0, dialogue_pairs()), (None, plan_pairs())):
        if name == "sotopia-rm" and threshold is None:
            continue
        loaded = _file(name, pairs, tmp_path / str(threshold), threshold)
        rows = list(ROW_FORMATS[name].rows(pairs, Settings(threshold)))
        assert rows
        if name == "sotopia-rm":  # datasets reads numbers in a JSON array to ten digits
            values = [row.pop("value") for row in rows]
            assert loaded["value"][:] == pytest.approx(values, rel=1e-9)
            loaded = loaded.remove_columns("value")
        assert loaded.to_list() == rows


def test_annotation_lines_are_read_as_sotopia_rl_reads_them(tmp_path: Path) -> None:
    rows = list(ROW_FORMATS["sotopia"].rows(dialogue_pairs(), Settings()))
    for row in (json.loads(json.dumps(row)) for row in rows):
        for key, given in row["attributed_utterances"].items():
            assert key.startswith("Utterance ")
            if key.endswith(row["agent"]):
                assert isinstance(given[1]["reward"], float)


def test_the_unpaired_set_trains_in_trls_own_trainer(tmp_path: Path) -> None:
    trl = pytest.importorskip("trl")
    pairs = [*plan_pairs(), *plan_pairs()]
    words = tokenizer()
    loaded = _file("trl-unpaired", pairs, tmp_path, None)
    assert set(loaded.column_names) == {"prompt", "completion", "label"}
    assert set(loaded["label"]) == {True, False}
    config = trl.KTOConfig(
        output_dir=str(tmp_path),
        max_steps=1,
        per_device_train_batch_size=4,
        report_to="none",
        use_cpu=True,
        save_strategy="no",
        bf16=False,
    )
    made = trl.KTOTrainer(
        model=saved_model(tmp_path / "model", words),
        args=config,
        train_dataset=loaded,
        processing_class=words,
    )
    made.train()
    assert made.state.global_step == 1


def test_the_stepwise_set_has_the_columns_and_types_that_trl_documents(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    for threshold, pairs in ((1.0, dialogue_pairs()), (None, plan_pairs())):
        loaded = _file("trl-stepwise", pairs, tmp_path / str(threshold), threshold)
        assert loaded.features == datasets.Features(
            {
                "prompt": datasets.Value("string"),
                "completions": datasets.List(datasets.Value("string")),
                "labels": datasets.List(datasets.Value("bool")),
            }
        )
        for row in loaded:
            assert len(row["completions"]) == len(row["labels"]) > 0
