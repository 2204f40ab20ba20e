"""A library from 128 COCO photographs with 900 annotated objects, from files to files.

Run: python -m benchmarks.object_library [FOLDER]; FOLDER has images/ and instances_train2017.json,
by default coco_train128 of the real data. Target: under 60 s on 2 cores.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from snellen.objects.library.library_builder import CutPlan, build_library
from snellen.objects.library.prune_rules import PruneOptions, counts
from snellen.scenes.registry import open_scenes

TARGET = 60
DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "coco_train128"
    if not folder.is_dir():
        print("the photographs are absent; set SNELLEN_DATA to where coco_train128 is")
        return
    values = {"kind": "coco", "annotations": "instances_train2017.json", "images": "images"}
    for by in ("quality", "published"):
        start = time.perf_counter()
        scenes = open_scenes(values, folder)
        with tempfile.TemporaryDirectory() as place:
            plan = CutPlan("masks", PruneOptions(by=by))
            kept, gone = counts(build_library(scenes, plan, Path(place) / "library"))
        seconds = time.perf_counter() - start
        total = sum(kept.values())
        print(
            f"{by}: {len(scenes)} scenes, {total + sum(gone.values())} objects, {total} kept: "
            f"{seconds:.1f} s on {os.cpu_count()} cores (target: under {TARGET} s)"
        )


if __name__ == "__main__":
    main()
