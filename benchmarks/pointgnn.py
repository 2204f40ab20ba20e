"""Point-GNN on KITTI's frames 0 to 7: seconds a frame, and which labelled cars are found.

Wall time is what a campaign waits for and hangs on what else the machine does; CPU time is the work
itself, shared by the threads. Without the weights and the frames it says so and stops.

Run: python -m benchmarks.pointgnn [NEIGHBOURS]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from snellen.scenes.frame import Frame
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.scenes.scene import Scene
from snellen.subjects.pointgnn import PointGnnOptions, open_pointgnn
from snellen.vision.solids.overlap3d import overlap3d

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
WEIGHTS = "lidar/pointgnn_car_auto_T1_train.npz"
CONFIG = "lidar/pointgnn_T1_config.json"
TARGET_SECONDS, TARGET_FOUND = 3.0, 0.7
OVERLAP = 0.5


def main() -> None:
    missing = [path for path in (WEIGHTS, CONFIG, "kitti/training") if not (DATA / path).exists()]
    if missing:
        print(f"left out: {', '.join(missing)} not found; set SNELLEN_DATA to where they are")
        return
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    subject = open_pointgnn(PointGnnOptions(weights=WEIGHTS, config=CONFIG, neighbours=most), DATA)
    scenes = read_kitti(KittiOptions(root=DATA / "kitti"), DATA, False)
    subject.predict([frame_of(scenes[0])])
    rows = [measured(subject, scene) for scene in scenes]
    print("frame    wall s   CPU s   labelled   found   other above the threshold")
    for name, wall, cpu, labelled, found, other in rows:
        print(f"{name}   {wall:6.2f}  {cpu:6.2f}   {labelled:8d}   {found:5d}   {other:5d}")
    walls, cpus = [row[1] for row in rows], [row[2] for row in rows]
    labelled, found = sum(row[3] for row in rows), sum(row[4] for row in rows)
    print(f"found {found} of {labelled} cars at 3D IoU {OVERLAP} (target: {TARGET_FOUND:.0%})")
    print(
        f"seconds a frame: wall median {np.median(walls):.2f}, worst {max(walls):.2f} (target: "
        f"under {TARGET_SECONDS:g}); CPU median {np.median(cpus):.2f}, worst {max(cpus):.2f}"
    )


def frame_of(scene: Scene) -> Frame:
    assert scene.sweep is not None
    return Frame(scene.pixels(), scene.sweep.points(), scene.sweep.calibration())


def measured(subject: Any, scene: Scene) -> tuple[str, float, float, int, int, int]:
    """Name, wall and CPU seconds, labelled cars, those found, and other detections."""
    frame = frame_of(scene)
    wall, cpu = time.perf_counter(), time.process_time()
    [answer] = subject.predict([frame])
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    rows = [] if scene.sweep is None else scene.sweep.labels() or ()
    cars = lidar_boxes([row for row in rows if row.type == "Car"], frame.frames)
    table = overlap3d(cars, answer.above(subject.score).boxes) >= OVERLAP
    found, other = int(table.any(axis=1).sum()), int((~table.any(axis=0)).sum())
    return scene.id, wall, cpu, len(cars), found, other


if __name__ == "__main__":
    main()
