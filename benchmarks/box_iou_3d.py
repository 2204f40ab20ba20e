"""IoU of 10,000 pairs of rotated 3D boxes: ours against shapely's, in CPU time of one thread.

Each pair is a box and a copy that is moved, resized and turned a little, so nearly all overlap and
none is dismissed by its distance. Shapely is timed with its polygons made (as ours starts from
numbers) and, in its favour, with the polygons already there; both through its array functions.

Run: python -m benchmarks.box_iou_3d
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import shapely

from benchmarks.box_ap import cpu
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.overlap3d import overlap3d, paired_overlap3d

TARGET = 50
PAIRS = 10_000
Doubles = npt.NDArray[np.float64]


def pairs(count: int, seed: int = 1) -> tuple[Doubles, Doubles]:
    """(count, 7) boxes of cars and people around the sensor, and as many beside them."""
    rng = np.random.default_rng(seed)
    low, high = [-40, -40, -2, 0.5, 0.5, 1, -np.pi], [40, 40, 0, 5, 2.2, 2, np.pi]
    boxes = rng.uniform(low, high, (count, 7))
    others = boxes + rng.normal(0, [0.5, 0.5, 0.2, 0.1, 0.1, 0.1, 0.5], boxes.shape)
    return boxes, np.column_stack([others[:, :3], np.abs(others[:, 3:6]) + 0.1, others[:, 6]])


def footprints(boxes: Doubles) -> npt.NDArray[np.object_]:
    """The boxes seen from above, as shapely's polygons."""
    return np.asarray(shapely.polygons(corners(boxes)[:, :4, :2]))


def by_shapely(
    boxes: Doubles,
    others: Doubles,
    polygons: npt.NDArray[np.object_],
    other_polygons: npt.NDArray[np.object_],
) -> Doubles:
    """3D IoU of each pair, by intersecting polygons."""
    bottom = np.maximum(boxes[:, 2] - boxes[:, 5] / 2, others[:, 2] - others[:, 5] / 2)
    top = np.minimum(boxes[:, 2] + boxes[:, 5] / 2, others[:, 2] + others[:, 5] / 2)
    flat = shapely.area(shapely.intersection(polygons, other_polygons))
    common = flat * (top - bottom).clip(0)
    return np.asarray(common / (boxes[:, 3:6].prod(axis=1) + others[:, 3:6].prod(axis=1) - common))


def main() -> None:
    """Print times, ratio and the largest difference."""
    boxes, others = pairs(PAIRS)
    ready = footprints(boxes), footprints(others)
    worst = np.abs(paired_overlap3d(boxes, others) - by_shapely(boxes, others, *ready)).max()
    ours = cpu(lambda: paired_overlap3d(boxes, others), 30)
    kept = cpu(lambda: by_shapely(boxes, others, *ready), 3)
    made = cpu(lambda: by_shapely(boxes, others, footprints(boxes), footprints(others)), 3)
    print(f"snellen: {ours * 1e3:.2f} ms for {PAIRS} pairs")
    print(f"shapely, polygons made: {made * 1e3:.0f} ms, {made / ours:.0f} times as long")
    print(
        f"shapely, polygons given: {kept * 1e3:.0f} ms, {kept / ours:.0f} times as long "
        f"(target: at least {TARGET}); largest difference {worst:.0e}"
    )
    scene = cpu(lambda: overlap3d(boxes[:100], boxes[100:200]), 30)
    print(f"snellen, 100 x 100 boxes of a scene, most of them apart: {scene * 1e3:.3f} ms")


if __name__ == "__main__":
    main()
