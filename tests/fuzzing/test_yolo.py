"""Damaged YOLO data: the labels, the data.yaml, and lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from snellen.scenes.registry import open_scenes
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import DIGITS_401, DIGITS_5000, LONG_NAME, TEXT
from tests.fuzzing.scene_files import photograph, read_scenes

BOXES = b"0 0.5 0.5 0.25 0.3\n2 0.3 0.3 0.1 0.2\n"
POLYGONS = b"1 0.1 0.1 0.6 0.1 0.6 0.7 0.2 0.8\n"
DATA = b"""path: .
train: images/train
val: [images/val, list.txt]
nc: 3
names:
  0: cat
  1: dog
  2: 'no: bird'
"""


def read(folder: Path) -> None:
    read_scenes(open_scenes({"kind": "yolo", "data": "data.yaml"}, folder))
    options = {"kind": "yolo", "images": "images/val", "classes": "classes.txt"}
    read_scenes(open_scenes(options, folder))


TARGET = Target(
    "YOLO",
    {
        "data.yaml": DATA,
        "classes.txt": b"cat\ndog\nbird\n",
        "list.txt": b"images/more/c.png\n",
        "images/val/a.png": photograph(),
        "images/val/b.png": photograph(),
        "images/more/c.png": photograph(),
        "labels/val/a.txt": BOXES,
        "labels/val/b.txt": POLYGONS,
        "labels/more/c.txt": b"",
    },
    {
        "data.yaml": TEXT, "classes.txt": TEXT, "list.txt": TEXT, "labels/val/a.txt": TEXT,
        "labels/val/b.txt": TEXT,
    },
    read,
)  # fmt: skip


def label(line: str) -> Files:
    return {"labels/val/a.txt": line.encode()}


def data(old: bytes, new: bytes) -> Files:
    return {"data.yaml": DATA.replace(old, new, 1)}


PAST: Mapping[str, Files] = {
    "a class that is a digit but no number": label("²1 0.5 0.5 0.1 0.1"),
    "a class of 401 digits": label(f"{DIGITS_401} 0.5 0.5 0.1 0.1"),
    "a class that is infinite": label("inf 0.5 0.5 0.1 0.1"),
    "a class with a fraction": label("0.5 0.5 0.5 0.1 0.1"),
    "Arabic digits": label("٠ 0.5 0.5 0.1 0.1"),
    "a side that is no number": label("0 0.5 0.5 nan 0.1"),
    "a huge negative polygon": label("0 -1e300 0.5 0.3 -1e300 0.5 0.5"),
    "a polygon of -1e12": label("0 -1e12 0.5 0.3 -1e12 0.5 0.5"),
    "a box beyond float32": label("0 -1e300 0.5 1e-300 0.1"),
    "a listed path of 5,000 characters": {"list.txt": b"/etc/" + b"[" * 5000 + b"\n"},
    "labels that are not text": {"labels/val/a.txt": b"\xff\xfe\0"},
    "a class key that is a digit but no number": data(b"  1: dog", "  ²1: dog".encode()),
    "a class key of 5,000 digits": data(b"  1: dog", f"  {DIGITS_5000}: dog".encode()),
    "a class key of 5,000 digits in quotes": data(b"  1: dog", f"  '{DIGITS_5000}': dog".encode()),
    "a class key in hexadecimal": data(b"  1: dog", b"  0x" + b"f" * 5000 + b": dog"),
    "a number of 5,000 digits": data(b"nc: 3", f"nc: {DIGITS_5000}".encode()),
    "a number of 5,000 hexadecimal digits": data(b"nc: 3", b"nc: 0x" + b"f" * 5000),
    "keys of several types": data(b"nc: 3", b"1: 2\n~: 3\n1.5: 4"),
    "a split that is missing beside keys of several types": data(b"val:", b"1: 2\n~: 3\nvalid:"),
    "a date that does not exist": data(b"nc: 3", b"nc: 2001-99-99"),
    "a tag without a value": data(b"nc: 3", b"nc: !!timestamp x"),
    "a truth that is none": data(b"nc: 3", b"nc: !!bool x"),
    "an integer that is none": data(b"nc: 3", b"nc: !!int ''"),
    "a float that is none": data(b"nc: 3", b"nc: !!float x"),
    "Python": data(b"nc: 3", b"nc: !!python/object/apply:os.system [true]"),
    "a character beyond Unicode": data(b"nc: 3", b'nc: "\\U7fffffff"'),
    "half a pair": data(b"cat", b'"\\ud800"'),
    "a value in itself": data(b"nc: 3", b"nc: &a [*a]"),
    "names in themselves": {"data.yaml": b"val: images/val\nnames: &a {0: *a}\n"},
    "deep lists": {"data.yaml": b"a: " + b"[" * 100_000},
    "deep closed lists": {"data.yaml": b"a: " + b"[" * 900 + b"]" * 900},
    "deep blocks": {"data.yaml": b"- " * 3_000},
    "a path of 300 characters": data(b"path: .", f"path: {LONG_NAME}".encode()),
    "a path with a null": data(b"path: .", b'path: "a\\0b"'),
    "a split of 300 characters": data(b"list.txt", f"{LONG_NAME}.txt".encode()),
    "a split that is a mapping": data(b"[images/val, list.txt]", b"{a: [b]}"),
    "an image of 300 characters in a list": {"list.txt": f"{LONG_NAME}.png".encode()},
    "an image with a null in a list": {"list.txt": b"a\0.png"},
    "an image without a name in a list": {"list.txt": b"/\n"},
    "a dot in a list": {"list.txt": b".\n..\n"},
    "a list that is not text": {"list.txt": b"\xff\xfe\0"},
    "classes that are not text": {"classes.txt": b"\xff\xfe\0"},
    "no classes": {"classes.txt": b"\n \n"},
    "an empty data.yaml": {"data.yaml": b""},
    "a data.yaml that is a text": {"data.yaml": b"a"},
}


class TestYolo(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
