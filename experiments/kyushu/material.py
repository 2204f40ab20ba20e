"""The subject and the scenes of the experiment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Any

from experiments.coco import joined_annotations, photographs
from experiments.kyushu.scale import THRESHOLD
from snellen.disk.atomic_file import new_folder
from snellen.starter.fetch import fetch

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
            whole = _joined(data, draft / "images", names)
            (draft / "instances.json").write_text(json.dumps(whole), encoding="utf-8")
    return {
        "kind": "coco",
        "annotations": str(out / "instances.json"),
        "images": str(out / "images"),
    }


def _joined(data: Path, images: Path, names: Collection[str] | None) -> dict[str, Any]:
    """The annotations of both folders, with the photographs in one folder."""
    images.mkdir(parents=True)
    chosen = [one for one in photographs(data) if names is None or Path(one).name in names]
    whole = joined_annotations(data, chosen)
    for one in whole["images"]:
        path = data / one["file_name"]
        shutil.copyfile(path, images / path.name)
        one["file_name"] = path.name
    return whole
