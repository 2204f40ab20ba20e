"""Darknet networks for tests: a random one with all kinds of layers, and YOLOv3-tiny."""

from __future__ import annotations

import numpy as np

from tests.subjects.darknet import darknet_files
from tests.subjects.darknet.darknet_files import Writer

ACTIVATIONS = ("linear", "leaky", "mish", "swish", "logistic", "relu")
NAMED = {
    "tiny_v3": darknet_files.tiny_v3,
    "v3": darknet_files.v3,
    "v4": darknet_files.v4,
    "v4_tiny": darknet_files.v4_tiny,
    "v4x": darknet_files.v4x,
}


def random_network(seed: int) -> Writer:
    """A random network of 12 layers of all kinds, with an input of odd shape and two heads."""
    rng = np.random.default_rng(seed)
    size = (int(rng.choice([40, 64, 72])), int(rng.choice([48, 56, 80])))
    net = Writer(size, seed).conv(8, 3, 2, str(rng.choice(ACTIVATIONS)))
    for _ in range(10):
        _add(net, rng)
    net.head("0,1,2", scale_x_y=float(rng.choice([1.0, 1.1])))
    net.route(-3).conv(8, 1)
    return net.head("3,4")


def _add(net: Writer, rng: np.random.Generator) -> None:
    """Add a layer that keeps the grid size, so that routes and sums always fit."""
    channels, act = net.channels[-1], str(rng.choice(ACTIVATIONS))
    kind = rng.integers(7)
    if kind == 0:
        net.conv(int(rng.choice([4, 8, 12])), int(rng.choice([1, 3, 5])), 1, act)
    elif kind == 1:
        net.conv(channels, 3, 1, act, groups=2 if channels % 2 == 0 else 1)
    elif kind == 2:
        net.conv(8, 3, 1, act, normalised=0)
    elif kind == 3:
        net.pool(int(rng.choice([2, 3, 5])), 1)
    elif kind == 4:
        net.route(-1, int(rng.integers(len(net.channels))))
    elif kind == 5 and channels % 2 == 0:
        net.route(-1, groups=2, group_id=int(rng.integers(2)))
    else:
        net.conv(channels, 1, 1, act).shortcut(-2, act)


def yolov3_tiny() -> Writer:
    """The 23 layers of YOLOv3-tiny at its original size, with random weights."""
    net = Writer((416, 416), seed=9)
    for filters in (16, 32, 64, 128, 256):
        net.conv(filters).pool(2, 2)
    net.conv(512).pool(2, 1).conv(1024).conv(256, 1).conv(512).head("3,4,5")
    net.route(-4).conv(128, 1).upsample().route(-1, 8).conv(256)
    return net.head("0,1,2")
