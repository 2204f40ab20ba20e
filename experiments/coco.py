"""The COCO photographs of the experiments: two folders as one set."""

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
    """The paths of all photographs, relative to the data folder, in order."""
    return sorted(one["file_name"] for one in joined_annotations(data)["images"])


def scenes(data: Path, file: Path, chosen: Collection[str] | None = None) -> dict[str, Any]:
    """The section `scenes:` for both folders as one set; writes its annotations to `file`.

    chosen: the paths of the photographs to use, None for all.
    """
    whole = joined_annotations(data, chosen)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, json.dumps(whole).encode())
    return {"kind": "coco", "annotations": str(file.resolve()), "images": str(data.resolve())}


def joined_annotations(data: Path, chosen: Collection[str] | None = None) -> dict[str, Any]:
    """The annotations of both folders; COCO's ids are unique across both."""
    whole: dict[str, Any] = {"images": [], "annotations": []}
    for folder, name in FOLDERS.items():
        annotated = json.loads((data / folder / name).read_text(encoding="utf-8"))
        named = [
            {**one, "file_name": f"{folder}/images/{one['file_name']}"}
            for one in annotated["images"]
        ]
        images = [one for one in named if chosen is None or one["file_name"] in chosen]
        ids = {one["id"] for one in images}
        whole["images"] += images
        whole["annotations"] += [one for one in annotated["annotations"] if one["image_id"] in ids]
        whole["categories"] = sorted(annotated["categories"], key=lambda one: int(one["id"]))
    return whole
