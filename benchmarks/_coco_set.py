"""A COCO set of any size on disk: small JPEG files of differing sizes, boxes and some polygons."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow

SIZES = 200
"""Sizes that the images have, each a file of its own; further images are copies of their bytes."""
FOLDER, FILE = "images", "instances.json"
CLASSES = 80
POLYGONS = 0.3
"""Share of the objects that have a polygon."""


def write_coco_set(folder: Path, images: int, annotations: int) -> None:
    """Write `folder/instances.json` and `folder/images`."""
    rng = np.random.default_rng(1)
    (folder / FOLDER).mkdir(parents=True)
    sizes = [(int(h), int(w)) for h, w in rng.integers(120, 480, (SIZES, 2))]
    files = [_jpeg(size, rng) for size in sizes]
    for number in range(images):
        (folder / FOLDER / name_of(number)).write_bytes(files[number % SIZES])
    rows = (_image(number, sizes[number % SIZES]) for number in range(images))
    objects = _annotations(images, annotations, sizes, rng)
    categories = [{"id": number + 1, "name": f"class {number}"} for number in range(CLASSES)]
    with (folder / FILE).open("w", encoding="utf-8") as out:
        out.write('{"categories": ' + json.dumps(categories) + ', "images": [')
        out.write(", ".join(map(json.dumps, rows)) + '], "annotations": [')
        for number, row in enumerate(objects):
            out.write((", " if number else "") + json.dumps(row))
        out.write("]}")


def name_of(number: int) -> str:
    """The file name of an image."""
    return f"{number:012d}.jpg"


def _jpeg(size: tuple[int, int], rng: np.random.Generator) -> bytes:
    coarse = rng.integers(0, 256, (size[0] // 40 + 1, size[1] // 40 + 1, 3), dtype=np.uint8)
    pixels = np.kron(coarse, np.ones((40, 40, 1), np.uint8))[: size[0], : size[1]]
    buffer = io.BytesIO()
    Pillow.fromarray(pixels).save(buffer, "JPEG", quality=60)
    return buffer.getvalue()


def _image(number: int, size: tuple[int, int]) -> dict[str, Any]:
    return {"id": number + 1, "file_name": name_of(number), "height": size[0], "width": size[1]}


def _annotations(
    images: int, count: int, sizes: list[tuple[int, int]], rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    places = rng.integers(0, images, count).tolist()
    for number, image in enumerate(places):
        height, width = sizes[image % SIZES]
        x, y = rng.uniform(0, (width - 40, height - 40))
        w, h = rng.uniform(4, 40, 2)
        row = {
            "id": number + 1,
            "image_id": image + 1,
            "category_id": int(rng.integers(1, CLASSES + 1)),
            "bbox": [round(float(one), 2) for one in (x, y, w, h)],
            "area": round(float(w * h), 2),
            "iscrowd": 0,
            "segmentation": [],
        }
        if image % 10 < 10 * POLYGONS:
            angles = np.linspace(0, 2 * np.pi, int(rng.integers(8, 40)), endpoint=False)
            points = np.stack(
                [x + w / 2 * (1 + np.cos(angles)), y + h / 2 * (1 + np.sin(angles))], axis=1
            )
            row["segmentation"] = [np.round(points, 2).ravel().tolist()]
        yield row
