"""The judges there are, by name. None is imported before it is asked for."""

from __future__ import annotations

import difflib
import importlib

from adjudge.contract import Fault, Judge

_JUDGES = {
    "robot": "adjudge.judges.robot.judge:RobotJudge",
    "browser": "adjudge.judges.browser.judge:BrowserJudge",
    "social": "adjudge.judges.social.judge:SocialJudge",
}


class UnknownJudge(Fault, LookupError):
    """No judge goes by this name."""


def judge_names() -> tuple[str, ...]:
    """The names that ``load_judge`` knows."""
    return tuple(_JUDGES)


def load_judge(name: str) -> type[Judge]:
    """The judge class called ``name``, or the one at ``package.module:Class``.

    Raises ``UnknownJudge``, which says what there is.
    """
    path = _JUDGES.get(name, name)
    module_name, _, class_name = path.partition(":")
    if not class_name:
        near = difflib.get_close_matches(name, _JUDGES, n=1)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise UnknownJudge(
            f"judge: expected {', '.join(_JUDGES)} or package.module:Class, "
            f"found {name[:80]!r}{hint}"
        )
    try:
        found = getattr(importlib.import_module(module_name), class_name)
    except (ImportError, AttributeError, ValueError) as error:
        if name in _JUDGES:
            raise
        raise UnknownJudge(f"judge: {name[:80]!r} cannot be imported: {error}") from error
    if not (isinstance(found, type) and issubclass(found, Judge)):
        raise UnknownJudge(f"judge: expected a Judge class at {name[:80]!r}, found {found!r:.80}")
    return found
