"""Other views of a scene: pixels and boxes move together, there and back."""

from __future__ import annotations

import json

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.augmented_view import BORDER, AugmentedView
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.vision.arrays import Bytes
from snellen.vision.boxes.box_geometry import clip
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from tests.changes.pastes import noise, scene_of
from tests.vision.small_predictions import detections_of

SIZE = (60, 90)

VIEWS = st.builds(
    AugmentedView,
    st.booleans(),
    st.floats(0.5, 2.0),
    st.floats(-20, 20),
    st.floats(-20, 20),
    st.floats(0.5, 2.0),
)
INSIDE = st.tuples(st.integers(0, 50), st.integers(0, 30), st.integers(5, 39), st.integers(5, 29))


def box_of(values: tuple[int, int, int, int]) -> list[float]:
    x, y, width, height = values
    return [x, y, x + width, y + height]


def painted(box: npt.ArrayLike) -> Bytes:
    x1, y1, x2, y2 = np.asarray(box, dtype=int)
    image = np.zeros((*SIZE, 3), np.uint8)
    image[y1:y2, x1:x2] = 255
    return image


@given(VIEWS, st.lists(INSIDE, min_size=1, max_size=5))
@settings(max_examples=100)
def test_boxes_come_back_from_a_view_as_they_were(
    view: AugmentedView, places: list[tuple[int, int, int, int]]
) -> None:
    boxes = [box_of(place) for place in places]
    answer = detections_of(
        view.moved_boxes(boxes, SIZE), range(len(boxes)), np.linspace(0.1, 1, len(boxes))
    )
    back = view.restore(answer, SIZE)
    assert np.allclose(back.boxes, boxes, atol=1e-3)
    assert np.array_equal(back.labels, answer.labels)
    assert np.array_equal(back.scores, answer.scores)


@given(VIEWS, INSIDE)
@settings(max_examples=60)
def test_what_is_painted_in_the_scene_is_seen_where_its_box_is_viewed(
    view: AugmentedView, place: tuple[int, int, int, int]
) -> None:
    box = box_of(place)
    image = AugmentedView(view.flip, view.scale, view.dx, view.dy).build(scene_of(painted(box)), {})
    [[x1, y1, x2, y2]] = view.moved_boxes([box], SIZE)
    y, x = np.mgrid[: SIZE[0], : SIZE[1]] + 0.5
    inside = np.minimum(np.minimum(x - x1, x2 - x), np.minimum(y - y1, y2 - y))
    edge = 0.5 + view.scale / 2
    assert (image[inside > edge] == 255).all(), "the object is where its box is"
    assert (image[inside < -edge] <= BORDER).all(), "and nowhere else"


@pytest.mark.parametrize("scale", [1.0, 1.3, 1.6])
@pytest.mark.parametrize("flip", [False, True])
def test_an_object_is_centred_where_its_box_is_to_a_part_of_a_pixel(
    scale: float, flip: bool
) -> None:
    box, view = [30, 20, 64, 38], AugmentedView(flip, scale, 1.5, -2.25)
    image = view.build(scene_of(painted(box)), {})[..., 0].astype(float)
    [[x1, y1, x2, y2]] = view.moved_boxes([box], SIZE)
    y, x = np.mgrid[: SIZE[0], : SIZE[1]] + 0.5
    image[(x < x1 - 2) | (x > x2 + 2) | (y < y1 - 2) | (y > y2 + 2)] = 0
    centre = (image * x).sum() / image.sum(), (image * y).sum() / image.sum()
    assert centre == pytest.approx(((x1 + x2) / 2, (y1 + y2) / 2), abs=0.1)


def test_the_plain_view_is_the_scene_and_the_mirrored_one_its_mirror() -> None:
    pixels = noise(2, *SIZE, 3)
    assert np.array_equal(AugmentedView().build(scene_of(pixels), {}), pixels)
    assert np.array_equal(AugmentedView(flip=True).build(scene_of(pixels), {}), pixels[:, ::-1])


def test_whole_shifts_move_pixels_exactly_and_show_grey_beside_the_scene() -> None:
    pixels = noise(3, *SIZE, 3)
    image = AugmentedView(dx=7, dy=-4).build(scene_of(pixels), {})
    assert np.array_equal(image[:-4, 7:], pixels[4:, :-7])
    assert (image[-4:] == BORDER).all()
    assert (image[:, :7] == BORDER).all()


def test_gain_brightens_to_the_nearest_level_and_no_further_than_white() -> None:
    pixels = noise(4, *SIZE, 3)
    image = AugmentedView(gain=1.3).build(scene_of(pixels), {})
    assert np.array_equal(image, np.minimum(np.floor(pixels * 1.3 + 0.5), 255))


@given(VIEWS, INSIDE)
@settings(max_examples=40)
def test_masks_come_back_with_their_boxes(
    view: AugmentedView, place: tuple[int, int, int, int]
) -> None:
    box = box_of(place)
    [moved] = view.moved_boxes([box], SIZE)
    if np.abs(clip(moved[None], SIZE) - moved).max() > 1e-3:
        return  # Only part of the object is in the view.
    mask = painted(box)[..., 0] > 0
    plain = AugmentedView(view.flip, view.scale, view.dx, view.dy)
    shown = plain.build(scene_of(painted(box)), {})[..., 0] > 127
    answer = detections_of(view.moved_boxes([box], SIZE), [1], [1.0], Masks.from_array(shown[None]))
    back = view.restore(answer, SIZE)
    assert back.masks is not None
    returned = back.masks.to_array()[0]
    agree = (returned & mask).sum() / (returned | mask).sum()
    assert agree > 0.5, "about a pixel of the border is lost, more of small ones made smaller"
    middle = np.argwhere(returned).mean(axis=0) - np.argwhere(mask).mean(axis=0)
    assert np.abs(middle).max() <= 1


def test_masks_of_the_mirrored_view_come_back_exactly() -> None:
    mask = noise(5, *SIZE, 1)[..., 0] > 128
    answer = detections_of([[0, 0, 90, 60]], [1], [1.0], Masks.from_array(mask[None, :, ::-1]))
    back = AugmentedView(flip=True).restore(answer, SIZE)
    assert back.masks is not None
    assert np.array_equal(back.masks.to_array()[0], mask)


def test_what_is_seen_beside_the_scene_is_left_out_and_what_sticks_out_is_cut() -> None:
    view = AugmentedView(scale=0.5)
    answer = detections_of(
        [[0, 0, 10, 10], [20, 20, 40, 30], [5, 20, 40, 30]], [1, 2, 3], [0.9, 0.8, 0.7]
    )
    back = view.restore(answer, SIZE)
    assert back.labels.tolist() == [2, 3]
    assert back.boxes[1].tolist() == [0, 10, 35, 30]
    assert len(view.restore(Detections.empty(), SIZE)) == 0


def test_a_box_that_leaves_the_view_is_not_clipped() -> None:
    boxes = [[0, 0, 20, 20], [70, 40, 90, 60]]
    assert AugmentedView(dx=5, dy=-3).moved_boxes(boxes, SIZE).tolist() == [
        [5, -3, 25, 17],
        [75, 37, 95, 57],
    ]
    assert AugmentedView(flip=True).moved_boxes(boxes, SIZE).tolist() == [
        [70, 0, 90, 20],
        [0, 40, 20, 60],
    ]
    assert AugmentedView(scale=2).moved_boxes(np.zeros((0, 4)), SIZE).shape == (0, 4)


@given(VIEWS)
def test_a_view_comes_back_from_json(view: AugmentedView) -> None:
    again = recipe_from_json(json.loads(json.dumps(view.to_json())))
    assert again == view
    assert again.digest == view.digest


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"scale": 0.0}, "scale: found 0.0"),
        ({"gain": -1.0}, "gain: found -1.0"),
        ({"dx": float("nan")}, "dx, dy: found nan"),
    ],
)
def test_impossible_views_are_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(UserError, match=message):
        AugmentedView(**fields)  # type: ignore[arg-type]
