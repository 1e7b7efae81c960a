"""``adjudge render``: what a model would be asked, without asking it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from adjudge.cli.ending import command, fail
from adjudge.cli.templates import (
    ExamplesOption,
    SystemTemplateOption,
    UserTemplateOption,
    with_templates,
)

if TYPE_CHECKING:
    from adjudge.contract import Ask, Judge, Method, Opinion, Question
    from adjudge.runs.reading import Item


@command
def render(
    judge: Annotated[str, typer.Argument(help="A judge's name (see `adjudge judges`).")],
    cases: Annotated[str, typer.Argument(metavar="CASE", help="A file with the case, or -.")],
    case: Annotated[
        str | None, typer.Option(metavar="ID", help="Its id or position; the first by default.")
    ] = None,
    method: Annotated[
        str | None, typer.Option(metavar="NAME", help="The method that would ask.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("-o", "--option", metavar="NAME=VALUE", help="Set an option of the judge."),
    ] = None,
    system_template: SystemTemplateOption = None,
    user_template: UserTemplateOption = None,
    examples: ExamplesOption = None,
    reader: Annotated[
        str | None, typer.Option(metavar="NAME", help="The case's format; detected otherwise.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON, one question a line, with the answer's schema.")
    ] = False,
) -> None:
    """Show the exact prompts on a case. No model is called.

    A case that its bounds settle is shown as well, with a note that nobody would be asked.

    \b
    Examples:
      adjudge render robot wash_mug.json
      adjudge render robot plans.jsonl --case wash-mug --user-template mine.txt
    """
    from adjudge.cli.one_case import one_case
    from adjudge.judges import load_judge
    from adjudge.judges.options import judge_from_text

    made = judge_from_text(load_judge(judge), option or ())
    made = with_templates(made, system_template, user_template, examples)
    item = one_case(made, cases, case, reader)
    questions = _questions(made, method, item)
    if as_json:
        for question in questions:
            print(json.dumps(_as_json(item, question), ensure_ascii=False))
    else:
        _print(questions)


def _questions(judge: Judge, method: str | None, item: Item) -> Sequence[Question]:
    """The first round of questions; those of a settled case by way of ``always_ask``."""
    from adjudge.contract import Ask
    from adjudge.judges.options import make_judge

    step = _first_step(judge, method, item)
    said = "" if isinstance(step, Ask) else _said(step)
    if said and "always_ask" in type(judge).model_fields:
        kept = {name: getattr(judge, name) for name in judge.model_fields_set}
        step = _first_step(make_judge(type(judge), {**kept, "always_ask": True}), method, item)
        print(f"adjudge: {item.id}: {said}; no model would be asked", file=sys.stderr)
    if not isinstance(step, Ask):
        fail(f"{item.id}: {said}; there is nothing to ask a model")
    return step.questions


def _first_step(judge: Judge, name: str | None, item: Item) -> Ask | Opinion:
    evidence = judge.check(item.case).with_findings(item.record.findings)
    return _method(judge, name).step(item.case, evidence, {})


def _method(judge: Judge, name: str | None) -> Method:
    asking = {key: found for key, found in judge.methods().items() if found.needs_model}
    if name is None and asking:
        return next(iter(asking.values()))
    if name is None or name not in asking:
        there = ", ".join(asking) or "none"
        fail(f"method: expected one that asks a model ({there}), found {(name or 'none')[:80]!r}")
    return asking[name]


def _said(opinion: Opinion) -> str:
    if opinion.status == "scored":
        scores = ", ".join(f"{name} {value}" for name, value in opinion.scores.items())
        return f"settled without a model ({scores})"
    return f"{opinion.status}: {opinion.reason}"


def _as_json(item: Item, question: Question) -> dict[str, object]:
    return {
        "case_id": item.id,
        "key": question.key,
        "messages": [message.model_dump() for message in question.messages],
        "schema": question.form.model_json_schema(),
    }


def _print(questions: Sequence[Question]) -> None:
    from adjudge.cli.terminal import visible

    for question in questions:
        for message in question.messages:
            print(f"----- {question.key}: {message.role} -----")
            print(visible(message.content))
            print()
