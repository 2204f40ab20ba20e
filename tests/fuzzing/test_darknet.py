"""Damaged Darknet files: the layers and the weights."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from snellen.subjects.registry import open_subject
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import BINARY, DIGITS_401, DIGITS_5000, TEXT

CFG = """[net]
# a comment
height=32
width=32
channels=3

[convolutional]
batch_normalize=1
filters=4
size=3
stride=2
pad=1
activation=leaky

[maxpool]
size=2
stride=2

[convolutional]
filters=4
size=1
groups=2
activation=mish

[shortcut]
from=-2
activation=linear

[upsample]
stride=2

[route]
layers=-1,0

[route]
layers=-1
groups=2
group_id=1

[convolutional]
filters=16
size=1
activation=linear

[yolo]
mask=0,1
anchors=10,14, 23,27, 37,58
classes=3
scale_x_y=1.05
"""
NUMBERS = 16 + 4 * 3 * 9 + 4 + 4 * 2 + 16 + 16 * 4


def weights() -> bytes:
    header = np.array([0, 2, 5], "<i4").tobytes() + np.array([0], "<i8").tobytes()
    return header + np.linspace(0.1, 0.2, NUMBERS, dtype="<f4").tobytes()


def read(folder: Path) -> None:
    cache = folder.parent / "cache"
    os.environ["SNELLEN_CACHE"] = str(cache)
    options = {"kind": "darknet", "cfg": "net.cfg", "weights": "net.weights", "threads": 1}
    try:
        open_subject({**options, "names": "net.names"}, folder).close()
    finally:
        shutil.rmtree(cache, ignore_errors=True)


TARGET = Target(
    "Darknet",
    {"net.cfg": CFG.encode(), "net.weights": weights(), "net.names": b"cat\ndog\nbird\n"},
    {"net.cfg": TEXT, "net.weights": BINARY, "net.names": TEXT},
    read,
    megabytes=1500,  # what the network takes for the largest input allowed
)


def cfg(old: str, new: str) -> Files:
    return {"net.cfg": CFG.replace(old, new, 1).encode()}


PAST: Mapping[str, Files] = {
    "a stride of 0": cfg("stride=2", "stride=0"),
    "a stride of 0 in a pool": cfg("size=2\nstride=2", "size=2\nstride=0"),
    "an upsampling by 0": cfg("[upsample]\nstride=2", "[upsample]\nstride=0"),
    "an upsampling by -2": cfg("[upsample]\nstride=2", "[upsample]\nstride=-2"),
    "an upsampling by 10**9": cfg("[upsample]\nstride=2", "[upsample]\nstride=1000000000"),
    "a stride of -1": cfg("stride=2", "stride=-1"),
    "groups of 0": cfg("groups=2\nactivation=mish", "groups=0\nactivation=mish"),
    "groups of 0 in a route": cfg("groups=2\ngroup_id", "groups=0\ngroup_id"),
    "filters of 0": cfg("filters=4", "filters=0"),
    "filters of -4": cfg("filters=4", "filters=-4"),
    "filters of 10**12": cfg("filters=4", "filters=1000000000000"),
    "a size of 0": cfg("size=3", "size=0"),
    "a size of -1": cfg("size=3", "size=-1"),
    "a size of 401 digits": cfg("size=3", f"size={DIGITS_401}"),
    "a size of 5,000 digits": cfg("size=3", f"size={DIGITS_5000}"),
    "a size that is a digit but no number": cfg("size=3", "size=²"),
    "a padding of -1": cfg("size=2\nstride=2", "size=2\nstride=2\npadding=-1"),
    "a padding of 10**9": cfg("size=2\nstride=2", "size=2\nstride=2\npadding=1000000000"),
    "a dilation of 0": cfg("size=3", "size=3\ndilation=0"),
    "a dilation of -9": cfg("size=3", "size=3\ndilation=-9"),
    "an input of 0": cfg("height=32", "height=0"),
    "an input of -32": cfg("height=32", "height=-32"),
    "an input of 10**6": cfg("height=32\nwidth=32", "height=1000000\nwidth=1000000"),
    "an input of 67 million pixels": cfg("height=32\nwidth=32", "height=8192\nwidth=8192"),
    "an input that is wide": cfg("width=32", "width=32256"),
    "no channels": cfg("channels=3", "channels=0"),
    "channels of 10**9": cfg("channels=3", "channels=1000000000"),
    "a mask of -1": cfg("mask=0,1", "mask=-1,0"),
    "a mask of -9": cfg("mask=0,1", "mask=-9,0"),
    "classes of -5": cfg("classes=3", "classes=-5"),
    "infinite anchors": cfg("anchors=10", "anchors=inf"),
    "an infinite scale": cfg("scale_x_y=1.05", "scale_x_y=inf"),
    "anchors that are no numbers": cfg("anchors=10", "anchors=nan"),
    "no anchors": cfg("anchors=10,14, 23,27, 37,58", "anchors=0"),
    "anchors of 401 digits": cfg("anchors=10", f"anchors={DIGITS_401}"),
    "a section without a name": cfg("[maxpool]", "[]"),
    "half a section": cfg("[maxpool]", "[maxpool"),
    "no layers": {"net.cfg": b"[net]\n"},
    "nothing": {"net.cfg": b""},
    "a cfg that is not text": {"net.cfg": b"\xff\xfe"},
    "10,000 layers": {"net.cfg": (CFG + "[upsample]\nstride=1\n" * 10_000).encode()},
    "no weights": {"net.weights": b""},
    "a header alone": {"net.weights": weights()[:20]},
    "a version of 2**31": {"net.weights": b"\xff\xff\xff\x7f" * 2 + weights()[8:]},
    "weights that are no numbers": {"net.weights": weights()[:20] + b"\xff" * 4 * NUMBERS},
    "names that are not text": {"net.names": b"\xff\xfe"},
    "no names": {"net.names": b""},
}


class TestDarknet(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
