"""Streets by seed and number: as scenes in memory, or as a KITTI folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from snellen.changes.insert3d.camera_insertion import CameraTrace
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import DONT_CARE
from snellen.scenes.kitti.reader import TYPES
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.scenes.sweep import SweepArrays
from snellen.starter.streets.lidar_returns import Echoes, echoes, sweep_points
from snellen.starter.streets.photograph import CameraView, photograph, view
from snellen.starter.streets.street_labels import rows_of, too_hidden, traces
from snellen.starter.streets.street_layout import layout
from snellen.starter.streets.world import World, world
from snellen.vision.annotations import Annotations
from snellen.vision.rendering.light import OVERCAST, Light
from snellen.vision.solids.coordinate_frames import CoordinateFrames

VERSION = "1"  # Raise it whenever the same numbers give another street.
SIZE = (375, 1242)
OVERCAST_SHARE = 0.25
CLASSES = (*TYPES, DONT_CARE)


def calibration() -> Calibration:
    """A camera like KITTI's left colour camera, 1.65 m above the road and a little behind."""
    grey = np.array([[720.0, 0, 610, 0], [0, 720.0, 173, 0], [0, 0, 1, 0]])
    cameras = [grey.copy() for _ in range(4)]
    for camera, metres in zip(cameras, (0.0, -0.54, 0.06, -0.47), strict=True):
        camera[0, 3] = 720.0 * metres
    mount = np.array([[0.0, -1, 0, 0.0], [0, 0, -1, -0.08], [1, 0, 0, -0.27]])
    unit = np.hstack([np.eye(3), [[-0.8], [0.3], [-0.8]]])
    p0, p1, p2, p3 = cameras
    return Calibration(p0, p1, p2, p3, np.eye(3), mount, unit)


def street(seed: int, index: int) -> Scene:
    """One street with image, point cloud and labels; the same for the same two numbers.

    The id is that of a frame in a KITTI folder, such as 000003 for number 3.
    """
    draws = [np.random.default_rng((seed, index, part)) for part in range(5)]
    frames = calibration().frames()
    looked = sense_street(world(layout(draws[0]), draws[1]), frames)
    image = photograph(looked.street, looked.shown, frames, drawn_light(draws[2]), draws[3])
    rows = rows_of(looked.street, looked.seen, looked.found, frames)
    known = Annotations(
        np.array([row.box for row in rows], dtype=np.float32).reshape(-1, 4),
        np.array([CLASSES.index(row.type) for row in rows], dtype=np.int64),
    )
    sweep = SweepArrays(sweep_points(looked.found, draws[4]), calibration(), rows)
    return Scene(f"{index:06d}", PictureArray(image), SIZE, known, sweep=sweep)


def write_streets(folder: Path, count: int, seed: int) -> None:
    """Write streets 0 to count - 1 of a seed as a KITTI folder, whole or not at all.

    All are held in memory until then, some 3 MB each.
    """
    scenes = tuple(street(seed, index) for index in range(count))
    write_kitti(SceneSet(scenes, CLASSES, tuple(range(len(CLASSES)))), folder)


class SensedStreet(NamedTuple):
    """A street, and what camera and LiDAR see of it."""

    street: World
    shown: CameraView
    found: Echoes
    seen: tuple[CameraTrace, ...]


def sense_street(street: World, frames: CoordinateFrames) -> SensedStreet:
    """The street without those things that others hide, so that all in view have a label."""
    looked = _look(street, frames)
    hidden = too_hidden(looked.seen, looked.found)
    return _look(street.without(hidden), frames) if hidden else looked


def _look(street: World, frames: CoordinateFrames) -> SensedStreet:
    shown = view(street, frames, SIZE)
    return SensedStreet(street, shown, echoes(street), traces(street, shown, frames, SIZE))


def drawn_light(rng: np.random.Generator) -> Light:
    """A sun somewhere in the sky, or clouds before it."""
    around, up = rng.uniform(0, 2 * np.pi), rng.uniform(np.radians(38), np.radians(66))
    if rng.random() < OVERCAST_SHARE:
        return replace(OVERCAST, sun_direction=(0.01, 0.0, 1.0), exposure=1.15)
    flat = np.cos(up)
    towards = (float(flat * np.cos(around)), float(flat * np.sin(around)), float(np.sin(up)))
    return Light(sun_direction=towards, exposure=1.05)
