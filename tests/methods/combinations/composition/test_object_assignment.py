"""Objects are dealt evenly."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.combinations.composition.object_assignment import assign_objects
from snellen.objects.library.library import Entry


def entries(label: int, count: int) -> list[Entry]:
    return [Entry(f"{label}-{n}", str(label), 10, 10, 50, 0) for n in range(count)]


ROWS = st.lists(
    st.lists(st.integers(0, 4), unique=True, max_size=4).map(lambda row: tuple(sorted(row))),
    max_size=12,
)
COUNTS = st.lists(st.integers(1, 7), min_size=5, max_size=5)


@given(ROWS, COUNTS, st.integers(1, 6), st.integers(0, 3))
def test_each_object_is_used_once_before_any_is_used_twice(
    rows: list[tuple[int, ...]], counts: list[int], images: int, seed: int
) -> None:
    objects = {label: entries(label, count) for label, count in enumerate(counts)}
    used: dict[int, Counter[str]] = {label: Counter() for label in objects}
    hands = assign_objects(rows, objects, images, seed)
    assert [len(hand) for hand in hands] == [len(row) for row in rows]
    for row, hand in zip(rows, hands, strict=True):
        for label, cards in zip(row, hand, strict=True):
            assert len(cards) == images
            for card in cards:
                assert card.label == str(label)
                used[label][card.id] += 1
                most = max(used[label].values())
                if most > 1:
                    assert min(used[label][one.id] for one in objects[label]) >= most - 1


def test_another_seed_deals_otherwise_and_the_same_one_alike() -> None:
    objects = {0: entries(0, 30)}
    first, again, other = (assign_objects([(0,)], objects, 20, seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other
