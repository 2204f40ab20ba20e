"""IoU of 100 x 100 rotated 3D boxes: ours against shapely's, in CPU time of one thread.

All boxes stand around one place, so most pairs overlap and few are dismissed by distance. Shapely
is timed with its polygons made (as ours starts from numbers) and, in its favour, with the polygons
already there; both through its array functions.

Run: python -m benchmarks.box_iou_3d
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import shapely

from benchmarks.box_ap import cpu
from snellen.vision.arrays import F64
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.overlap3d import overlap3d

TARGET = 50
SIDE = 100


def crowds(count: int, seed: int = 1) -> tuple[F64, F64]:
    """Twice (count, 7) boxes of cars and people around one place."""
    rng = np.random.default_rng(seed)
    low, high = [-1, -1, -1, 0.5, 0.5, 1, -np.pi], [1, 1, 0, 5, 2.2, 2, np.pi]
    return rng.uniform(low, high, (count, 7)), rng.uniform(low, high, (count, 7))


def footprints(boxes: F64) -> npt.NDArray[np.object_]:
    """The boxes seen from above, as shapely's polygons."""
    return np.asarray(shapely.polygons(corners(boxes)[:, :4, :2]))


def by_shapely(
    boxes: F64,
    others: F64,
    polygons: npt.NDArray[np.object_],
    other_polygons: npt.NDArray[np.object_],
) -> F64:
    """3D IoU of each pair, by intersecting polygons."""
    one, other = boxes[:, None], others[None]
    bottom = np.maximum(one[..., 2] - one[..., 5] / 2, other[..., 2] - other[..., 5] / 2)
    top = np.minimum(one[..., 2] + one[..., 5] / 2, other[..., 2] + other[..., 5] / 2)
    flat = shapely.area(shapely.intersection(polygons[:, None], other_polygons[None]))
    common = flat * (top - bottom).clip(0)
    volumes = one[..., 3:6].prod(axis=-1) + other[..., 3:6].prod(axis=-1)
    return np.asarray(common / (volumes - common))


def main() -> None:
    """Print times, ratio and the largest difference."""
    boxes, others = crowds(SIDE)
    ready = footprints(boxes), footprints(others)
    worst = np.abs(overlap3d(boxes, others) - by_shapely(boxes, others, *ready)).max()
    ours = cpu(lambda: overlap3d(boxes, others), 30)
    given = cpu(lambda: by_shapely(boxes, others, *ready), 3)
    made = cpu(lambda: by_shapely(boxes, others, footprints(boxes), footprints(others)), 3)
    print(f"snellen: {ours * 1e3:.2f} ms for {SIDE} x {SIDE} boxes")
    print(f"shapely, polygons made: {made * 1e3:.0f} ms, {made / ours:.0f} times as long")
    print(
        f"shapely, polygons given: {given * 1e3:.0f} ms, {given / ours:.0f} times as long "
        f"(target: at least {TARGET}); largest difference {worst:.0e}"
    )
    spread = boxes * [40, 40, 1, 1, 1, 1, 1], others * [40, 40, 1, 1, 1, 1, 1]
    scene = cpu(lambda: overlap3d(*spread), 30)
    print(f"snellen, as many boxes of a scene, few of which overlap: {scene * 1e3:.3f} ms")


if __name__ == "__main__":
    main()
