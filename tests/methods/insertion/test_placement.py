"""Places are free, inside, in the frame, on the ground, and drawn evenly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.insertion.placement import (
    FreeSpace,
    Placement,
    draw,
    frame_around,
    standing_bottoms,
)


def boxes(*rows: tuple[float, float, float, float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32).reshape(-1, 4)


def really_free(room: FreeSpace, x: int, y: int, width: int, height: int) -> bool:
    """The plain definition: inside the image, and no pixel shared with an obstacle."""
    if x < 0 or y < 0 or x + width > room.size[1] or y + height > room.size[0]:
        return False
    for ox1, oy1, ox2, oy2 in room.obstacles:
        across = x < np.ceil(ox2) and x + width > np.floor(ox1)
        if across and y < np.ceil(oy2) and y + height > np.floor(oy1):
            return False
    if room.ground is not None:
        base = room.ground[y + height - 1]
        return all(base[x + min(width - 1, int(width * s))] for s in (0.25, 0.5, 0.75))
    return True


coordinate = st.floats(0, 40, width=32)


@st.composite
def rooms(draw_from: st.DrawFn) -> FreeSpace:
    size = draw_from(st.tuples(st.integers(8, 40), st.integers(8, 40)))
    corners = draw_from(
        st.lists(st.tuples(coordinate, coordinate, coordinate, coordinate), max_size=4)
    )
    rows = [(min(a, c), min(b, d), max(a, c) + 0.5, max(b, d) + 0.5) for a, b, c, d in corners]
    ground = None
    if draw_from(st.booleans()):
        seed = draw_from(st.integers(0, 99))
        ground = np.random.default_rng(seed).random(size) < 0.7
    return FreeSpace(size, boxes(*rows), ground)


@given(rooms(), st.integers(1, 12), st.integers(1, 12))
@settings(max_examples=60)
def test_free_places_are_exactly_those_of_the_plain_definition(
    room: FreeSpace, width: int, height: int
) -> None:
    found = {(int(x), int(y)) for x, y in room.free((-5, -5, 60, 60), width, height)}
    expected = {
        (x, y)
        for x in range(-5, 60)
        for y in range(-5, 60)
        if really_free(room, x, y, width, height)
    }
    assert found == expected


def test_guided_places_lie_in_the_frame_of_the_paper() -> None:
    """Half-extents of the centre: (W + w)/2 to (W + 2w)/2, and the same for heights."""
    target, (w, h) = boxes((300, 200, 360, 300))[0], (40, 20)
    room = FreeSpace((600, 800), target[None])
    found = draw(Placement.GUIDED, room, target, (w, h), 10**6, np.random.default_rng(1))
    dx = np.abs(found[:, 0] + w / 2 - 330)
    dy = np.abs(found[:, 1] + h / 2 - 250)
    assert ((dx >= (60 + w) / 2) | (dy >= (100 + h) / 2)).all(), "never over the target"
    assert (dx <= (60 + 2 * w) / 2).all()
    assert (dy <= (100 + 2 * h) / 2).all()
    assert dx.max() > (60 + 2 * w) / 2 - 1
    assert dy.max() > (100 + 2 * h) / 2 - 1, "width and height are not swapped"


def test_guided_places_favour_no_quadrant() -> None:
    target = boxes((380, 280, 420, 320))[0]
    room = FreeSpace((600, 800), target[None])
    rng = np.random.default_rng(2)
    found = np.concatenate(
        [draw(Placement.GUIDED, room, target, (30, 30), 1, rng) for _ in range(2000)]
    )
    right, below = found[:, 0] + 15 > 400, found[:, 1] + 15 > 300
    shares = [np.mean(right == a) * 1.0 for a in (False, True)]
    quadrants = [np.mean((right == a) & (below == b)) for a in (False, True) for b in (False, True)]
    assert np.allclose(shares, 0.5, atol=0.05)
    assert np.allclose(quadrants, 0.25, atol=0.05)


@pytest.mark.parametrize("placement", list(Placement))
def test_places_are_different_and_free(placement: Placement) -> None:
    obstacles = boxes((100, 100, 180, 200), (300, 50, 360, 120))
    room = FreeSpace((300, 500), obstacles)
    found = draw(placement, room, obstacles[0], (40, 30), 50, np.random.default_rng(3))
    assert len(np.unique(found, axis=0)) == len(found) == 50
    assert all(really_free(room, int(x), int(y), 40, 30) for x, y in found)


def test_random_places_reach_every_part_of_the_image() -> None:
    room = FreeSpace((300, 500), boxes((240, 140, 260, 160)))
    found = draw(
        Placement.RANDOM, room, room.obstacles[0], (20, 20), 2000, np.random.default_rng(4)
    )
    counts, _, _ = np.histogram2d(found[:, 0], found[:, 1], bins=[4, 3])
    assert counts.min() > 100, "the upper half too"


def test_a_crowded_scene_gives_no_place_instead_of_a_bad_one() -> None:
    room = FreeSpace((100, 100), boxes((0, 0, 100, 100)))
    assert (
        len(draw(Placement.RANDOM, room, room.obstacles[0], (10, 10), 5, np.random.default_rng(5)))
        == 0
    )
    assert (
        len(draw(Placement.GUIDED, room, room.obstacles[0], (10, 10), 5, np.random.default_rng(5)))
        == 0
    )


def test_the_last_free_place_is_found() -> None:
    room = FreeSpace((50, 50), boxes((0, 0, 50, 40), (0, 40, 40, 50)))
    [place] = draw(Placement.RANDOM, room, room.obstacles[0], (10, 10), 5, np.random.default_rng(6))
    assert place.tolist() == [40, 40]


def test_objects_stand_on_the_ground() -> None:
    ground = np.zeros((300, 500), dtype=bool)
    ground[200:, 100:400] = True
    room = FreeSpace((300, 500), boxes((200, 150, 260, 240)), ground)
    found = draw(Placement.RANDOM, room, room.obstacles[0], (40, 30), 300, np.random.default_rng(7))
    assert len(found) == 300
    assert (found[:, 1] + 30 - 1 >= 200).all()
    assert (found[:, 0] + 10 >= 100).all()
    assert (found[:, 0] + 30 < 400).all()


def test_far_objects_stand_higher_than_near_ones() -> None:
    """Objects on level ground with the horizon at y = 100: height is half of (bottom - 100)."""
    seen = boxes(*((0, b - (b - 100) / 2, 10, b) for b in (140, 180, 260)))
    low, high = standing_bottoms(seen, 30.0) or (0, 0)
    assert low < 160 < high
    low, high = standing_bottoms(seen, 60.0) or (0, 0)
    assert low < 220 < high
    assert standing_bottoms(boxes(), 30.0) is None
    low, high = standing_bottoms(boxes((0, 100, 10, 150)), 50.0) or (0, 0)
    assert low < 150 < high


def test_the_frame_follows_the_object_not_the_image() -> None:
    assert frame_around(boxes((10, 10, 20, 30))[0], 4, 8) == (4, -2, 23, 35)
