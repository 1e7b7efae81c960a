"""Where a judge's class comes from, so that it can be had again later and elsewhere."""

from __future__ import annotations

import hashlib
import os
from typing import Literal

from adjudge.contract import Frozen, Judge
from adjudge.judges.loading import UnknownJudge, load_judge
from adjudge.judges.own_file import JudgeFile, file_of


class Origin(Frozen):
    """``where`` a judge is: its ``name``, ``package.module:Class``, ``FILE.py:Class``, or a
    rubric's name, whose ``content`` is kept here. ``sha256`` is that of the file or content, hex.
    """

    kind: Literal["name", "class", "file", "rubric"]
    where: str
    sha256: str | None = None
    content: str | None = None

    def load(self) -> type[Judge]:
        """The judge's class. Raises ``UnknownJudge`` where it is not there any more, or where its
        file has changed."""
        if self.content is not None:
            from adjudge.judges.rubric.judge import rubric_judge

            return rubric_judge(self.content)
        if self.kind == "file":
            self._check_unchanged()
        return load_judge(self.where)

    def _check_unchanged(self) -> None:
        path = self.where.rpartition(":")[0]
        found = "none"
        if os.path.isfile(path):
            if JudgeFile.read(path).sha256 == self.sha256:
                return
            found = "another content"
        raise UnknownJudge(
            f"judge {self.where}: expected the file that judged, found {found}; say which judge to "
            "use with --judge"
        )


def origin_of(kind: type[Judge]) -> Origin:
    """Where the class of a judge comes from."""
    if is_rubric(kind):
        content: str = vars(kind)["content"]
        digest = hashlib.sha256(content.encode()).hexdigest()
        return Origin(kind="rubric", where=kind.name, sha256=digest, content=content)
    file = file_of(kind)
    if file is not None:
        where = f"{file.where}:{kind.__qualname__}"
        return Origin(kind="file", where=where, sha256=file.sha256)
    try:
        if load_judge(kind.name) is kind:
            return Origin(kind="name", where=kind.name)
    except UnknownJudge:
        pass
    return Origin(kind="class", where=f"{kind.__module__}:{kind.__qualname__}")


def is_rubric(kind: type[Judge]) -> bool:
    """Whether a judge's class was made from a rubric."""
    # by name: other judges need nothing of what rubrics import
    return kind.__module__ == "adjudge.judges.rubric.judge"
