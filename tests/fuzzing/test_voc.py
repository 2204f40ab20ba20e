"""Damaged Pascal VOC folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snellen.scenes.registry import open_scenes
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import BINARY, DIGITS_401, LONG_NAME, TEXT, XML
from tests.fuzzing.scene_files import SIZE, mask, photograph, read_scenes

FILE = "Annotations/a.xml"
OBJECT = """<object><name>{name}</name><difficult>0</difficult>
<bndbox><xmin>{x}</xmin><ymin>4</ymin><xmax>20</xmax><ymax>12.5</ymax></bndbox></object>"""
CONTENT = f"""<?xml version="1.0" encoding="UTF-8"?>
<annotation><folder>VOC</folder><filename>a.png</filename>
<size><width>{SIZE[1]}</width><height>{SIZE[0]}</height><depth>3</depth></size>
{OBJECT.format(name="cat", x=3)}{OBJECT.format(name="dog", x=9)}</annotation>"""
LAUGHS = "".join(
    f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' if level else '<!ENTITY l0 "ha">'
    for level in range(10)
)


def text(old: str, new: str) -> Files:
    return {FILE: CONTENT.replace(old, new, 1).encode()}


def read(folder: Path) -> None:
    read_scenes(open_scenes({"kind": "voc", "root": ".", "split": "Main/val"}, folder))
    read_scenes(open_scenes({"kind": "voc", "root": "."}, folder, skip_invalid=True))


TARGET = Target(
    "VOC",
    {
        FILE: CONTENT.encode(),
        "Annotations/b.xml": CONTENT.replace("a.png", "b.png").encode(),
        "JPEGImages/a.png": photograph(),
        "JPEGImages/b.png": photograph(),
        "SegmentationObject/a.png": mask(),
        "SegmentationClass/a.png": mask(),
        "ImageSets/Main/val.txt": b"a\nb 1\n",
    },
    {
        FILE: (*XML, *XML), "Annotations/b.xml": XML, "ImageSets/Main/val.txt": TEXT,
        "SegmentationObject/a.png": BINARY,
    },
    read,
)  # fmt: skip
PAST: Mapping[str, Files] = {
    "an infinite size": text("<width>32<", "<width>inf<"),
    "a size beyond float": text("<width>32<", f"<width>{DIGITS_401}<"),
    "a size that is no number": text("<width>32<", "<width>nan<"),
    "an infinite side": text("<xmin>3<", "<xmin>-inf<"),
    "a side beyond float": text("<xmin>3<", f"<xmin>{DIGITS_401}<"),
    "a side beyond float32": text("<xmax>20<", "<xmax>1e39<"),
    "a name of 300 characters in the list": {"ImageSets/Main/val.txt": LONG_NAME.encode()},
    "a name with a null in the list": {"ImageSets/Main/val.txt": b"a\0b"},
    "a name outside of the folder in the list": {"ImageSets/Main/val.txt": b"../../../etc/passwd"},
    "a list that is not UTF-8": {"ImageSets/Main/val.txt": b"\xff\xfe"},
    "an empty list": {"ImageSets/Main/val.txt": b""},
    "a billion laughs": {FILE: f"<!DOCTYPE a [{LAUGHS}]><annotation>&l9;</annotation>".encode()},
    "an external entity": {
        FILE: b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><annotation>&x;</annotation>'
    },
    "deep elements": {FILE: b"<annotation>" * 200_000},
    "deep closed elements": {FILE: b"<annotation>" * 5000 + b"</annotation>" * 5000},
    "an unknown encoding": {FILE: CONTENT.replace("UTF-8", "x-none").encode()},
    "an encoding of several bytes": {FILE: CONTENT.replace("UTF-8", "utf-7").encode()},
    "an empty file": {FILE: b""},
    "an instance too many": {"SegmentationObject/a.png": mask(9)},
    "a mask that is a photograph": {"SegmentationObject/a.png": photograph()},
    "a mask of no bytes": {"SegmentationObject/a.png": b""},
    "a mask of a class that is no image": {"SegmentationClass/a.png": b"GIF89a"},
}


class TestVoc(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
