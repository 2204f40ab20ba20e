"""What was repaired with is never called held out."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.held_out_check import held_out
from snellen.scenes.scene import PictureArray, Scene


def scene(id: str, seed: int) -> Scene:
    pixels = np.random.default_rng(seed).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    return Scene(id, PictureArray(pixels), (32, 32))


JUDGED = DataPart("evaluation", [scene("a", 1), scene("b", 2)], {"o1": scene("x", 9).digest})


def test_other_scenes_and_objects_are_held_out() -> None:
    found = held_out(JUDGED, [DataPart("train", [scene("c", 3)], {"o2": ""})])
    assert (found.held_out, found.why) == (True, "")
    assert [one.name for one in found.trained_on] == ["train"]
    assert (found.judged_on.scenes, found.judged_on.objects) == (2, 1)


LEAKS = {
    "a scene": DataPart("train", [scene("z", 2)]),
    "an id": DataPart("train", [scene("b", 5)]),
    "an object": DataPart("train", [scene("c", 3)], {"o1": ""}),
    "where an object was cut out": DataPart("train", [scene("x", 9)]),
}


@pytest.mark.parametrize("what", LEAKS)
def test_sharing_anything_is_a_leak(what: str) -> None:
    found = held_out(JUDGED, [DataPart("more", [scene("d", 7)]), LEAKS[what]])
    assert found.held_out is False
    assert "train" in found.why


def test_ids_may_repeat_where_pictures_do_not() -> None:
    assert held_out(JUDGED, [LEAKS["an id"]], by_id=False).held_out is True
    assert held_out(JUDGED, [LEAKS["a scene"]], by_id=False).held_out is False


@pytest.mark.parametrize("nothing", [None, []])
def test_not_to_know_what_it_was_trained_on_is_not_to_know(nothing: list[DataPart] | None) -> None:
    assert held_out(JUDGED, nothing).held_out is None


def test_a_picture_twice_in_training_is_no_leak() -> None:
    twice = DataPart("train", [scene("c", 3), scene("d", 3)])
    assert held_out(JUDGED, [twice]).held_out is True
