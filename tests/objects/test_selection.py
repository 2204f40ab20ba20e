from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.objects.cooccurrence import CoOccurrence
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.objects.selection import (
    ObjectChoice,
    Policy,
    SceneContext,
    Sizing,
    choose,
    target_size,
)
from snellen.objects.similarity import majority
from tests.objects.pictures import cutout, hash_of

LABELS = ("car", "carrot", "Traffic_Light", "bus")
LIBRARY = MemoryLibrary(
    [
        cutout(label, 10 * k + n, source=f"image-{n % 5}")
        for k, label in enumerate(LABELS)
        for n in range(10)
    ]
)


def scene(*labels: str, digest: str = "elsewhere", hashes: list[int] | None = None) -> SceneContext:
    count = len(labels)
    boxes = np.array([[0, 0, 30 + 10 * k, 20] for k in range(count)], dtype=float).reshape(-1, 4)
    given = list(range(count)) if hashes is None else hashes
    return SceneContext(digest, boxes, labels, np.array(given, dtype=np.uint64))


def chosen(where: SceneContext, seed: int = 0, **options: Any) -> list[ObjectChoice]:
    return choose(LIBRARY, where, np.random.default_rng(seed), **options)


def test_each_label_that_is_present_gives_one_object_as_published() -> None:
    choices = chosen(scene("car", "bus", "car"))
    assert [choice.label for choice in choices] == ["car", "bus"]


def test_car_does_not_match_carrot() -> None:
    assert {choice.label for choice in chosen(scene("car"), variety=100)} == {"car"}
    assert len(chosen(scene("car"), variety=100)) == 10


@pytest.mark.parametrize("spelling", ["traffic light", "Traffic-Light", "TRAFFIC_LIGHT"])
def test_a_label_is_found_whatever_its_spelling(spelling: str) -> None:
    [choice] = chosen(scene(spelling))
    assert choice.label == "Traffic_Light"


@given(st.integers(0, 2**32), st.sampled_from(list(Policy)), st.integers(1, 12))
def test_nothing_is_ever_put_into_the_image_it_comes_from(
    seed: int, policy: Policy, variety: int
) -> None:
    table = CoOccurrence.of_scenes([["car", "bus", "carrot"]])
    where = scene("car", digest="image-3")
    choices = chosen(where, seed, policy=policy, variety=variety, table=table)
    assert choices
    assert all(choice.entry.source != "image-3" for choice in choices)


def test_the_nearest_to_the_majority_wins_even_if_its_own_image_has_a_copy() -> None:
    own = [cutout("car", 70 + n, source="here") for n in range(3)]
    library = MemoryLibrary([*own, *(cutout("car", n, source="there") for n in range(40))])
    where = scene("car", "car", "car", digest="here", hashes=[hash_of(one) for one in own])
    reference = majority([hash_of(one) for one in own])
    foreign = [entry for entry in library.entries("car") if entry.source == "there"]
    ranked = sorted(foreign, key=lambda entry: (entry.hash ^ reference).bit_count())
    choices = choose(library, where, np.random.default_rng(0), variety=4)
    assert [choice.entry.id for choice in choices] == [entry.id for entry in ranked[:4]]


def test_a_label_that_the_scene_lacks_is_drawn_at_random() -> None:
    found = Counter(chosen(scene("car"), seed, policy=["bus"])[0].entry.id for seed in range(300))
    assert len(found) == 10
    assert max(found.values()) < 60


def test_a_list_of_labels_is_taken_as_it_is() -> None:
    assert [c.label for c in chosen(scene("car"), policy=["bus", "BUS", "moon", "carrot"])] == [
        "bus",
        "carrot",
    ]


def test_companions_are_drawn_by_how_often_they_stand_beside_the_scenes_labels() -> None:
    table = CoOccurrence.of_scenes([["car", "bus"]] * 9 + [["car", "carrot"]] + [["bus"]] * 50)
    assert table.companions(["car"]) == {"bus": 0.9, "carrot": 0.1}
    drawn = Counter(
        chosen(scene("car"), seed, policy=Policy.CO_OCCURRING, table=table)[0].label
        for seed in range(300)
    )
    assert set(drawn) == {"bus", "carrot"}
    assert 0.82 < drawn["bus"] / 300 < 0.97


def test_companions_are_never_what_is_there_already() -> None:
    table = CoOccurrence.of_scenes([["car", "bus", "carrot"], ["bus", "carrot"]])
    assert table.companions(["car", "BUS"]) == {"carrot": 1.0 + 1.0}


def test_without_companions_nothing_is_chosen() -> None:
    assert chosen(scene("car"), policy=Policy.CO_OCCURRING, table=CoOccurrence.of_scenes([])) == []


def test_any_draws_as_many_labels_as_the_scene_has() -> None:
    assert len(chosen(scene("car", "bus", "car"), policy=Policy.ANY)) == 2
    assert len(chosen(scene(), policy=Policy.ANY)) == 1
    assert len({chosen(scene("car"), n, policy=Policy.ANY)[0].label for n in range(60)}) == 4


def test_the_same_generator_state_gives_the_same_choice() -> None:
    options: dict[str, Any] = {"policy": Policy.ANY, "variety": 3}
    assert chosen(scene("car"), 7, **options) == chosen(scene("car"), 7, **options)


@given(
    st.tuples(st.integers(1, 900), st.integers(1, 900)),
    st.tuples(st.floats(30, 900), st.floats(30, 900)),
)
def test_the_area_is_the_mean_one_and_the_aspect_ratio_the_objects_own(
    own: tuple[int, int], mean: tuple[float, float]
) -> None:
    width, height = target_size(own, mean, Sizing.KEEP)
    scale = math.sqrt(mean[0] * mean[1] / (own[0] * own[1]))
    assert abs(width - own[0] * scale) <= 1
    assert abs(height - own[1] * scale) <= 1


def test_the_mean_is_over_the_objects_of_the_label_or_else_over_all() -> None:
    where = scene("car", "bus", "car")  # 30, 40 and 50 wide, 20 high
    sizes = {
        label: [(c.width, c.height) for c in chosen(where, policy=[label], sizing=Sizing.STRETCH)]
        for label in ("car", "bus", "carrot")
    }
    assert sizes == {"car": [(40, 20)], "bus": [(40, 20)], "carrot": [(40, 20)]}
    only = scene("bus", "car")
    [choice] = chosen(only, policy=["car"], sizing=Sizing.STRETCH)
    assert (choice.width, choice.height) == (40, 20)
    [choice] = chosen(only, policy=["carrot"], sizing=Sizing.STRETCH)
    assert (choice.width, choice.height) == (35, 20)


def test_in_an_empty_scene_an_object_keeps_its_own_size() -> None:
    [choice] = chosen(scene(), policy=["car"])
    assert (choice.width, choice.height) == (32, 24)


def test_objects_that_need_not_be_enlarged_much_are_preferred() -> None:
    small = cutout("car", 1, size=(10, 10))
    large = cutout("car", 2, size=(90, 90))
    library = MemoryLibrary([small, large])
    boxes = np.array([[0, 0, 100.0, 100.0]])
    where = SceneContext("x", boxes, ["car"], np.array([hash_of(small)], dtype=np.uint64))
    rng = np.random.default_rng(0)
    assert choose(library, where, rng)[0].entry.id == small.id
    assert choose(library, where, rng, enlarged=2)[0].entry.id == large.id
    only = MemoryLibrary([small])
    assert not choose(only, where, rng, enlarged=2), "enlarged too much, it would look blurred"
