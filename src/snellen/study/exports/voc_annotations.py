"""The annotations of a study's scenes as a Pascal VOC folder, without their images."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from snellen.scenes.scene import PictureArray, Scene
from snellen.scenes.voc.writer import voc_xml, write_voc_masks
from snellen.study.exports.exported_study import ExportedStudy, image_name
from snellen.study.record import TrueObject
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks


def write_voc_annotations(study: ExportedStudy, folder: Path) -> None:
    """Write `Annotations` and, of objects with masks, `SegmentationObject` and `...Class`."""
    sizes = {
        study.record.samples[name].scene: (one.height, one.width)
        for name, one in study.pictures.items()
    }
    labels = sorted({one.label for objects in study.record.objects.values() for one in objects})
    (folder / "Annotations").mkdir(parents=True)
    for scene, objects in study.record.objects.items():
        name, size = image_name(scene), sizes[scene]
        known = _annotations(objects, labels, size)
        shown = Scene(name, PictureArray(np.zeros((*size, 3), np.uint8)), size, known)
        root = voc_xml(shown, known, f"{name}.png", tuple(labels))
        (folder / "Annotations" / f"{name}.xml").write_bytes(ElementTree.tostring(root))
        if known.masks is not None and len(known):
            write_voc_masks(folder, name, shown, known)


def _annotations(
    objects: tuple[TrueObject, ...], labels: list[str], size: tuple[int, int]
) -> Annotations:
    boxes = np.array([one.box for one in objects], dtype=np.float32).reshape(-1, 4)
    ids = np.array([labels.index(one.label) for one in objects], dtype=np.int64)
    coded = [one.mask for one in objects if one.mask is not None]
    whole = coded and len(coded) == len(objects)
    return Annotations(boxes, ids, Masks.from_coco(coded, size) if whole else None)
