"""A small hand-written COCO set, with one annotation for tests to change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations
from tests.scenes.samples import write_image, write_json

KIND = {"kind": "coco", "annotations": "val.json", "images": "images"}
TRIANGLE = [[1, 1, 9, 1, 5, 8]]


def content_with(**changes: Any) -> dict[str, Any]:
    one = {
        "id": 17,
        "image_id": 5,
        "category_id": 3,
        "bbox": [1, 2, 10, 6],
        "area": 33.5,
        "iscrowd": 0,
        "segmentation": TRIANGLE,
    }
    return {
        "images": [
            {"id": 5, "file_name": "a.png", "height": 20, "width": 30},
            {"id": 6, "file_name": "deep/b.png", "height": 20, "width": 30},
        ],
        "annotations": [one, {**one, "id": 18, **changes}],
        "categories": [{"id": 3, "name": "cat"}, {"id": 0, "name": "zebra"}],
    }


def opened(folder: Path, content: Any, *, skip: bool = False, **options: Any) -> SceneSet:
    write_image(folder / "images" / "a.png")
    write_image(folder / "images" / "deep" / "b.png")
    write_json(folder / "val.json", content)
    return open_scenes({**KIND, **options}, folder, skip_invalid=skip)


def known_objects(scenes: SceneSet, index: int = 0) -> Annotations:
    found = scenes[index].annotations
    assert found is not None
    return found
