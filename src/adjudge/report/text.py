"""Text from anywhere as markup: escaped, kept apart from the direction of what is around it."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# Those that nobody sees, or that reorder a line; the page's script has the same.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)


def shown(text: str) -> Markup:
    """``text`` as it may stand in the page, hidden characters spelled out.

    >>> print(shown("<b>\\u202e"))
    <bdi>&lt;b&gt;<span class="hidden-character">U+202E</span></bdi>
    """
    parts: list[Markup] = []
    at = 0
    for found in _HIDDEN.finditer(text):
        code = f"U+{ord(found[0]):04X}"
        parts += [
            escape(text[at : found.start()]),
            Markup('<span class="hidden-character">{}</span>').format(code),
        ]
        at = found.end()
    parts.append(escape(text[at:]))
    return Markup("<bdi>{}</bdi>").format(Markup("").join(parts))


def named(text: str) -> Markup:
    """The same for a name that may be broken where its words meet.

    >>> print(named("goal_met"))
    <bdi>goal_<wbr>met</bdi>
    """
    return Markup(str(shown(text)).replace("_", "_<wbr>"))
