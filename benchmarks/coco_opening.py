"""Opening a large COCO set, compared with pycocotools.

    python -m benchmarks.coco_opening [FOLDER]

20,000 images with 200,000 annotations, and 100,000 with a million; the sets are written to a
temporary folder, or to FOLDER to be used again. pycocotools indexes the annotations and opens no
image; ours checks every annotation as well. Target: at most its time and 1.2 times its memory, and
the larger set in under 15 s of CPU.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._coco_set import FILE, FOLDER, write_coco_set
from benchmarks._measured_process import Cost, measured, print_cost

SETS = ((20_000, 200_000, 3), (100_000, 1_000_000, 1))
"""Images, annotations, repetitions."""


def open_with(tool: str, folder: Path) -> None:
    if tool == "pycocotools":
        from pycocotools.coco import COCO

        print_cost(lambda: COCO(str(folder / FILE)))
        return
    from snellen.scenes.registry import READERS, open_scenes

    READERS.load("coco")
    values: dict[str, Any] = {"kind": "coco", "annotations": FILE, "images": FOLDER}
    print_cost(lambda: open_scenes(values, folder))


def compare(folder: Path, images: int, objects: int, times: int) -> None:
    if not (folder / FILE).exists():
        write_coco_set(folder, images, objects)
    costs: dict[str, list[Cost]] = {"pycocotools": [], "snellen": []}
    for _ in range(times):
        for tool, found in costs.items():
            found.append(measured("benchmarks.coco_opening", tool, str(folder)))
    print(f"{images} images, {objects} annotations, best of {times}:")
    best = {tool: Cost.best(found) for tool, found in costs.items()}
    for tool, cost in best.items():
        print(f"  {tool}: {cost}")
    ours, theirs = best["snellen"], best["pycocotools"]
    print(
        f"  ratio: wall {ours.wall / theirs.wall:.2f}, CPU {ours.cpu / theirs.cpu:.2f}, memory "
        f"{ours.peak / theirs.peak:.2f} (targets 1, 1 and 1.2)",
        flush=True,
    )


def main(folder: Path) -> None:
    for images, objects, times in SETS:
        compare(folder / str(images), images, objects, times)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        open_with(sys.argv[1], Path(sys.argv[2]))
    elif len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as name:
            main(Path(name))
