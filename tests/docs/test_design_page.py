"""The page on the design says of the code what is so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from running import ROOT

SOURCE = ROOT / "src" / "adjudge"
PAGE = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
ROOMS = re.findall(r"^\| `(\w+)` \|", PAGE.partition("\n## Rooms\n")[2], re.MULTILINE)


def imports(room: str) -> Iterator[tuple[str, str]]:
    """File and room imported, for all imports of other rooms, those in functions too."""
    for path in sorted((SOURCE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                package, _, rest = name.partition(".")
                other = rest.partition(".")[0]
                if package == "adjudge" and other not in ("", room):
                    yield str(path.relative_to(SOURCE)), other


def test_every_room_is_there() -> None:
    assert sorted(ROOMS) == sorted(p.parent.name for p in SOURCE.glob("*/__init__.py"))


def test_a_room_imports_only_rooms_before_it() -> None:
    wrong = [
        found
        for place, room in enumerate(ROOMS)
        for found in imports(room)
        if found[1] not in ROOMS[:place]
    ]
    assert wrong == []


def test_judges_and_models_do_not_import_each_other() -> None:
    assert "models" not in {room for _, room in imports("judges")}
    assert "judges" not in {room for _, room in imports("models")}
