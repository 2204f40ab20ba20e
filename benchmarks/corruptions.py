"""Corruptions at 640x480: ours beside the maintained library of ImageNet-C's.

Theirs is imagecorruptions-imaug.

CPU time of one thread, severity 3, each of ours with a seed it has not seen and another image each
time, so that nothing of an earlier call is used but frost's six panes, which a process grows once
(their time is printed apart). Theirs is left out where it has none, or where it is not installed.

Run: python -m benchmarks.corruptions
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module

import numpy as np

from snellen.changes.corruptions.corruption import Corruption
from snellen.changes.corruptions.crystals import pane
from snellen.changes.corruptions.registry import CORRUPTIONS, SETS, corruption
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.arrays import Image

SEVERITY = 3
OURS, THEIRS = 24, 4
MOST_MS, LEAST_RATIO = 15, 3
FAST = (
    *("gaussian_noise", "shot_noise", "impulse_noise", "speckle_noise"),
    *("gaussian_blur", "defocus_blur", "glass_blur", "motion_blur", "zoom_blur"),
    *("frost", "fog", "snow", "rain", "contrast"),
)
TARGETS = {**dict.fromkeys(FAST, LEAST_RATIO), "brightness": 50}


def images(rng: np.random.Generator) -> list[Image]:
    """Scenes with a little noise, so that no two pixels are alike by construction."""
    found = []
    for scene in synthetic_scenes(SyntheticOptions(count=4, size=(480, 640))):
        noise = rng.normal(0, 8, (480, 640, 3))
        found.append(np.clip(scene.pixels() + noise, 0, 255).astype(np.uint8))
    return found


def cpu_ms(call: Callable[[int], object], times: int) -> float:
    """CPU milliseconds of a call, the mean over `times` after one that is not counted."""
    call(0)
    begin = time.process_time()
    for turn in range(1, times + 1):
        call(turn)
    return (time.process_time() - begin) / times * 1e3


def ours(worse: Corruption, pictures: list[Image]) -> float:
    return cpu_ms(lambda turn: worse.at_severity(pictures[turn % 4], SEVERITY, turn), OURS)


def theirs(name: str, pictures: list[Image]) -> float | None:
    if name not in (*SETS["imagenet-c"], *SETS["imagenet-c-extra"]):
        return None
    try:
        corrupt = import_module("imagecorruptions").corrupt
    except ImportError:
        return None
    return cpu_ms(lambda turn: corrupt(pictures[turn % 4], SEVERITY, name), THEIRS)


def verdict(name: str, own: float, ratio: float | None) -> str:
    if name not in TARGETS:
        return ""
    met = own <= MOST_MS and (ratio is None or ratio >= TARGETS[name])
    target = f"at most {MOST_MS} ms"
    target += "" if ratio is None else f" and {TARGETS[name]} times less"
    return f"{'met' if met else 'MISSED'}: {target}"


def main() -> None:
    import cv2

    cv2.setNumThreads(1)
    pictures = images(np.random.default_rng(1))
    begin = time.process_time()
    pane(0, 0)
    print(f"frost's panes, once a process: {(time.process_time() - begin) * 1e3:.0f} ms")
    print(f"{'':18} {'ours':>7} {'theirs':>8} {'ratio':>6}")
    for name in CORRUPTIONS.kinds():
        own = ours(corruption(name), pictures)
        other = theirs(name, pictures)
        ratio = None if other is None else other / own
        beside = "" if other is None or ratio is None else f"{other:8.1f} {ratio:6.1f}"
        print(f"{name:18} {own:7.2f} {beside:15}  {verdict(name, own, ratio)}".rstrip())


if __name__ == "__main__":
    main()
