"""A judge by its name, or by where it is. None is imported before it is asked for."""

from __future__ import annotations

import difflib
import importlib
import os

from adjudge.contract import Fault, Judge
from adjudge.judges.plugins import JUDGES, Plugin, plugins

OURS = {
    "robot": "adjudge.judges.robot.judge:RobotJudge",
    "browser": "adjudge.judges.browser.judge:BrowserJudge",
    "social": "adjudge.judges.social.judge:SocialJudge",
}
"""The judges that come with us, and where they are."""

_RUBRICS = (".yaml", ".yml", ".json")


class UnknownJudge(Fault, LookupError):
    """No judge goes by this name."""


def judge_names() -> tuple[str, ...]:
    """The names that ``load_judge`` knows: ours, then those that installed packages add."""
    return (*OURS, *_added())


def load_judge(name: str) -> type[Judge]:
    """The judge class called ``name``, or the one where it says.

    That is a name (see ``judge_names``), ``package.module:Class``, a Python file with a class
    (``./mine.py:Judge``, or the file alone where it defines one), or a rubric (``./mine.yaml``).

    Raises ``UnknownJudge``, which says what there is; ``RubricError``, ``JudgeFileError`` or
    ``PluginError`` where it is there and cannot be used.
    """
    if name in OURS:
        return _imported(OURS[name])
    path, class_name = _split(name)
    if path.lower().endswith(_RUBRICS) and not class_name:
        from adjudge.judges.rubric.judge import judge_in_file

        return judge_in_file(path)
    if path.lower().endswith(".py"):
        from adjudge.judges.own_file import JudgeFile

        return JudgeFile.read(path).judge(class_name)
    added = _added().get(name)
    if added is not None:
        return _offered(added)
    if not class_name:
        raise UnknownJudge(_unknown(name))
    try:
        return _imported(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnknownJudge(f"judge: {name[:80]!r} cannot be imported: {error}") from error


def _split(name: str) -> tuple[str, str]:
    """What stands before and behind the last colon; a colon may be part of a file's path."""
    path, colon, class_name = name.rpartition(":")
    return (path, class_name) if colon and class_name.isidentifier() else (name, "")


def _imported(path: str) -> type[Judge]:
    module_name, _, class_name = path.partition(":")
    found = getattr(importlib.import_module(module_name), class_name)
    if not (isinstance(found, type) and issubclass(found, Judge)):
        raise UnknownJudge(f"judge: expected a Judge class at {path[:80]!r}, found {found!r:.80}")
    return found


def _added() -> dict[str, Plugin]:
    return plugins(JUDGES, taken=tuple(OURS))


def _offered(plugin: Plugin) -> type[Judge]:
    found = plugin.load()
    if not (isinstance(found, type) and issubclass(found, Judge)):
        raise plugin.wrong("a Judge class", found)
    if found.name != plugin.name:
        raise plugin.wrong(f"a judge called {plugin.name!r}", found.name)
    return found


def _unknown(name: str) -> str:
    there = judge_names()
    near = difflib.get_close_matches(name, there, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    if os.path.exists(name):
        hint = " (a file that is neither a .py nor a .yaml)"
    return (
        f"judge: expected {', '.join(there)}, package.module:Class, FILE.py:Class or a rubric "
        f"(FILE.yaml), found {name[:80]!r}{hint}"
    )
