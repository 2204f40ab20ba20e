"""Milliseconds to draw each of our meshes with KITTI's lens, in CPU time of one thread.

Run: python -m benchmarks.rendering
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.box_ap import cpu
from snellen.objects.meshes.parametric import parametric
from snellen.objects.meshes.sizes import KINDS
from snellen.vision.frames3d import Frames
from snellen.vision.rendering.picture import picture

SHAPE = (375, 1242)
DISTANCES = (8.0, 15.0, 30.0)
AHEAD = [[0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]]
LENS = [[721.5377, 0, 609.5593, 44.85728], [0, 721.5377, 172.854, 0.2163791], [0, 0, 1, 0.002746]]


def main() -> None:
    frames = Frames(np.array(AHEAD, dtype=float), np.array(LENS))
    print(f"{'kind':14}{'triangles':>10}" + "".join(f"{d:>10.0f} m" for d in DISTANCES))
    for kind in KINDS:
        mesh = parametric(kind, np.random.default_rng(1))
        times = []
        for distance in DISTANCES:
            pose = (distance + mesh.size[0] / 2, 0.0, -1.65, 2.6)
            picture(mesh, pose, frames, SHAPE)
            times.append(cpu(partial(picture, mesh, pose, frames, SHAPE), 5) * 1e3)
        print(f"{kind:14}{len(mesh.faces):>10}" + "".join(f"{t:>9.1f} ms" for t in times))


if __name__ == "__main__":
    main()
