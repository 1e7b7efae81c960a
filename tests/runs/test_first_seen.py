"""The small map of ids."""

from hypothesis import given
from hypothesis import strategies as st

from adjudge.runs.seen import FirstSeen, Seen


@given(st.lists(st.text(st.characters(codec=None), max_size=3), max_size=200))
def test_it_says_what_a_dict_says(names: list[str]) -> None:
    seen, known = FirstSeen(), dict[str, int]()
    for index, name in enumerate(names):
        assert seen.add(name, index) == known.get(name)
        known.setdefault(name, index)


def test_it_keeps_everything_as_it_grows() -> None:
    seen = FirstSeen()
    assert all(seen.add(f"case-{i}", i << 20) is None for i in range(20_000))
    assert all(seen.add(f"case-{i}", 0) == i << 20 for i in range(20_000))


@given(st.lists(st.text(st.characters(codec=None), max_size=3), max_size=200), st.text(max_size=3))
def test_the_set_says_what_a_set_says(names: list[str], other: str) -> None:
    seen = Seen()
    for name in names:
        seen.add(name)
    assert all(name in seen for name in names)
    assert (other in seen) == (other in names)
    for number in range(3_000):
        seen.add(f"case-{number}")
    assert all(name in seen for name in names)
