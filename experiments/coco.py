"""The photographs of COCO that experiments use, taken from two folders as one set."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import write_atomically

FOLDERS = {
    "coco_val64": "instances.json",
    "coco_train128": "instances_train2017.json",
}


def photographs(data: Path) -> list[str]:
    """The paths of all from the data's folder on, in order."""
    return sorted(one["file_name"] for one in joined(data)["images"])


def scenes(data: Path, file: Path, chosen: Collection[str] | None = None) -> dict[str, Any]:
    """The part `scenes:` with both folders as one set, its annotations written to `file`.

    chosen: the paths of those that are taken, all if None.
    """
    whole = joined(data, chosen)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(whole).encode())
    return {"kind": "coco", "annotations": str(file.resolve()), "images": str(data.resolve())}


def joined(data: Path, chosen: Collection[str] | None = None) -> dict[str, Any]:
    """The annotations of both; COCO numbers images and objects apart in both."""
    whole: dict[str, Any] = {"images": [], "annotations": []}
    for folder, name in FOLDERS.items():
        told = json.loads((data / folder / name).read_text(encoding="utf-8"))
        named = [
            {**one, "file_name": f"{folder}/images/{one['file_name']}"} for one in told["images"]
        ]
        images = [one for one in named if chosen is None or one["file_name"] in chosen]
        ids = {one["id"] for one in images}
        whole["images"] += images
        whole["annotations"] += [one for one in told["annotations"] if one["image_id"] in ids]
        whole["categories"] = sorted(told["categories"], key=lambda one: int(one["id"]))
    return whole
