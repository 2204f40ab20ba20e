"""COCO writer: `instances.json` and `images/`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from snellen.disk.atomic_file import new_folder
from snellen.scenes.export_files import (
    dataset_class_ids,
    picture_names,
    place_picture,
    required_annotations,
)
from snellen.scenes.polygon_masks import Outline, PolygonMasks
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks


def write_coco(scenes: SceneSet, out: Path) -> None:
    """Write `out/instances.json` and `out/images` atomically.

    Boxes, labels, masks, crowd, ignore and areas are preserved exactly. Ids of images and
    annotations start at 1; categories keep the data set's own ids. Masks are written as the
    polygons they were read from, else as compressed run lengths.
    """
    annotations = required_annotations(scenes, "COCO")
    names = picture_names(scenes)
    with new_folder(out) as draft:
        for scene, name in zip(scenes, names, strict=True):
            place_picture(scene, draft / "images" / name)
        content = coco_content(scenes, annotations, names)
        (draft / "instances.json").write_text(json.dumps(content), encoding="utf-8")


def coco_content(
    scenes: SceneSet, annotations: list[Annotations], names: list[str]
) -> dict[str, Any]:
    """The content of the JSON file."""
    ids = dataset_class_ids(scenes)
    rows = [
        {"image_id": image, **row}
        for image, annotations in enumerate(annotations, start=1)
        for row in _rows(annotations, ids)
    ]
    images = [
        {"id": image, "file_name": name, "height": scene.size[0], "width": scene.size[1]}
        for image, (scene, name) in enumerate(zip(scenes, names, strict=True), start=1)
    ]
    return {
        "info": {"description": "written by Snellen"},
        "images": images,
        "annotations": [{"id": number, **row} for number, row in enumerate(rows, start=1)],
        "categories": [
            {"id": own, "name": name, "supercategory": ""}
            for own, name in zip(ids, scenes.classes, strict=True)
        ],
    }


def _rows(annotations: Annotations, ids: tuple[int, ...]) -> Iterator[dict[str, Any]]:
    shapes = _segmentations(annotations.masks, len(annotations))
    for index, shape in enumerate(shapes):
        x1, y1, x2, y2 = annotations.boxes[index].tolist()
        row = {
            "category_id": ids[annotations.labels[index]],
            "bbox": [x1, y1, x2 - x1, y2 - y1],
            "area": float(annotations.areas[index]),
            "iscrowd": int(annotations.crowd[index]),
            "segmentation": shape,
        }
        yield {**row, "ignore": 1} if annotations.ignore[index] else row


def _segmentations(masks: Masks | None, count: int) -> list[Any]:
    if masks is None:
        return [[] for _ in range(count)]
    if isinstance(masks, PolygonMasks):
        return [_segmentation(outline, masks.size) for outline in masks.outlines]
    return masks.to_coco()


def _segmentation(outline: Outline, size: tuple[int, int]) -> Any:
    if isinstance(outline, tuple):
        return [polygon.ravel().tolist() for polygon in outline]
    return Masks(size, (outline,)).to_coco()[0]
