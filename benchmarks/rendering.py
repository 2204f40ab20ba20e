"""The camera's part of an insertion, in CPU time of one thread.

Milliseconds to draw each of our meshes with KITTI's lens; to make a frame's picture ready; and to
put one thing into it, over kinds and distances. Without KITTI's frame only the first is told.

Run: python -m benchmarks.rendering
"""

from __future__ import annotations

import os
import statistics
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.box_ap import cpu
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.sizes import KINDS
from snellen.vision.rendering.mesh_renderer import pixel_colours, shaded_samples
from snellen.vision.solids.coordinate_frames import CoordinateFrames

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
FOLDER = DATA / "kitti" / "training"
NAME = "000005"
SHAPE = (375, 1242)
DISTANCES = (8.0, 15.0, 30.0)
INSERTED_AT = (10.0, 13.0, 17.0, 22.0, 28.0, 36.0, 45.0)
FREQUENT = ("sedan", "hatchback", "suv", "van", "pedestrian", "cyclist")
TARGET = 20.0
Pose = tuple[float, float, float, float]
AHEAD = [[0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]]
LENS = [[721.5377, 0, 609.5593, 44.85728], [0, 721.5377, 172.854, 0.2163791], [0, 0, 1, 0.002746]]


def main() -> None:
    draw()
    if FOLDER.exists():
        insert()
    else:
        print(f"no KITTI frame {NAME}: insertions left out; set SNELLEN_DATA to where it is")


def draw() -> None:
    frames = CoordinateFrames(np.array(AHEAD, dtype=float), np.array(LENS))
    print(f"{'drawing':14}{'triangles':>10}" + "".join(f"{d:>10.0f} m" for d in DISTANCES))
    for kind in KINDS:
        mesh = parametric(kind, np.random.default_rng(1))
        times = []
        for distance in DISTANCES:
            pose = (distance + mesh.size[0] / 2, 0.0, -1.65, 2.6)

            def picture(mesh: Mesh = mesh, pose: Pose = pose) -> None:
                drawn = shaded_samples(mesh, pose, frames, SHAPE)
                pixel_colours(drawn.colours, drawn.fragments)

            picture()
            times.append(cpu(picture, 5) * 1e3)
        print(f"{kind:14}{len(mesh.faces):>10}" + "".join(f"{t:>9.1f} ms" for t in times))


def insert() -> None:
    """Makes a frame ready and puts things into it, their nearest part at each distance."""
    import cv2

    from snellen.changes.insert3d.camera_insertion import camera_seed, insert_in_image
    from snellen.scenes.kitti.calibration_file import read_calibration
    from snellen.scenes.kitti.point_file import read_points
    from snellen.vision.lidar.ground import ground_mask
    from snellen.vision.lidar.ground_surface import ground_height

    image = cv2.cvtColor(
        np.asarray(cv2.imread(str(FOLDER / "image_2" / f"{NAME}.png"))), cv2.COLOR_BGR2RGB
    )
    points = read_points(FOLDER / "velodyne" / f"{NAME}.bin")
    frames = read_calibration(FOLDER / "calib" / f"{NAME}.txt").frames()
    ground = ground_mask(points)
    surface = ground_height(points, ground)
    ready = partial(camera_seed, np.asarray(image), points, ground, frames, surface)
    seed = ready()
    print(f"\nmade ready, once a frame: {cpu(ready, 9) * 1e3:.1f} ms (target: at most {TARGET:g})")
    print(f"{'inserting':14}{'first':>10}" + "".join(f"{d:>8.0f} m" for d in INSERTED_AT))
    every = []
    for kind in FREQUENT:
        mesh = parametric(kind, np.random.default_rng(1))
        calls = []
        for distance in INSERTED_AT:
            x = distance + mesh.size[0] / 2
            thing = (mesh, (x, 1.0, float(surface(x, 1.0)), 0.3))
            calls.append(
                lambda t=thing: insert_in_image(image, seed, [t], np.random.default_rng(1))
            )
        first = cpu(calls[-1], 1) * 1e3
        times = [cpu(call, 7) * 1e3 for call in calls]
        every += times
        print(f"{kind:14}{first:>7.1f} ms" + "".join(f"{t:>7.1f} ms"[:10] for t in times))
    print(f"one insertion: median {statistics.median(every):.1f} ms, worst {max(every):.1f} ms "
          f"of {len(every)} (target: median at most {TARGET:g})")  # fmt: skip


if __name__ == "__main__":
    main()
