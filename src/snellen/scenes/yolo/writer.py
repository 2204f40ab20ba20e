"""YOLO writer: `data.yaml`, `images/<split>` and `labels/<split>`."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import yaml

from snellen.disk.atomic_file import new_folder
from snellen.scenes.export_files import picture_names, place_picture, required_annotations
from snellen.scenes.polygon_masks import Outline, PolygonMasks
from snellen.scenes.scene import SceneSet
from snellen.scenes.yolo.mask_polygon import mask_polygon
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64
from snellen.vision.masks.rle_masks import Masks

log = logging.getLogger(__name__)


def write_yolo(scenes: SceneSet, out: Path, *, split: str = "val") -> None:
    """Write a YOLO data set atomically; class ids are 0-based.

    Boxes are preserved to 0.001 px. A mask is written as one polygon around its pixels (with seams
    to further components and holes) and is preserved exactly; its box becomes the one around its
    pixels. YOLO has neither crowds nor ignored objects: these are left out, and a warning counts
    them.
    """
    all_annotations = required_annotations(scenes, "YOLO")
    left_out = 0
    names = picture_names(scenes, with_labels=True)
    with new_folder(out) as draft:
        for scene, annotations, name in zip(scenes, all_annotations, names, strict=True):
            place_picture(scene, draft / "images" / split / name)
            kept = annotations[~(annotations.crowd | annotations.ignore)]
            left_out += len(annotations) - len(kept)
            path = (draft / "labels" / split / name).with_suffix(".txt")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in _lines(kept, scene.size)))
        content = {split: f"images/{split}", "names": dict(enumerate(scenes.classes))}
        (draft / "data.yaml").write_text(
            yaml.safe_dump(content, sort_keys=False, allow_unicode=True)
        )
    if left_out:
        log.warning("%s: %d crowds and ignored objects were left out", out, left_out)


def _lines(annotations: Annotations, size: tuple[int, int]) -> list[str]:
    scale = np.array([size[1], size[0]], dtype=np.float64)
    return [
        " ".join([str(label), *(f"{value:.8f}" for value in (shape / scale).ravel())])
        for label, shape in zip(annotations.labels, _shapes(annotations), strict=True)
    ]


def _shapes(annotations: Annotations) -> list[F64]:
    """The polygon of each object, or the centre and size of its box, in pixels."""
    corners = annotations.boxes.astype(np.float64).reshape(-1, 2, 2)
    boxes = np.stack([corners.mean(axis=1), corners[:, 1] - corners[:, 0]], axis=1)
    masks = annotations.masks
    if masks is None:
        return list(boxes)
    outlines = masks.outlines if isinstance(masks, PolygonMasks) else [()] * len(masks)
    return [
        _polygon(outline, mask, box)
        for outline, mask, box in zip(outlines, masks, boxes, strict=True)
    ]


def _polygon(outline: Outline, mask: Masks, box: F64) -> F64:
    """The outline if it is one polygon, else the one around the mask; the box of an empty mask."""
    if isinstance(outline, tuple) and len(outline) == 1:
        return outline[0]
    polygon = mask_polygon(mask.to_array()[0])
    return polygon if len(polygon) else box
