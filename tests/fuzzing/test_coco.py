"""Damaged COCO files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from snellen.scenes.registry import open_scenes
from snellen.vision.masks.rle_masks import Masks
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import (
    DIGITS_401,
    DIGITS_5000,
    JSON,
    LONG_NAME,
)
from tests.fuzzing.scene_files import SIZE, photograph, read_scenes

FILE = "instances.json"
[RLE] = Masks.from_array(np.eye(*SIZE, dtype=bool)[None]).to_coco()
CONTENT: dict[str, Any] = {
    "info": {"year": 2026},
    "licenses": [],
    "images": [
        {"id": 1, "file_name": "a.png", "height": SIZE[0], "width": SIZE[1], "license": 1},
        {"id": 7, "file_name": "b.png", "height": SIZE[0], "width": SIZE[1]},
    ],
    "categories": [{"id": 1, "name": "cat"}, {"id": 18, "name": "dog", "supercategory": "animal"}],
    "annotations": [
        {
            "id": 11, "image_id": 1, "category_id": 18, "bbox": [2, 3, 10.5, 8], "area": 84.0,
            "iscrowd": 0, "segmentation": [[2, 3, 12, 3, 12, 11, 2, 11]],
        },
        {"id": 12, "image_id": 1, "category_id": 1, "bbox": [1, 1, 5, 5], "iscrowd": 1,
         "segmentation": {"size": list(SIZE), "counts": RLE["counts"]}},
        {"id": 13, "image_id": 7, "category_id": 1, "bbox": [0, 0, 4, 4], "area": 16,
         "segmentation": {"size": list(SIZE), "counts": [4, 700, 64]}},
    ],
}  # fmt: skip


def content(**changes: Any) -> Files:
    """The file with values of its first image, category and annotation replaced."""
    value: dict[str, Any] = json.loads(json.dumps(CONTENT))
    for name, new in changes.items():
        part, _, key = name.partition("__")
        value[part][0][key] = new
    return {FILE: json.dumps(value).encode()}


def text(old: str, new: str) -> Files:
    """The file with one text replaced."""
    return {FILE: json.dumps(CONTENT).replace(old, new, 1).encode()}


def read(folder: Path) -> None:
    options = {"kind": "coco", "annotations": FILE, "images": "images"}
    read_scenes(open_scenes(options, folder))


def read_skipping(folder: Path) -> None:
    options = {"kind": "coco", "annotations": FILE, "images": "images"}
    read_scenes(open_scenes(options, folder, skip_invalid=True))


VALID = {
    FILE: json.dumps(CONTENT).encode(),
    "images/a.png": photograph(),
    "images/b.png": photograph(),
}
TARGET = Target("COCO", VALID, {FILE: JSON}, read)

PAST: Mapping[str, Files] = {
    "a box with an integer of 401 digits": text("10.5", DIGITS_401),
    "a box with a corner of 401 digits": text("[2, 3, 10.5", f"[{DIGITS_401}, 3, 10.5"),
    "an area with an integer of 401 digits": text("84.0", DIGITS_401),
    "an integer of 5,000 digits": text("84.0", DIGITS_5000),
    "an id of 401 digits": text('"id": 11', f'"id": {DIGITS_401}'),
    "an image's size of 401 digits": text('"height": 24', f'"height": {DIGITS_401}'),
    "an image's size that is infinite": text('"height": 24', '"height": Infinity'),
    "a box that is infinite": text("10.5", "1e999"),
    "a box that is no number": text("10.5", "NaN"),
    "a box beyond float32": text("10.5", "1e39"),
    "an area that is infinite": text("84.0", "Infinity"),
    "a polygon of 401 digits": text("[[2, 3, 12", f"[[2, 3, {DIGITS_401}"),
    "a polygon of 1e308": text("[[2, 3, 12", "[[2, 3, 1e308"),
    "a polygon of 1e15": text("[[2, 3, 12", "[[2, 3, 1e15"),
    "a polygon of -1e9": text("[[2, 3, 12", "[[2, 3, -1e9"),
    "a polygon with a list": text("[[2, 3, 12", "[[2, 3, [12]"),
    "a file name of 300 characters": text("a.png", f"{LONG_NAME}.png"),
    "a file name of 5,000 characters": text("a.png", "n/" * 2500),
    "a file name with a null": text("a.png", "a\\u0000.png"),
    "a file name that is half a pair": text("a.png", "a\\ud800.png"),
    "a category that is half a pair": text("cat", "c\\ud800t"),
    "category_id as a list": text('"category_id": 18', '"category_id": [18]'),
    "iscrowd as a list": text('"iscrowd": 0', '"iscrowd": []'),
    "run lengths of 401 digits": text("[4, 700, 64]", f"[{DIGITS_401}, 700, 64]"),
    "run lengths that wrap around": text("[4, 700, 64]", "[4294967295, 1, 768]"),
    "negative run lengths": text("[4, 700, 64]", "[-4, 708, 64]"),
    "run lengths that are not whole": text("[4, 700, 64]", "[4.5, 699.5, 64]"),
    "run lengths in nested lists": text("[4, 700, 64]", "[[4, 700, 64]]"),
    "run lengths that are not ASCII": text(RLE["counts"], "ä²"),
    "run lengths that are half a pair": text(RLE["counts"], "\\ud800"),
    "a size that is no list": text('{"size": [24, 32]', '{"size": 24'),
    "a size of texts": text('{"size": [24, 32]', '{"size": "24"'),
    "a segmentation that is a number": text('"segmentation": [[', '"segmentation": 3, "x": [['),
    "deep lists": {FILE: b"[" * 100_000},
    "deep lists in an image": text('"license": 1', '"license": ' + "[" * 5000 + "]" * 5000),
    "deep objects": {FILE: b'{"a":' * 100_000},
    "an empty file": {FILE: b""},
    "a null": {FILE: b"null"},
    "bytes of UTF-16": {FILE: json.dumps(CONTENT).encode("utf-16")},
    "bytes of UTF-32 with a fault": {FILE: b"\xff\xfe\0\0" + b"\xff" * 7},
    "keys that are half pairs": {FILE: b'{"\\ud800": 1}'},
    "images of other values": {FILE: b'{"images": {"a": 1}}'},
}  # fmt: skip


class TestCoco(ReaderTests):
    target, past = TARGET, PAST


class TestSkippedItems(ReaderTests):
    target, past = Target("COCO, skipping", VALID, {FILE: JSON}, read_skipping, quick=50), PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
    main(TestSkippedItems.target, *map(int, sys.argv[1:]))
