"""The subject and the scenes of the experiment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from experiments.kyushu.scale import THRESHOLD
from snellen.disk.whole import new_folder
from snellen.starter.fetch import fetch

FOLDERS = {
    "coco_val64": "instances.json",
    "coco_train128": "instances_train2017.json",
}
DROPOUT = 0.1


def subject() -> dict[str, Any]:
    """YOLOv4-tiny as a torch module with Monte Carlo dropout, on one core."""
    folder = fetch(["yolov4-tiny"])["yolov4-tiny"]
    return {
        "kind": "torch",
        "name": "YOLOv4-tiny",
        "cfg": str(folder / "yolov4-tiny.cfg"),
        "weights": str(folder / "yolov4-tiny.weights"),
        "score": THRESHOLD,
        "threads": 1,
        "dropout": {"rate": DROPOUT},
    }


def scenes(data: Path, out: Path, names: Collection[str] | None = None) -> dict[str, Any]:
    """Both folders of COCO as one set, copied to `out` once; names: of some photographs."""
    if not out.exists():
        with new_folder(out) as draft:
            joined = _joined(data, draft / "images", names)
            (draft / "instances.json").write_text(json.dumps(joined), encoding="utf-8")
    return {
        "kind": "coco",
        "annotations": str(out / "instances.json"),
        "images": str(out / "images"),
    }


def _joined(data: Path, images: Path, names: Collection[str] | None) -> dict[str, Any]:
    """The annotations of both, which number their images and objects apart."""
    images.mkdir(parents=True)
    whole: dict[str, Any] = {"images": [], "annotations": []}
    for name, file in FOLDERS.items():
        told = json.loads((data / name / file).read_text(encoding="utf-8"))
        chosen = [one for one in told["images"] if names is None or one["file_name"] in names]
        ids = {one["id"] for one in chosen}
        whole["images"] += chosen
        whole["annotations"] += [one for one in told["annotations"] if one["image_id"] in ids]
        whole["categories"] = sorted(told["categories"], key=lambda one: int(one["id"]))
        for one in chosen:
            shutil.copyfile(data / name / "images" / one["file_name"], images / one["file_name"])
    return whole
