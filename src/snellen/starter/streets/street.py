"""Streets by seed and index: as scenes in memory, or as a KITTI folder."""

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
from snellen.starter.streets.lidar_returns import Echoes, echoes_of, sweep_points
from snellen.starter.streets.photograph import CameraView, camera_view, photograph
from snellen.starter.streets.street_labels import camera_traces, rows_of, too_hidden
from snellen.starter.streets.street_layout import layout
from snellen.starter.streets.world import World, world
from snellen.vision.annotations import Annotations
from snellen.vision.rendering.light import OVERCAST, Light
from snellen.vision.solids.coordinate_frames import CoordinateFrames

VERSION = "1"  # Raise it whenever the same seed gives a different street.
SIZE = (375, 1242)
OVERCAST_SHARE = 0.25
CLASSES = (*TYPES, DONT_CARE)


def calibration() -> Calibration:
    """A camera like KITTI's left colour camera, 1.65 m above the road."""
    grey = np.array([[720.0, 0, 610, 0], [0, 720.0, 173, 0], [0, 0, 1, 0]])
    cameras = [grey.copy() for _ in range(4)]
    for camera, metres in zip(cameras, (0.0, -0.54, 0.06, -0.47), strict=True):
        camera[0, 3] = 720.0 * metres
    mount = np.array([[0.0, -1, 0, 0.0], [0, 0, -1, -0.08], [1, 0, 0, -0.27]])
    unit = np.hstack([np.eye(3), [[-0.8], [0.3], [-0.8]]])
    p0, p1, p2, p3 = cameras
    return Calibration(p0, p1, p2, p3, np.eye(3), mount, unit)


def street(seed: int, index: int) -> Scene:
    """One street with image, point cloud and labels, determined by seed and index.

    Its id is that of a frame in a KITTI folder, such as 000003 for index 3.
    """
    draws = [np.random.default_rng((seed, index, part)) for part in range(5)]
    frames = calibration().frames()
    sensed = sense_street(world(layout(draws[0]), draws[1]), frames)
    image = photograph(sensed.street, sensed.view, frames, drawn_light(draws[2]), draws[3])
    rows = rows_of(sensed.street, sensed.traces, sensed.echoes, frames)
    annotations = Annotations(
        np.array([row.box for row in rows], dtype=np.float32).reshape(-1, 4),
        np.array([CLASSES.index(row.type) for row in rows], dtype=np.int64),
    )
    sweep = SweepArrays(sweep_points(sensed.echoes, draws[4]), calibration(), rows)
    return Scene(f"{index:06d}", PictureArray(image), SIZE, annotations, sweep=sweep)


def write_streets(folder: Path, count: int, seed: int) -> None:
    """Write streets 0 to count - 1 of a seed as a KITTI folder, atomically.

    All are kept in memory until then, about 3 MB each.
    """
    scenes = tuple(street(seed, index) for index in range(count))
    write_kitti(SceneSet(scenes, CLASSES, tuple(range(len(CLASSES)))), folder)


class SensedStreet(NamedTuple):
    """A street as seen by camera and LiDAR."""

    street: World
    view: CameraView
    echoes: Echoes
    traces: tuple[CameraTrace, ...]


def sense_street(street: World, frames: CoordinateFrames) -> SensedStreet:
    """The street without occluded objects, so that everything in view has a label."""
    sensed = _sense(street, frames)
    hidden = too_hidden(sensed.traces, sensed.echoes)
    return _sense(street.without(hidden), frames) if hidden else sensed


def _sense(street: World, frames: CoordinateFrames) -> SensedStreet:
    view = camera_view(street, frames, SIZE)
    traces = camera_traces(street, view, frames, SIZE)
    return SensedStreet(street, view, echoes_of(street), traces)


def drawn_light(rng: np.random.Generator) -> Light:
    """Sunlight from a random direction, or an overcast sky."""
    around, up = rng.uniform(0, 2 * np.pi), rng.uniform(np.radians(38), np.radians(66))
    if rng.random() < OVERCAST_SHARE:
        return replace(OVERCAST, sun_direction=(0.01, 0.0, 1.0), exposure=1.15)
    flat = np.cos(up)
    towards = (float(flat * np.cos(around)), float(flat * np.sin(around)), float(np.sin(up)))
    return Light(sun_direction=towards, exposure=1.05)
