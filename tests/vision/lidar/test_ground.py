"""The ground: its points and its height."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import MissingExtraError
from snellen.scenes.kitti.point_file import read_points
from snellen.vision.arrays import F64, Points
from snellen.vision.lidar.ground import ground_mask
from snellen.vision.lidar.ground_surface import ground_height

HEIGHT = 1.73


def rings_on(
    slope: Callable[[F64, F64], F64],
    step: float = 0.4,
) -> F64:
    """(N, 4) returns of rings `step` degrees apart from z = slope(x, y), by iteration."""
    steep = np.tan(np.radians(np.arange(1.2, 24, step)))[:, None]
    turn = np.radians(np.arange(0, 360, 0.4))[None, :]
    run = HEIGHT / np.broadcast_to(steep, (len(steep), turn.size))
    for _ in range(60):
        x, y = run * np.cos(turn), run * np.sin(turn)
        run = 0.5 * run + 0.5 * np.clip(-slope(x, y) / steep, 0.5, 90)
    x, y = run * np.cos(turn), run * np.sin(turn)
    flat = [x, y, slope(x, y), np.full_like(x, 0.3)]
    return np.stack([part.ravel() for part in flat], axis=1)


@pytest.fixture(scope="module")
def street(shared: Callable[[str], Path]) -> Points:
    return read_points(shared("kitti/training/velodyne/000006.bin"))


def test_a_wall_and_a_car_are_not_taken_for_ground() -> None:
    rng = np.random.default_rng(1)
    ground = rings_on(lambda x, y: np.full_like(x, -HEIGHT))
    wall = np.column_stack(
        [rng.uniform(5, 40, 4000), np.full(4000, 8.0), rng.uniform(-1.4, 1.5, 4000), np.ones(4000)]
    )
    mask = ground_mask(np.vstack([ground, wall]), HEIGHT)
    within = np.hypot(ground[:, 0], ground[:, 1])
    assert mask[: len(ground)][(within > 3) & (within < 60)].mean() > 0.99
    assert mask[len(ground) :].mean() < 0.02


def test_a_mask_does_not_depend_on_the_sweeps_before(street: Points) -> None:
    first = ground_mask(street)
    ground_mask(street[::3] + np.float32(0.2))
    assert (ground_mask(street) == first).all()


def test_a_mask_does_not_depend_on_the_order_of_points(street: Points) -> None:
    order = np.random.default_rng(2).permutation(len(street))
    assert (ground_mask(street[order]) == ground_mask(street)[order]).all()


@pytest.mark.parametrize("count", [0, 1, 7])
def test_too_few_points_have_no_ground(count: int) -> None:
    points = np.random.default_rng(3).normal(0, 10, (count, 4))
    assert not ground_mask(points).any()


def test_the_library_does_not_write_into_machine_readable_output() -> None:
    code = (
        "import numpy as np; from snellen.vision.lidar.ground import ground_mask;"
        "ground_mask(np.ones((9, 4))); print('{}')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "{}\n"


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypatchworkpp", None)
    with pytest.raises(MissingExtraError, match="fusion"):
        ground_mask(np.ones((9, 4)))


@pytest.mark.parametrize("grade", [0.0, 0.015, -0.02])
def test_the_height_follows_a_hill_between_rings_metres_apart(grade: float) -> None:
    def hill(x: F64, y: F64) -> F64:
        return np.asarray(-HEIGHT + grade * x + 0.6 * grade * y)

    points = rings_on(hill)
    surface = ground_height(points, np.full(len(points), True))
    x, y = np.meshgrid(np.linspace(4, 36, 60), np.linspace(-15, 15, 40))
    np.testing.assert_allclose(surface(x, y), hill(x, y), atol=0.05)


def test_axes_are_not_swapped_in_the_height() -> None:
    points = rings_on(lambda x, y: -HEIGHT + 0.02 * x)
    surface = ground_height(points, np.full(len(points), True))
    assert surface(30, 0) - surface(0.0, 30) == pytest.approx(0.6, abs=0.05)


def test_a_few_wrongly_masked_points_on_a_car_do_not_lift_the_ground() -> None:
    ground = rings_on(lambda x, y: np.full_like(x, -HEIGHT))
    car = np.column_stack([np.linspace(12, 14, 9), np.zeros(9), np.full(9, -0.6), np.ones(9)])
    surface = ground_height(np.vstack([ground, car]), np.full(len(ground) + 9, True))
    assert surface(13, 0) == pytest.approx(-HEIGHT, abs=0.05)


@pytest.mark.parametrize("reach", [10.0, 28.0, 45.0])
def test_a_reflection_from_below_does_not_sink_the_ground(reach: float) -> None:
    ground = rings_on(lambda x, y: np.full_like(x, -HEIGHT))
    mirrored = np.array([[reach, -2.5, -11.7, 0.3], [reach + 0.02, -2.48, -11.7, 0.4]])
    surface = ground_height(np.vstack([ground, mirrored]), np.full(len(ground) + 2, True))
    around = surface(reach + np.linspace(-6, 6, 9)[:, None], np.linspace(-8, 3, 9))
    np.testing.assert_allclose(around, -HEIGHT, atol=0.01)


def test_a_road_on_a_bank_and_the_field_below_keep_their_heights() -> None:
    def bank(x: F64, y: F64) -> F64:
        return np.asarray(-HEIGHT - 1.2 * np.clip((y - 6) / 4, 0, 1))

    x, y = np.meshgrid(np.arange(-40, 40, 0.4), np.arange(-40, 40, 0.4))
    points = np.stack([x, y, bank(x, y), x], axis=-1).reshape(-1, 4)
    surface = ground_height(points, np.full(len(points), True))
    assert surface(20, 4) == pytest.approx(-HEIGHT, abs=0.03)
    assert surface(20, 15) == pytest.approx(-HEIGHT - 1.2, abs=0.03)


def test_without_ground_points_the_ground_is_level() -> None:
    points = np.ones((5, 4))
    surface = ground_height(points, np.full(5, False), default=-2.0)
    assert surface([0, 500], [3, -500]).tolist() == [-2.0, -2.0]


@pytest.mark.parametrize("frame", range(8))
def test_half_of_real_ground_points_foretell_the_other_half(
    frame: int, shared: Callable[[str], Path]
) -> None:
    points = read_points(shared(f"kitti/training/velodyne/{frame:06d}.bin"))
    ground = points[ground_mask(points)]
    ahead = ground[(ground[:, 0] > 3) & (ground[:, 0] < 40) & (np.abs(ground[:, 1]) < 5)]
    kept = np.random.default_rng(4).random(len(ahead)) < 0.5
    surface = ground_height(ahead, kept)
    missed = np.abs(ahead[~kept, 2] - surface(ahead[~kept, 0], ahead[~kept, 1]))
    assert np.median(missed) < 0.015
    assert np.quantile(missed, 0.9) < 0.1
