"""A small relation test of the toy detector: a square put beside a circle must not hide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from snellen.scenes.scene import SceneSet
from snellen.subjects.model_file.letterbox import InputFit, letterbox_of
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from tests.repair import toy_scenes
from tests.repair.toy_detector import ToyDetector
from tests.repair.toy_scenes import CIRCLE, SIZE, Base, Disc, Pixels, Square

START = 32.0
LEVELS = (0.0, 0.125, 0.25, 0.5, 1.0)
"""Shares of the start distance, as published."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Trial:
    """One test: a scene, a square in it, and the control in the same place."""

    scene: int
    base: Base
    level: int
    square: Square
    control: Pixels


def bases(count: int, seed: int) -> list[Base]:
    """Scenes with a circle each."""
    return [toy_scenes.base(np.random.default_rng((seed, place))) for place in range(count)]


def trials(scenes: Sequence[Base], each: int, seed: int) -> list[Trial]:
    """`each` squares at each level of distance from each circle."""
    found = []
    for place, own in enumerate(scenes):
        rng = np.random.default_rng((seed, place))
        for level, share in enumerate(LEVELS):
            for _ in range(each):
                square = toy_scenes.square_at(own.disc, share * START, rng)
                if square is not None:
                    found.append(Trial(place, own, level, square, own.patched(square, rng)))
    return found


def failing(detector: ToyDetector, tests: Sequence[Trial]) -> tuple[Flags, Flags]:
    """Which tests lose their circle, and which of their controls do."""
    discs = [one.base.disc for one in tests]
    with_square = answers(detector, [one.base.drawn(one.square) for one in tests])
    controls = answers(detector, [one.control for one in tests])
    return lost(with_square, discs), lost(controls, discs)


def lost(found: Sequence[Detections], discs: Sequence[Disc]) -> Flags:
    """Where no circle is found at a score of 0.5 with an IoU of 0.5."""
    return np.array([not _sees(one, disc) for one, disc in zip(found, discs, strict=True)])


def _sees(found: Detections, disc: Disc) -> bool:
    circles = found.above(0.5)
    circles = circles[circles.labels == CIRCLE]
    return bool((iou([disc.box], circles.boxes) >= 0.5).any())


def answers(detector: ToyDetector, images: Sequence[Pixels], batch: int = 50) -> list[Detections]:
    """What the detector finds."""
    frame = letterbox_of((SIZE, SIZE), detector.size, InputFit.STRETCH)
    found: list[Detections] = []
    with torch.no_grad():
        for start in range(0, len(images), batch):
            stacked = np.stack(images[start : start + batch]).transpose(0, 3, 1, 2)
            outputs = detector.outputs(torch.from_numpy(stacked).float() / 255)
            found += detector.decode(outputs, [frame] * len(stacked), 0.05)
    return found


def failing_set(
    tests: Sequence[Trial], flags: Flags, each: int, rng: np.random.Generator
) -> SceneSet:
    """Up to `each` failing places of every scene, labelled right."""
    found = []
    for place in sorted({one.scene for one in tests}):
        own = [one for one, bad in zip(tests, flags, strict=True) if bad and one.scene == place]
        for number in rng.permutation(len(own))[:each]:
            base, square = own[number].base, own[number].square
            name = f"repair-{place}/failing-{number}"
            found.append(toy_scenes.scene(name, base.drawn(square), base.disc, square))
    return toy_scenes.scene_set(found)


def random_set(scenes: Sequence[Base], each: int, rng: np.random.Generator) -> SceneSet:
    """`each` random places of every scene, labelled right."""
    found = []
    for place, own in enumerate(scenes):
        for number in range(each):
            square = toy_scenes.square_anywhere(own.disc, rng)
            name = f"repair-{place}/random-{number}"
            found.append(toy_scenes.scene(name, own.drawn(square), own.disc, square))
    return toy_scenes.scene_set(found)
