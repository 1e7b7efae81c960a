"""What holds for every instruction: no error, no guess at unknown verbs, names are only names."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudge.judges.robot.domains.model import load_domain
from adjudge.judges.robot.goal_reader import GoalReader
from adjudge.judges.robot.instruction import read_instruction
from adjudge.judges.robot.lexicon import Lexicon
from adjudge.judges.robot.reading import NoReading, Reading
from adjudge.judges.robot.verbs import default_verbs
from adjudge.judges.robot.world import World
from instruction_notation import table, world_of

ROWS = list(table(Path(__file__).parent / "test_instruction_tables" / "readings.txt"))
READ = [(world_of(world), text) for world, text, lines in ROWS if lines[0].startswith("gate")]
HOME = READ[0][0]
VOCABULARY = """
put place take wash heat turn on off in into the a two both all it them with from and then before
after while not of slice clean hot open close other one mug apple apples sink fridge microwave table
lamp lamps bedroom kitchen that is , . to by next behind each containing hand plate plates 3 mug_1
$x ?apple _ { get fill water pour milk
"""
WORDS = st.sampled_from(VOCABULARY.split())
THINGS = st.sampled_from(
    """the milk|an apple|both apples|the apple in the fridge|all the plates|two plates|the mug|it
    |them|a clean mug|the other|the plates|a slice of bread|the pan with an egg in it|the vase
    |every book|the lamp in the bedroom|the soup|one lamp""".replace("\n", "").split("|")
)
PLACES = st.sampled_from(
    """in the sink|on the table|into the microwave|in it|next to the stove|under the bed|to the bed
    |in the bowl on the counter|in the kitchen|from the fridge|inside|with the knife
    |""".replace("\n", "").split("|")
)
VERBS = st.sampled_from(
    "put wash heat take get chill slice|turn on|turn off|open|close|hold|fill|cook|pour".replace(
        " ", "|"
    )
    .replace("turn|o", "turn o")
    .split("|")
)
CLAUSES = st.tuples(VERBS, THINGS, PLACES).map(lambda parts: " ".join(p.strip() for p in parts))
LINKS = st.sampled_from([" and ", ", then ", ". ", ", "])
DOMAIN = load_domain("household")


@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_not(text: str) -> None:
    assert isinstance(read_instruction(text, HOME, default_verbs()), Reading | NoReading)


@given(
    st.lists(WORDS, max_size=120).map(" ".join)
    | st.tuples(CLAUSES, LINKS, CLAUSES, LINKS, CLAUSES).map("".join)
    | st.tuples(CLAUSES, LINKS, CLAUSES).map("".join),
    st.booleans(),
)
@settings(max_examples=400, deadline=None)
def test_any_words_are_read_or_not_and_what_is_read_is_a_goal(text: str, closed: bool) -> None:
    lexicon = Lexicon(closed, HOME.objects, HOME.rooms, HOME.places)
    reading = read_instruction(text, lexicon, default_verbs())
    if isinstance(reading, Reading):
        assert_readable(reading, lexicon)


def test_every_reading_is_a_goal() -> None:
    for lexicon, text in READ:
        reading = read_instruction(text, lexicon, default_verbs())
        assert isinstance(reading, Reading)
        assert_readable(reading, lexicon)


def assert_readable(reading: Reading, lexicon: Lexicon) -> None:
    world = World(
        DOMAIN,
        closed=lexicon.closed,
        categories=lexicon.objects,
        rooms=lexicon.rooms,
        start={("place", name): place for name, place in lexicon.places.items()},
    )
    reader = GoalReader(world, world.start)
    for goal in (reading.gate, *(wish.goal for wish in reading.audit), *reading.presupposed):
        reader.read(goal)


NAMED = [
    "Put the {milk} in the {fridge}.",
    "Put the {mug} on the {table} and turn off the {tv}.",
    "Heat the {milk} in the {microwave} and bring it to the {table}.",
    "Wash the {mug} in the {sink}, then put it in the {cabinet}.",
    "Get the {juice} from the {fridge}.",
    "Open the {drawer} and put the {spoon} in it.",
    "Put the {milk} in the {microwave} and turn it on.",
    "Slice the {bread} and put it in the {bowl}.",
    "Put the {spoon} in the {mug} on the {table}.",
    "Cook the {egg} in the {pan} on the {stove}.",
]


@given(st.sampled_from(NAMED), st.text(alphabet="bcdfghjklmnpqrstvwxz", min_size=6, max_size=9))
@settings(max_examples=100, deadline=None)
def test_an_unknown_verb_is_not_guessed_at(template: str, verb: str) -> None:
    rest = template.replace("{", "").replace("}", "").split(" ", 1)[1]
    assert isinstance(read_instruction(f"{verb} {rest}", HOME, default_verbs()), NoReading)


@given(st.sampled_from(NAMED), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_names_are_only_names(template: str, random: object) -> None:
    """Renaming every object, with its category kept, renames the reading."""
    ids = list(HOME.objects)
    numbers = list(range(len(ids)))
    random.shuffle(numbers)  # type: ignore[attr-defined]
    renamed = {name: f"thing_{number}" for name, number in zip(ids, numbers, strict=True)}
    world = Lexicon(
        True,
        {renamed[name]: category for name, category in HOME.objects.items()},
        HOME.rooms,
        {
            renamed[name]: (relation, renamed.get(target, target))
            for name, (relation, target) in HOME.places.items()
        },
    )
    plain = read_instruction(template.replace("{", "").replace("}", ""), HOME, default_verbs())
    other = re.sub(r"{(\w+)}", lambda match: renamed[match[1]], template)
    assert isinstance(plain, Reading)
    assert _renamed(repr(plain.gate), renamed) == repr(
        read_instruction(other, world, default_verbs()).gate  # type: ignore[union-attr]
    )


def _renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"(?<=')\w+(?=')", lambda match: names.get(match[0], match[0]), text)


def test_a_reading_depends_on_nothing_but_its_arguments() -> None:
    for lexicon, text in READ[:40]:
        first = read_instruction(text, lexicon, default_verbs())
        read_instruction("Put it on the table.", lexicon, default_verbs())
        assert read_instruction(text, lexicon, default_verbs()) == first
