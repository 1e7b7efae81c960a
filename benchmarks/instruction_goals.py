"""How well the instruction rules read people's instructions, against ALFRED's task parameters.

``python benchmarks/instruction_goals.py FILE…`` reads JSON lines with ``task_type``,
``pddl_params`` and ``instructions`` (each with ``task_desc`` and annotator ``votes``). An
instruction with a 0 among its votes is left out. An answer gives for each parameter (object,
receptacle, movable receptacle, lamp) at most three categories and says whether the object is
sliced, heated, cooled, cleaned and whether there are two; it is right if every set holds the
label's category and every yes or no is the label's. Prints precision (right of answered), coverage
(answered of all), and the mean size of the sets that name something.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.reading import NoReading
from adjudge.judges.robot.verbs import default_verbs
from alfred_tasks import Answer, answer, label, world


@dataclass
class Tally:
    """Counts over the instructions of some tasks."""

    instructions: int = 0
    answered: int = 0
    right: int = 0
    sizes: list[int] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, Answer, Answer]] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)


def measure(tasks: Iterable[Mapping[str, Any]]) -> Tally:
    """Reads every instruction all of whose votes are for it."""
    lexicon, verbs, tally = world(), default_verbs(), Tally()
    for task in tasks:
        wanted = label(task)
        for instruction in task["instructions"]:
            if not all(instruction["votes"]):
                continue
            text = instruction["task_desc"]
            tally.instructions += 1
            reading = read_instruction(text, lexicon, verbs)
            if isinstance(reading, NoReading):
                said, why = None, reading.reason
            else:
                said, why = answer(reading), "no task of ALFRED's"
            if said is None:
                tally.reasons[why.partition("'")[0].strip() if why[0] != "'" else why] += 1
                tally.unread.append((text, why))
                continue
            tally.answered += 1
            tally.sizes.extend(len(names) for names in said.sets() if names)
            if said.contains(wanted):
                tally.right += 1
            else:
                tally.wrong.append((text, said, wanted))
    return tally


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--wrong", action="store_true", help="list the wrong answers")
    parser.add_argument("--unread", action="store_true", help="list what was not answered")
    arguments = parser.parse_args()
    lines = [line for file in arguments.files for line in file.read_text("utf-8").splitlines()]
    tally = measure(json.loads(line) for line in lines if line.strip())
    for text, said, wanted in tally.wrong if arguments.wrong else ():
        print(f"wrong: {text!r}\n  said  {said}\n  label {wanted}")
    for text, why in tally.unread if arguments.unread else ():
        print(f"unread: {text!r}: {why}")
    print(f"instructions {tally.instructions}")
    print(f"coverage     {_ratio(tally.answered, tally.instructions)}")
    print(f"precision    {_ratio(tally.right, tally.answered)}")
    print(f"set size     {sum(tally.sizes) / max(1, len(tally.sizes)):.2f} (mean)")
    print("not answered: " + ", ".join(f"{why} {n}" for why, n in tally.reasons.most_common(6)))


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.1%} ({part} of {whole})" if whole else "none"


if __name__ == "__main__":
    main()
