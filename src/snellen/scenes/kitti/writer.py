"""KITTI writer: `training/{image_2,velodyne,calib,label_2}`."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from snellen.disk.atomic_file import new_folder
from snellen.scenes.export_files import flat_names, place_picture
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow, labels_text
from snellen.scenes.scene import NoPicture, Scene, SceneSet
from snellen.scenes.sweep import Sweep, SweepFiles
from snellen.vision.annotations import Annotations


def write_kitti(scenes: SceneSet, out: Path) -> None:
    """Write `out/training` and the list of its frames, `out/frames.txt`, atomically.

    Unchanged files of a sweep are copied byte for byte; changed data is written in KITTI's number
    format (labels with 2 decimals). A scene without a sweep gives its image and 2D labels. Ignored
    objects and crowds become DontCare, and blanks in class names become `_`.
    """
    names = flat_names(scenes)
    with new_folder(out) as draft:
        for scene, name in zip(scenes, names, strict=True):
            _write_frame(scene, name, draft / "training", scenes.classes)
        (draft / "frames.txt").write_text("".join(f"{name}\n" for name in names))


def _write_frame(scene: Scene, name: str, root: Path, classes: tuple[str, ...]) -> None:
    for folder in ("image_2", "velodyne", "calib", "label_2"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    if not isinstance(scene.picture, NoPicture):
        place_picture(scene, root / "image_2" / f"{name}.png")
    labels = root / "label_2" / f"{name}.txt"
    if scene.sweep is not None:
        _write_sweep(scene.sweep, name, root, labels)
    if not labels.exists() and scene.annotations is not None:
        _write_text(labels, labels_text(_rows(scene.annotations, classes)))


def _write_sweep(sweep: Sweep, name: str, root: Path, labels: Path) -> None:
    points, calibration = root / "velodyne" / f"{name}.bin", root / "calib" / f"{name}.txt"
    if isinstance(sweep, SweepFiles):
        shutil.copyfile(sweep.points_file, points)
        shutil.copyfile(sweep.calibration_file, calibration)
        if sweep.labels_file is not None and not sweep.bad_lines:
            shutil.copyfile(sweep.labels_file, labels)
            return
    else:
        points.write_bytes(np.ascontiguousarray(sweep.points(), dtype="<f4").tobytes())
        _write_text(calibration, sweep.calibration().text())
    rows = sweep.labels()
    if rows is not None:
        _write_text(labels, labels_text(rows))


def _write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))


def _rows(annotations: Annotations, classes: tuple[str, ...]) -> list[LabelRow]:
    skipped = annotations.ignore | annotations.crowd
    return [
        _flat_row(DONT_CARE if skip else "_".join(classes[label].split()), box)
        for label, box, skip in zip(
            annotations.labels, annotations.boxes.tolist(), skipped, strict=True
        )
    ]


def _flat_row(kind: str, box: list[float]) -> LabelRow:
    return LabelRow(kind, -1, -1, -10, (box[0], box[1], box[2], box[3]))
