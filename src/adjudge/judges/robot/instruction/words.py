"""The small words of English that carry structure: articles, prepositions, fillers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

Prep = Literal["in", "on", "under", "to", "from", "near", "with", "of", "for", "landmark"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """Phrases between bars, longest first."""
    found = (tuple(phrase.split()) for phrase in text.split("|"))
    return tuple(sorted(found, key=len, reverse=True))


_NUMBERS = "two three four five six seven eight nine ten eleven twelve"
NUMBERS: Mapping[str, int] = {word: value for value, word in enumerate(_NUMBERS.split(), start=2)}

DEFINITE = _words("the this that these those my your his her our their its")
INDEFINITE = _words("a an some any one")

# A preposition, and whether it says that something comes to be there ("into the kitchen") or just
# where it is ("in the kitchen"). "landmark": a place that no fact says.
_PREPOSITIONS: tuple[tuple[Prep, bool, str], ...] = (
    ("in", False, "in|inside|inside of|within|in the inside of|on the inside of"),
    ("in", True, "into|in to|to the inside of|back in|back into|back inside|down in|down into"),
    ("in", True, "away in|away into|away inside|over into|out into|up in"),
    ("on", False, "on|upon|atop|on top of|on the top of|on top"),
    ("on", True, "onto|on to|back on|back onto|down on|down onto|down upon|onto the top of"),
    ("on", True, "to the top of|back on top of|down on top of|over onto|away on"),
    ("under", False, "under|underneath|beneath|below"),
    ("to", True, "to|over to|back to|up to|down to|towards|toward|back over to"),
    ("from", False, "from|off|off of|out of|from inside|from inside of|from on top of|up from"),
    ("from", False, "from the top of|from under|from off of|out from|away from|down from"),
    ("near", False, "near|next to|beside|by|close to|alongside|adjacent to|nearby|near to"),
    ("near", False, "closest to|nearest to|nearer to|closer to"),
    ("with", False, "with|using"),
    ("of", False, "of"),
    ("for", False, "for"),
    ("landmark", False, "in front of|behind|between|in between|above|across from|against|around"),
    ("landmark", False, "to the left of|to the right of|to left of|to right of|left of|right of"),
    ("landmark", False, "on the left of|on the right of|on the left side of|on the right side of"),
    ("landmark", False, "to the left side of|to the right side of|at the end of|at the foot of"),
    ("landmark", False, "on the side of|to the side of|at the side of|on either side of|at|over"),
    ("landmark", False, "opposite|opposite of|opposite to|along|past|among|at the edge of"),
)


def _prepositions() -> Iterator[tuple[tuple[str, ...], tuple[Prep, bool]]]:
    for prep, moving, text in _PREPOSITIONS:
        for phrase in _phrases(text):
            yield phrase, (prep, moving)


PREPOSITIONS = dict(_prepositions())
PREPOSITION_STARTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    first: tuple(
        sorted((words for words in PREPOSITIONS if words[0] == first), key=len, reverse=True)
    )
    for first in {words[0] for words in PREPOSITIONS}
}

# Words that say nothing about the goal, and phrases like them.
ADVERBS = _words(
    "carefully gently quickly slowly safely immediately neatly just simply please also there now "
    "first next finally lastly together directly properly nicely softly afterwards afterward "
    "completely fully kindly too thoroughly straight quietly subsequently individually separately"
)
FILLERS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = tuple(
    (tuple(old.split()), tuple(new.split()))
    for old, new in (
        ("as well as", "and"),
        ("along with", "and"),
        ("together with", "and"),
        ("as well", ""),
        ("one at a time", ""),
        ("one by one", ""),
        ("at the same time", ""),
        ("in order to", "to"),
        ("at least", ""),
        ("so that it is", "and ensure it is"),
        ("for me", ""),
        ("for us", ""),
    )
)

# Words that change what is asked in a way these rules do not follow.
REFUSED = _words(
    "not no never don't dont doesn't without except unless if when whenever until till or either "
    "neither nor but instead otherwise else because since so that's where wherever who whom how "
    "why what whatever as twice times minutes minute seconds second hours hour degrees than least "
    "most many few several enough more less rather avoid cannot can't won't only again everything "
    "anything nothing something everyone none respectively though although somewhere elsewhere "
    "like unlike maybe perhaps possibly would could might may must was were did do does had has "
    "have been being halfway partially partly almost nearly dozen dozens lots plenty hundred "
    "hundreds thousand tonight today tomorrow later soon upstairs downstairs outside"
)

RELATIVE = _words("that which")
COPULA = _words("is are")

# "The back of the toilet" is the toilet.
PART_NOUNS = _words(
    "back top edge corner lid surface middle center centre end side front rim base seat foot light "
    "glow shine left right rear ledge inside bottom"
)
# "The fridge door" is the fridge.
LIDS = _words("door lid")
# "A set of keys" are keys; "a bar of soap" is soap, or a soap bar.
MEASURE_NOUNS = _words(
    "set pair bunch bar loaf head roll stick pile stack sheet lump block ball handful"
)
# "A slice of apple" is apple, sliced.
SLICE_NOUNS = _words("slice piece section chunk wedge half portion bit segment")

# Adjectives that pick out, and that a scene may or may not know: "the red mug".
TRAITS = _words(
    "red green blue yellow black white brown grey gray orange purple pink silver gold golden beige "
    "tan dark light bright clear cream maroon teal violet big small large little tiny tall short "
    "long round square rectangular wooden metal plastic glass ceramic steel old new nice heavy "
    "thick thin whole single nearest closest same main regular upper lower first second third "
    "fourth top bottom left right middle"
)
# Adjectives that pick out by a state.
SELECTING: Mapping[str, str] = {
    "dirty": "dirty",
    "soiled": "dirty",
    "empty": "empty",
    "full": "filled",
    "filled": "filled",
    "open": "open",
    "opened": "open",
    "closed": "closed",
    "lit": "on",
    "broken": "broken",
}

# What says that a clause comes after the one before.
SEQUELS = _words("then next finally afterwards afterward lastly subsequently")
# Verbs of the table that are adjectives too, whatever the table says.
ALSO_ADJECTIVES = _words("open empty clean dry warm cool close")

TAILS = _phrases("please|thanks|thank you|,|now|too|also")
LEAD_INS = _phrases(
    ",|please|kindly|robot|hey|hi|hello|ok|okay|now|first|firstly|next|finally|lastly|then|also|and|"
    "can you|could you|would you|will you|can you please|could you please|would you please|"
    "will you please|i want you to|i would like you to|i'd like you to|i need you to|"
    "we need you to|you should|you need to|you have to|you must|your job is to|your task is to|"
    "your goal is to|the task is to|the goal is to|the objective is to|your objective is to|"
    "try to|help me|help me to|let's|lets|let us|go ahead and|go and|make sure to|be sure to|"
    "remember to|to|after that|afterwards|i want to|i need to|we need to|it is time to|"
    "it's time to|proceed to|start by|begin by|the robot should|the robot must|"
    "the robot needs to|make sure you|make sure that you"
)

# Particles that belong to the verb and say nothing further.
PARTICLES = _words("up down away back out off over on along in")

# Verbs that are in no table: they end a clause, and there is no goal.
OTHER_VERBS = _words(
    "find make check watch read eat drink play sing dance serve use locate turn look press push "
    "pull call tell feed sit stand sleep wait stop keep let allow prepare count give hand help ask "
    "answer write draw paint build fix repair fold iron sweep mop vacuum dust scrub polish peel "
    "mix stir blend whip season taste try wear dress tidy straighten declutter decorate clear swap "
    "exchange replace adjust rotate flip tilt lift raise lower knock break smash crack tear "
    "assemble measure weigh sort search explore scan patrol guard follow avoid enter exit leave "
    "say speak sniff smell touch grasp release squeeze shake kick bounce roll spread cover uncover "
    "wrap unwrap lock unlock connect disconnect attach detach light extinguish burn ensure"
)
