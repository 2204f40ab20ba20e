"""What goes into a picture: failing places, where they cluster, and random free ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.insert import Insert
from snellen.methods.free_places import FreeSpace
from snellen.methods.paste.paste_repairs import places_in
from snellen.repair.retraining.failure_clusters import clusters_of, ranked_places
from snellen.repair.retraining.insertion_choice import (
    ChosenInsertion,
    InsertionGround,
    PlaceReason,
    chosen_pictures,
)
from snellen.repair.retraining.insertion_places import InsertionPlace, ScenePlaces
from snellen.repair.retraining.options import RetrainingOptions
from snellen.vision.detections import Detections

SIZE = (90, 120)


def place(number: int, x: int, y: int, side: int = 10, **more: Any) -> InsertionPlace:
    values = {"failing": True, "instance": 0, "diagonal": 40.0, **more}
    return InsertionPlace(f"c{number:03}", Insert("o", x, y, side, side), **values)


def ground(places: list[InsertionPlace], known: list[list[float]]) -> InsertionGround:
    boxes = np.array(known, dtype=np.float32).reshape(-1, 4)
    tested = ScenePlaces("s", Detections.empty(), tuple(places))
    room = FreeSpace(SIZE, boxes)
    free = places_in(lambda _label, _height: room)
    return InsertionGround(tested, boxes, free, {"o": "thing"})


def counted(
    chosen: tuple[ChosenInsertion, ...], known: npt.NDArray[np.float32]
) -> npt.NDArray[np.int64]:
    """How many things cover each pixel, drawn one by one."""
    drawn = np.zeros(SIZE, dtype=np.int64)
    for x1, y1, x2, y2 in [*(one.box for one in chosen)]:
        drawn[int(y1) : int(y2), int(x1) : int(x2)] += 1
    taken = np.zeros(SIZE, dtype=bool)
    for x1, y1, x2, y2 in known:
        taken[int(np.floor(y1)) : int(np.ceil(y2)), int(np.floor(x1)) : int(np.ceil(x2))] = True
    return np.where(taken & (drawn > 0), 99, drawn)


PLACES = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 45), st.integers(4, 30), st.booleans()),
    min_size=1,
    max_size=25,
)
BOXES = st.lists(
    st.tuples(st.integers(0, 90), st.integers(0, 60), st.integers(1, 30), st.integers(1, 30)),
    max_size=3,
)
ASKED = st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda fr: 1 <= sum(fr) <= 5)


@given(PLACES, BOXES, ASKED, st.sampled_from(["clusters", "failing"]), st.integers(0, 9))
def test_nothing_overlaps_and_no_place_is_used_twice(
    drawn: list[tuple[int, int, int, bool]],
    boxes: list[tuple[int, int, int, int]],
    asked: tuple[int, int],
    at: str,
    seed: int,
) -> None:
    places = [
        place(n, x, y, min(side, 120 - x, 90 - y), failing=fails)
        for n, (x, y, side, fails) in enumerate(drawn)
    ]
    known = [[float(x), float(y), float(x + w), float(y + h)] for x, y, w, h in boxes]
    here = ground(places, known)
    options = RetrainingOptions(failing=asked[0], random=asked[1], at=at, pictures=3)
    pictures = chosen_pictures(here, options, np.random.default_rng(seed))
    again = chosen_pictures(here, options, np.random.default_rng(seed))
    assert pictures == again
    used = [one.case for chosen in pictures for one in chosen if one.why == PlaceReason.FAILING]
    assert len(used) == len(set(used))
    by_case = {one.case: one for one in places}
    for chosen in pictures:
        assert counted(chosen, here.obstacles).max() <= 1, (
            "an object hides another or what is there"
        )
        whys = [one.why for one in chosen]
        assert whys.count(PlaceReason.FAILING) <= asked[0]
        assert whys.count(PlaceReason.RANDOM) <= asked[1]
        assert not asked[0] or whys.count(PlaceReason.FAILING) >= 1
        for one in chosen:
            source = by_case[one.case]
            if one.why == PlaceReason.FAILING:
                assert source.failing
                assert one.recipe == source.recipe


def test_of_failing_places_that_overlap_one_is_taken() -> None:
    beside = [place(0, 0, 0, 10), place(1, 9, 9, 10), place(2, 10, 0, 10), place(3, 5, 5, 10)]
    options = RetrainingOptions(failing=4, at="failing")
    for seed in range(20):
        [chosen] = chosen_pictures(ground(beside, []), options, np.random.default_rng(seed))
        assert {one.case for one in chosen} in ({"c000", "c002"}, {"c001"}, {"c003"})
    assert len(chosen_pictures(ground(beside[::2], []), options, rng())[0]) == 2, "touching is fine"


def test_a_random_place_is_as_likely_anywhere_that_is_free() -> None:
    known = [[40.0, 0.0, 120.0, 90.0]]
    here = ground([place(0, 0, 0, 20)], known)
    options = RetrainingOptions(failing=0, random=1)
    rng = np.random.default_rng(0)
    corners = [chosen_pictures(here, options, rng)[0][0].box[:2] for _ in range(2000)]
    x, y = np.array(corners).T
    assert (x.min(), x.max(), y.min(), y.max()) == (0, 20, 0, 70)
    counts = np.bincount(x.astype(int) // 3, minlength=7)
    assert np.abs(counts - 2000 / 7).max() < 5 * np.sqrt(2000 / 7)


def test_without_room_there_is_no_picture() -> None:
    here = ground([place(0, 0, 0, 20)], [[0.0, 0.0, 120.0, 90.0]])
    assert chosen_pictures(here, RetrainingOptions(failing=0, random=2), rng()) == []
    assert chosen_pictures(here, RetrainingOptions(failing=2), rng()) == []


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def cluster(first: int, x: int, y: int, count: int, **more: Any) -> list[InsertionPlace]:
    spread = np.random.default_rng(first).integers(-4, 5, (count, 2))
    return [place(first + n, x + dx, y + dy, 4, **more) for n, (dx, dy) in enumerate(spread)]


def test_the_medoids_of_the_largest_clusters_come_first() -> None:
    large, small = cluster(0, 30, 30, 12), cluster(100, 90, 70, 7)
    alone = [place(200, 60, 5, 4), place(201, 5, 80, 4)]
    ranked = ranked_places([*small, *alone, *large], RetrainingOptions(), rng())
    assert [number for _, number in ranked[:4]] == [0, 1, 0, 1]
    assert ranked[0][0] == brute_medoid(large)
    assert ranked[1][0] == brute_medoid(small)
    assert {one.case for one, number in ranked if number is None} == {"c200", "c201"}
    assert len(ranked) == 21


def brute_medoid(places: list[InsertionPlace]) -> InsertionPlace:
    def total(one: InsertionPlace) -> float:
        return sum(
            float(np.hypot(one.centre[0] - b.centre[0], one.centre[1] - b.centre[1]))
            for b in places
        )

    return min(places, key=lambda one: (round(total(one), 6), one.case))


def test_each_instance_has_clusters_of_its_own() -> None:
    """Six places near each other, but for two instances: neither has five of them."""
    near = cluster(0, 30, 30, 6)
    split = [InsertionPlace(p.case, p.recipe, True, n % 2, 40.0) for n, p in enumerate(near)]
    assert clusters_of(near, RetrainingOptions())
    assert clusters_of(split, RetrainingOptions()) == []


def test_the_radius_is_counted_in_diagonals_of_the_instance() -> None:
    spread = [place(n, 10 * n, 20, 4, diagonal=40.0) for n in range(8)]
    assert clusters_of(spread, RetrainingOptions(neighbours=3))
    narrow = [InsertionPlace(p.case, p.recipe, True, 0, 20.0) for p in spread]
    assert clusters_of(narrow, RetrainingOptions(neighbours=3)) == []


def test_scattered_failures_with_a_small_knot_are_not_clusterable() -> None:
    knot = cluster(0, 30, 30, 5)
    far = [place(50 + n, 100, 10 * n, 4, diagonal=8.0) for n in range(8)]
    scattered = [InsertionPlace(p.case, p.recipe, True, 0, 20.0) for p in [*knot, *far]]
    assert clusters_of(scattered, RetrainingOptions()) == []
    ranked = ranked_places(scattered, RetrainingOptions(), rng())
    assert all(number is None for _, number in ranked)
    assert [one.case for one, _ in ranked] != [one.case for one in scattered], "in the run's order"


def test_at_failing_no_cluster_is_preferred() -> None:
    places = cluster(0, 30, 30, 12)
    ranked = ranked_places(places, RetrainingOptions(at="failing"), rng())
    assert all(number is None for _, number in ranked)
    assert {one.case for one, _ in ranked} == {one.case for one in places}
