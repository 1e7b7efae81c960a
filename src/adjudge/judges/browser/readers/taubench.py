"""tau-bench results: an agent, a simulated user, and OpenAI messages under ``traj``."""

from __future__ import annotations

from collections.abc import Iterator

from adjudge.contract import Record
from adjudge.judges.browser.case import BrowserCase
from adjudge.judges.browser.readers.building import CaseBuilder
from adjudge.judges.browser.readers.openai_chat import add_messages


class TauBenchReader:
    """One result an object; the reward is the label."""

    name = "taubench"

    def detect(self, record: Record) -> bool:
        """``traj`` beside ``task_id``."""
        value = record.value
        return isinstance(value, dict) and "traj" in value and "task_id" in value

    def read(self, record: Record) -> Iterator[BrowserCase]:
        """The conversation; its id is made of task and trial."""
        value = record.value
        case_id = f"task-{value['task_id']}-trial-{value.get('trial', 0)}"[:200]
        builder = CaseBuilder(self.name)
        add_messages(builder, value["traj"], "traj", case_id)
        builder.rest(value, {"task_id", "trial", "traj", "reward"})
        yield builder.case(
            case_id,
            label={"reward": value.get("reward")},
            meta={"task_id": value["task_id"], "trial": value.get("trial")},
        )
