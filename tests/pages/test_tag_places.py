"""Tags of marks stand where they can be read."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from snellen.pages.marks import Mark, Sides
from snellen.pages.overlay import tag_size
from snellen.pages.pair_picture import COLOURS, draw_pair, marked_panel
from snellen.pages.tag_places import tag_places

PICTURE = (640, 360)


def overlaps(places: list[tuple[float, float, float, float]]) -> int:
    return sum(
        min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])
        for a, b in combinations(places, 2)
    )


@pytest.mark.parametrize("seed", range(20))
def test_tags_of_crowded_boxes_do_not_cover_one_another(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners = rng.uniform((200, 120), (400, 220), (6, 2))
    boxes = [(x, y, x + 30, y + 25) for x, y in corners.tolist()]
    places = tag_places(boxes, [(110, 24)] * 6, PICTURE)
    assert overlaps(places) == 0
    assert overlaps([(x, y - 24, x + 110, y) for x, y, _, _ in boxes]) > 0, "as they stood before"


def test_a_tag_stays_in_the_picture_and_where_it_is_expected() -> None:
    alone = [(100.0, 100.0, 150.0, 140.0)]
    assert tag_places(alone, [(80, 20)], PICTURE) == [(100, 80, 180, 100)]
    corner = tag_places([(600.0, 5.0, 630.0, 30.0)], [(80, 20)], PICTURE)
    assert corner == [(560, 0, 640, 20)]


def test_the_most_important_mark_keeps_its_place() -> None:
    boxes = [(100.0, 100.0, 150.0, 140.0), (105.0, 102.0, 150.0, 140.0)]
    first, last = tag_places(boxes, [(80, 20)] * 2, PICTURE)
    assert last == (105, 82, 185, 102)
    assert overlaps([first, last]) == 0


def test_more_tags_than_there_is_room_for_are_still_placed() -> None:
    places = tag_places([(5.0, 5.0, 15.0, 15.0)] * 40, [(90, 30)] * 40, (100, 60))
    assert len(places) == 40
    assert all(x1 >= 0 and y1 >= 0 and x2 <= 100 and y2 <= 60 for x1, y1, x2, y2 in places)


def test_every_label_of_a_drawn_pair_can_be_read() -> None:
    """Two labels at one place: the picture has the area of both, not of the upper one alone."""
    grey = np.full((360, 640, 3), 128, np.uint8)
    boxes = [(300.0, 180.0, 330.0, 200.0), (304.0, 182.0, 334.0, 202.0)]
    marks = [Mark("lost", boxes[0], "lost car"), Mark("inserted", boxes[1], "inserted car")]
    drawn = np.asarray(marked_panel(grey, (0, 0, 640, 360), marks))
    from PIL import ImageFont

    for mark in marks:
        width, height = tag_size(mark.text, ImageFont.load_default(size=24))
        shown = (drawn == COLOURS[mark.kind]).all(axis=2).sum()
        assert shown > 0.6 * width * height, mark.text
    sheet = draw_pair(grey, grey, Sides(tuple(marks), tuple(marks)), [])
    assert sheet.shape[1] > 1280
