"""SOTOPIA's rendered dialogue (``social_interactions``) as turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adjudge.judges.social.case import DID_NOTHING, LEFT, Kind

ParsedTurn = tuple[str, Kind, str]
"""Speaker, kind, text."""

_MARKED: tuple[tuple[str, Kind], ...] = (
    ("[non-verbal communication]", "non-verbal communication"),
    ("[action]", "action"),
)
_MARKS = tuple(mark for mark, _ in _MARKED)
_SAID = "said:"


def parse_action(text: str) -> tuple[Kind, str]:
    """Kind and text of an action in SOTOPIA's words.

    >>> parse_action('said: "Hi"'), parse_action("[action] waves"), parse_action("did nothing")
    (('speak', 'Hi'), ('action', 'waves'), ('none', ''))
    """
    plain = text.strip()
    if plain in ("", DID_NOTHING):
        return "none", ""
    if plain == LEFT:
        return "leave", ""
    for mark, kind in _MARKED:
        if plain.startswith(mark):
            return kind, plain.removeprefix(mark).strip()
    if plain.startswith(_SAID):
        spoken = plain.removeprefix(_SAID).strip()
        quoted = len(spoken) > 1 and spoken[0] == spoken[-1] == '"'
        return "speak", spoken[1:-1] if quoted else spoken
    return "speak", text


def parse_blocks(text: str, agents: Iterable[str]) -> Iterator[ParsedTurn]:
    """The turns in ``text``, which blank lines separate; ``ValueError`` for what nobody said.

    A turn begins with an agent's whole name and what it does. A block that does not belongs to the
    turn before it, and so does one that comes while a quotation is open and later closed: SOTOPIA
    closes each, so a name inside was only spoken. Empty blocks are turns in which nothing was done.

    >>> list(parse_blocks('Ann said: "One.\\n\\nTwo."\\n\\nAnn Lee: left the conversation',
    ...                   ["Ann", "Ann Lee"]))
    [('Ann', 'speak', 'One.\\n\\nTwo.'), ('Ann Lee', 'leave', '')]
    """
    names = sorted(agents, key=len, reverse=True)
    blocks = text.split("\n\n")
    last_close = max((i for i, b in enumerate(blocks) if b.rstrip().endswith('"')), default=-1)
    speaker, said = "", ""
    blank: list[str] = []
    for index, block in enumerate(blocks):
        is_open = said.startswith(_SAID) and not _closed(said)
        header = _header(block, names)
        if header is not None and not (is_open and index <= last_close):
            if speaker:
                yield speaker, *parse_action(said)
            speaker, said = header
            blank = []
        elif not block.strip():
            blank.append(block)
        elif speaker:
            said = "\n\n".join([said, *blank, block])
            blank = []
        else:
            names_shown = ", ".join(repr(name[:40]) for name in names[:8])
            raise ValueError(
                f"expected a dialogue that begins with one of the agents {names_shown}, "
                f"found {block[:60]!r}"
            )
    if speaker:
        yield speaker, *parse_action(said)


def _closed(said: str) -> bool:
    spoken = said.removeprefix(_SAID).strip()
    return not spoken.startswith('"') or (len(spoken) > 1 and spoken.endswith('"'))


def _header(block: str, names: Iterable[str]) -> tuple[str, str] | None:
    """The whole name that a block begins with, and the action after it."""
    for name in names:
        if not block.startswith(name):
            continue
        rest = block[len(name) :]
        action = rest.removeprefix(":").lstrip()
        acts = action.strip() in (DID_NOTHING, LEFT) or action.startswith(_MARKS)
        if rest.startswith(f" {_SAID}") or (rest.startswith((":", " ")) and acts):
            return name, action
    return None
