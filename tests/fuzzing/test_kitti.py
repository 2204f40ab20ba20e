"""Damaged KITTI frames: labels, calibration, point clouds and lists."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from snellen.scenes.frame import Frame
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.registry import open_scenes
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import BINARY, DIGITS_401, DIGITS_5000, LONG_NAME, TEXT
from tests.fuzzing.scene_files import photograph, read_scenes

ROW = "0.00 0 -1.58 5.20 4.00 20.00 16.00 1.50 1.60 3.90 1.80 1.50 13.20 -1.59"
LABELS = f"Car {ROW}\nPedestrian {ROW}\nDontCare -1 -1 -10 1 1 9 9 -1 -1 -1 -1000 -1000 -1000 -10\n"
PROJECTION = "700 0 16 0 0 700 12 0 0 0 1 0"
CALIBRATION = "".join(f"P{camera}: {PROJECTION}\n" for camera in range(4)) + (
    "R0_rect: 1 0 0 0 1 0 0 0 1\nTr_velo_to_cam: 0 -1 0 0 0 0 -1 0 1 0 0 0\n"
    "Tr_imu_to_velo: 1 0 0 0 0 1 0 0 0 0 1 0\n\n"
)
POINTS = np.arange(40, dtype="<f4").tobytes()
LABEL, CALIB = "training/label_2/000001.txt", "training/calib/000001.txt"
CLOUD = "training/velodyne/000001.bin"


def read(folder: Path) -> None:
    scenes = open_scenes({"kind": "kitti", "root": ".", "frames": "frames.txt"}, folder)
    read_scenes(scenes)
    for scene in scenes:
        assert scene.sweep is not None
        rows = [row for row in scene.sweep.labels() or () if row.solid]
        frame = Frame(None, scene.sweep.points(), scene.sweep.calibration())
        lidar_boxes(rows, frame.frames)
        [row.line() for row in rows]
    read_scenes(open_scenes({"kind": "kitti", "root": "."}, folder, skip_invalid=True))


TARGET = Target(
    "KITTI",
    {
        "frames.txt": b"000001\n",
        "training/image_2/000001.png": photograph(),
        "training/image_2/000002.png": photograph(),
        LABEL: LABELS.encode(),
        "training/label_2/000002.txt": LABELS.encode(),
        CALIB: CALIBRATION.encode(),
        "training/calib/000002.txt": CALIBRATION.encode(),
        CLOUD: POINTS,
        "training/velodyne/000002.bin": POINTS,
    },
    {"frames.txt": TEXT, LABEL: TEXT, CALIB: TEXT, CLOUD: BINARY},
    read,
)


def label(old: str, new: str) -> Files:
    return {LABEL: LABELS.replace(old, new, 1).encode()}


def calibration(old: str, new: str) -> Files:
    return {CALIB: CALIBRATION.replace(old, new, 1).encode()}


PAST: Mapping[str, Files] = {
    "occlusion that is a digit but no number": label("0.00 0 ", "0.00 ² "),
    "occlusion of 401 digits": label("0.00 0 ", f"0.00 {DIGITS_401} "),
    "occlusion of 1e300": label("0.00 0 ", "0.00 1e300 "),
    "an infinite side": label("5.20", "inf"),
    "a side beyond float32": label("20.00", "1e39"),
    "a location of 1e308": label("13.20", "1e308"),
    "dimensions of 1e308": label("1.60 3.90", "1e308 1e308"),
    "a rotation of 1e308": label("-1.59", "1e308"),
    "a number of 5,000 digits": label("-1.59", DIGITS_5000),
    "only a type": {LABEL: b"Car\n"},
    "other white space": {LABEL: LABELS.replace(" ", "\u2003").encode()},
    "a vertical tab alone": {LABEL: b"\x0b\n"},
    "a unit separator alone": {LABEL: b"\x1c\n"},
    "labels that are not text": {LABEL: b"\xff\xfe"},
    "a calibration of 1e308": calibration("700", "1e308"),
    "a calibration of 401 digits": calibration("700", DIGITS_401),
    "a calibration that is infinite": calibration("700", "inf"),
    "a calibration without a row": calibration("R0_rect", "R1"),
    "a calibration of zeros": calibration("1 0 0 0 1 0 0 0 1", "0 0 0 0 0 0 0 0 0"),
    "a calibration that is not text": {CALIB: b"\xff"},
    "an empty point cloud": {CLOUD: b""},
    "half a point": {CLOUD: b"12345678"},
    "points that are no numbers": {CLOUD: b"\xff" * 32},
    "a frame of 300 characters": {"frames.txt": LONG_NAME.encode()},
    "a frame with a null": {"frames.txt": b"a\0b"},
    "a frame outside of the folder": {"frames.txt": b"../../x"},
    "frames that are not text": {"frames.txt": b"\xff"},
    "no frames": {"frames.txt": b""},
}


class TestKitti(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
