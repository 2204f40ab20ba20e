"""Which scene and which object goes where."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.repair.data_split.assignment import assign_objects, assign_parts, without_copies
from snellen.scenes.scene import PictureArray, Scene

NAMES = st.lists(st.text(min_size=1, max_size=6), max_size=60, unique=True)
SHARES = st.tuples(*(st.floats(0.05, 1) for _ in range(3)))


@given(NAMES, SHARES, st.integers(0, 5))
def test_every_name_has_one_part_and_parts_have_their_share(
    names: list[str], shares: tuple[float, ...], seed: int
) -> None:
    wanted = dict(zip("abc", shares, strict=True))
    found = assign_parts(names, wanted, seed)
    assert set(found) == set(names)
    for part, share in wanted.items():
        exact = len(names) * share / sum(shares)
        assert abs(list(found.values()).count(part) - exact) <= 1


@given(NAMES, st.integers(0, 5))
def test_the_order_of_the_names_does_not_matter(names: list[str], seed: int) -> None:
    turned = list(reversed(names))
    shares = {"a": 0.5, "b": 0.5}
    assert assign_parts(names, shares, seed) == assign_parts(turned, shares, seed)


def test_another_seed_divides_otherwise() -> None:
    names = [f"scene {n}" for n in range(40)]
    shares = {"a": 1.0, "b": 1.0}
    assert assign_parts(names, shares, 1) != assign_parts(names, shares, 2)


def test_a_picture_that_is_there_twice_is_used_once() -> None:
    one, other = (np.full((4, 4, 3), grey, np.uint8) for grey in (10, 20))
    scenes = [
        Scene(id, PictureArray(pixels), (4, 4))
        for id, pixels in (("a", one), ("b", other), ("c", one.copy()))
    ]
    kept, copies = without_copies(scenes)
    assert [scene.id for scene in kept] == ["a", "b"]
    assert [(one.where, one.why) for one in copies] == [("c", "the same picture as 'a'")]


@given(
    st.dictionaries(
        st.text("0123456789abcdef", min_size=4, max_size=8),
        st.sampled_from(["", "s1", "s2", "s3", "s4", "s5"]),
        max_size=40,
    ),
    st.integers(0, 5),
)
def test_objects_of_one_scene_stay_together_and_go_where_it_is(
    sources: dict[str, str], seed: int
) -> None:
    homes = {"s1": "train", "s2": "repair", "s3": "evaluate", "s4": "watch"}
    found = assign_objects(sources, homes, 0.5, seed)
    assert set(found) == set(sources)
    expected = {"s1": "repair", "s2": "repair", "s3": "evaluate", "s4": "evaluate"}
    for id, source in sources.items():
        assert found[id] == expected.get(source, found[id])
    assert len({found[id] for id, source in sources.items() if source == "s5"}) <= 1
