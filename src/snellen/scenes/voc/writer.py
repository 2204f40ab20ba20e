"""Pascal VOC writer: `Annotations`, `JPEGImages`, `ImageSets`, and mask images."""

from __future__ import annotations

import io
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from PIL import Image as Pillow

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.scenes.export_files import (
    flat_names,
    picture_names,
    place_picture,
    required_annotations,
)
from snellen.scenes.mask_objects import paint_objects
from snellen.scenes.scene import Scene, SceneSet
from snellen.scenes.voc.reader import VOID
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bytes, Ints


def write_voc(scenes: SceneSet, out: Path, *, split: str = "val") -> None:
    """Write a VOC folder atomically, with the list `ImageSets/Main/<split>.txt`.

    Boxes are preserved to 0.001 px, labels exactly. Ignored objects and crowds are written as
    `difficult`, VOC's only flag, and are read back as ignored. A pixel of a mask image belongs to
    one object; where masks overlap, the smaller one keeps it.
    """
    all_annotations = required_annotations(scenes, "VOC")
    with new_folder(out) as draft:
        names = flat_names(scenes)
        pictures = picture_names(scenes)
        for scene, annotations, name, picture in zip(
            scenes, all_annotations, names, pictures, strict=True
        ):
            file = f"{name}{Path(picture).suffix}"
            place_picture(scene, draft / "JPEGImages" / file)
            root = voc_xml(scene, annotations, file, scenes.classes)
            _write(draft / "Annotations" / f"{name}.xml", ElementTree.tostring(root))
            if annotations.masks is not None and len(annotations):
                write_voc_masks(draft, name, scene, annotations)
        lines = "".join(f"{name}\n" for name in names)
        _write(draft / "ImageSets" / "Main" / f"{split}.txt", lines.encode())


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def voc_xml(scene: Scene, annotations: Annotations, file: str, classes: tuple[str, ...]) -> Element:
    """The annotation file of a scene."""
    root = Element("annotation")
    SubElement(root, "filename").text = file
    size = SubElement(root, "size")
    for key, value in (("width", scene.size[1]), ("height", scene.size[0]), ("depth", 3)):
        SubElement(size, key).text = str(value)
    SubElement(root, "segmented").text = str(int(annotations.masks is not None))
    for index, label in enumerate(annotations.labels):
        item = SubElement(root, "object")
        SubElement(item, "name").text = classes[label]
        hard = annotations.ignore[index] or annotations.crowd[index]
        SubElement(item, "difficult").text = str(int(hard))
        box = SubElement(item, "bndbox")
        corners = np.add(annotations.boxes[index], (1, 1, 0, 0), dtype=np.float64)
        for side, value in zip(("xmin", "ymin", "xmax", "ymax"), corners, strict=True):
            SubElement(box, side).text = f"{value:.3f}".rstrip("0").rstrip(".")
    ElementTree.indent(root)
    return root


def write_voc_masks(draft: Path, name: str, scene: Scene, annotations: Annotations) -> None:
    """Write the mask images of a scene into a VOC folder."""
    if max(len(annotations), int(annotations.labels.max()) + 1) >= VOID:
        raise UserError(
            f"scene '{scene.id}': found {len(annotations)} objects, but VOC's mask images hold at "
            "most 254 objects and classes. Write COCO instead."
        )
    instances = paint_objects(annotations, range(1, len(annotations) + 1), scene.size)
    values = np.concatenate([[0], annotations.labels + 1])
    for folder, image in (
        ("SegmentationObject", instances),
        ("SegmentationClass", values[instances]),
    ):
        _write(draft / folder / f"{name}.png", _palette_png(image))


def _palette_png(values: Ints) -> bytes:
    image = Pillow.fromarray(values.astype(np.uint8))
    image.putpalette(voc_colours().ravel().tolist())
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def voc_colours() -> Bytes:
    """(256, 3) RGB: VOC's colour map, the bits of a value distributed over the channels.

    >>> voc_colours()[[0, 1, 15, 255]].tolist()
    [[0, 0, 0], [128, 0, 0], [192, 128, 128], [224, 224, 192]]
    """
    values = np.arange(256)[:, None]
    channels = np.arange(3)
    colours = np.zeros((256, 3), dtype=np.int64)
    for place in range(8):
        colours |= ((values >> (3 * place + channels)) & 1) << (7 - place)
    return colours.astype(np.uint8)
