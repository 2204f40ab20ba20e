"""The table of typical visual change that calibrations start from, made of photographs.

The mean over photographs, and over two measures, of the share of the visual change at level 1.
Every share is a little larger than the one before it, so that a level has one share only.

Run: python -m benchmarks.typical_change [FOLDER OF PHOTOGRAPHS]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from snellen.changes.corruptions.corruption import Corruption
from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.corruptions.typical_scales import LEVELS
from snellen.scenes.pictures import read_picture
from snellen.vision.arrays import Image
from snellen.vision.visual_change.built_in_measures import Vifp
from snellen.vision.visual_change.measure import delta_v

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
PHOTOGRAPHS = 8
MORE = {"rgb_shift": 24}
"""Photographs for one whose way hangs on the direction that the seed draws."""
MEASURES = (Vifp(0.4), Vifp(2.0))
STRAIGHT = 0.03
"""How much of a straight line is mixed in, for what does nothing at first or nothing more."""


def shares(worse: Corruption, image: Image, seed: int) -> npt.NDArray[np.float64]:
    """(levels,) the share of all visual change at each level, never falling."""
    levels = [worse.start + (1 - worse.start) * level for level in LEVELS[1:]]
    likenesses = [measure.against(image) for measure in MEASURES]
    cases = [worse.change(image, level, seed) for level in levels]
    found = np.array([[0.0] + [delta_v(one(case)) for case in cases] for one in likenesses])
    rising = np.maximum.accumulate(found, axis=1)
    return np.asarray((rising / rising[:, -1:]).mean(axis=0))


def photographs(folder: Path, count: int) -> list[Image]:
    """Some photographs of a folder, spread over it."""
    paths = sorted(folder.iterdir())
    return [read_picture(path) for path in paths[:: len(paths) // count][:count]]


def main() -> None:
    import cv2

    cv2.setNumThreads(1)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "coco_train128" / "images"
    if not folder.is_dir():
        print("the photographs are absent; set SNELLEN_DATA to where coco_train128 is")
        return
    for name in CORRUPTIONS.builtin:
        images = photographs(folder, MORE.get(name, PHOTOGRAPHS))
        rows = [shares(corruption(name), image, seed) for seed, image in enumerate(images)]
        mean = np.mean(rows, axis=0) * (1 - STRAIGHT) + STRAIGHT * np.array(LEVELS)
        told = ", ".join(str(round(10_000 * share)) for share in mean)
        print(f'    "{name}": ({told}),', flush=True)


if __name__ == "__main__":
    main()
