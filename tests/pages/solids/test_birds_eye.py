"""The view from above: left is left, ahead is up, and all that matters is in it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.pages.marks import INSERTED, KEPT, LEGEND
from snellen.pages.pair_picture import COLOURS
from snellen.pages.solids.birds_eye import NIGHT, SHADES, SIDE, WORDS, GroundView, birds_eye
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import LABELLED, SolidMark
from tests.pages.solids.solid_findings import CAR, NEW, solid_case

EMPTY = SolidCase(
    np.zeros((0, 3), np.float32),
    np.zeros(0, bool),
    np.zeros((0, 7)),
    np.zeros((0, 7)),
    np.zeros((0, 4), np.float32),
)


def at(place: tuple[float, float], view: GroundView) -> tuple[int, int]:
    [(column, row)] = view.pixels(np.array([place]), SIDE).tolist()
    return round(column), round(row)


def test_left_is_left_and_ahead_is_up_and_the_lidar_is_at_the_bottom() -> None:
    view = GroundView.around([SolidMark("lost", CAR, "lost")])
    column, row = at((0, 0), view)
    assert row > 0.7 * SIDE
    assert at((10, 0), view)[1] < row
    assert at((0, 5), view)[0] < column


@given(st.lists(st.tuples(st.floats(-25, 62), st.floats(-40, 40)), min_size=1, max_size=4))
def test_everything_marked_is_in_the_picture(places: list[tuple[float, float]]) -> None:
    marks = [SolidMark("lost", (x, y, 0, 4, 2, 1.5, 0.0), "lost") for x, y in places]
    view = GroundView.around(marks)
    shown = view.pixels(np.array([*places, (0.0, 0.0)]), SIDE)
    wide = np.ptp([y for _, y in [*places, (0.0, 0.0)]])
    tall = np.ptp([x for x, _ in [*places, (0.0, 0.0)]])
    if max(wide, tall) < 70:
        assert (shown >= 0).all()
        assert (shown <= SIDE).all()


def test_a_point_is_where_it_is_and_brighter_the_higher() -> None:
    marks = [SolidMark("lost", CAR, "lost")]
    view = GroundView.around(marks)
    shades = []
    for z in (-1.7, 0.0, 1.4):
        points = np.tile(np.array([[9.0, -6.0, z]], np.float32), (4, 1))
        case = SolidCase(points, np.zeros(4, bool), EMPTY.labelled, EMPTY.inserted,
                         EMPTY.inserted_image)  # fmt: skip
        column, row = at((9.0, -6.0), view)
        patch = birds_eye(case, marks)[row - 2 : row + 3, column - 2 : column + 3]
        shades.append(int(patch.sum(axis=2).max()))
    assert shades == sorted(shades)
    assert shades[0] > sum(NIGHT) + 60


@pytest.mark.parametrize("dashed", [False, True])
def test_a_box_has_the_colour_of_what_happened_and_dashes_where_it_is_gone(dashed: bool) -> None:
    mark = SolidMark("lost", CAR, "", dashed=dashed)
    drawn = birds_eye(EMPTY, [mark])
    view = GroundView.around([mark])
    x, y, _, length, width, *_ = CAR
    side = [at((x + share * length, y + width / 2), view) for share in np.linspace(-0.5, 0.5, 41)]
    near = [np.abs(drawn[row, column].astype(int) - SHADES["lost"]).max() < 60
            for column, row in side]  # fmt: skip
    assert any(near)
    assert all(near) != dashed


def test_returns_of_what_was_put_in_are_green() -> None:
    marks = [SolidMark(INSERTED, NEW, "sedan")]
    case, view = solid_case(), GroundView.around(marks)
    column, row = at(NEW[:2], view)
    patch = birds_eye(case, marks)[row - 8 : row + 8, column - 8 : column + 8].astype(int)
    assert (np.abs(patch - SHADES[INSERTED]).max(axis=2) < 40).any()


def test_the_legend_grows_with_what_is_shown_and_knows_every_kind() -> None:
    few = birds_eye(EMPTY, [SolidMark("lost", CAR, "lost")])
    more = birds_eye(
        EMPTY, [SolidMark(kind, CAR, "x") for kind in ("lost", "moved", KEPT, LABELLED)]
    )
    assert more.shape[0] > few.shape[0]
    assert set(WORDS) == set(SHADES)
    assert set(LEGEND) == set(COLOURS)
