"""KITTI reader: camera image, point cloud, calibration and labels of each frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.disk.path_checks import is_file, is_folder
from snellen.errors import UserError, nearest
from snellen.scenes.box_checks import Corners
from snellen.scenes.dataset_files import checked_size, existing_folder, first_duplicate, read_names
from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow, label_lines, parse_row
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.scenes.registry import Reader
from snellen.scenes.scene import NoPicture, Picture, PictureFile, Scene, SceneSet
from snellen.scenes.set_options import SetOptions, collect_scenes
from snellen.scenes.sweep import SweepFiles
from snellen.vision.annotations import Annotations

TYPES = ("Car", "Van", "Truck", "Pedestrian", "Person_sitting", "Cyclist", "Tram", "Misc")

Presence = Literal["required", "optional", "absent"]


class KittiOptions(SetOptions):
    """Frames in KITTI's folders; a scene's id is the frame's name, such as `000001`."""

    kind: Literal["kitti"] = "kitti"
    root: Path = Field(description="Folder that contains `training`.")
    split: str = Field("training", description="Folder within `root`.")
    frames: Path | None = Field(None, description="Text file of frames, one per line; else all.")
    camera: Literal[0, 1, 2, 3] = Field(2, description="Number of the camera; 2 reads `image_2`.")
    images: Presence = Field("required", description="Whether frames have images.")
    points: Presence = Field("required", description="Whether frames have point clouds.")
    labels: Presence = Field("required", description="Whether frames have labels.")
    classes: tuple[str, ...] = Field(TYPES, description="Types of the labels by 0-based id.")


def read_kitti(options: KittiOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The frames in KITTI's folders, sorted by name, or in the order of the list."""
    root = existing_folder(folder / options.root / options.split, "root' and 'split")
    classes = (*options.classes, DONT_CARE)
    if (duplicate := first_duplicate(classes)) is not None:
        raise UserError(f"scenes.classes: '{duplicate}' occurs twice; class names must be unique.")
    problems = Problems(skip_invalid)
    frames = _KittiFrames(root, options, classes, problems)
    listed = None if options.frames is None else read_names(folder / options.frames, "frames")
    names = frames.names() if listed is None else listed
    if (duplicate := first_duplicate(names)) is not None:
        raise UserError(f"{options.frames}: frame '{duplicate}' is listed twice. Remove one entry.")
    scenes = problems.each(names, frames.scene, lambda name: f"{root}: frame {name}")
    return collect_scenes(scenes, options, problems, root, classes, range(len(classes)))


@dataclass(frozen=True)
class _KittiFrames:
    """Builds the scenes of the frames in the folders of a split."""

    root: Path
    options: KittiOptions
    classes: tuple[str, ...]
    problems: Problems

    def names(self) -> list[str]:
        """Every frame that has a file in one of the folders in use."""
        found: set[str] = set()
        for folder, presence, suffix in self._folders():
            if presence == "required":
                existing_folder(self.root / folder, "root")
            if presence != "absent" and is_folder(self.root / folder):
                found |= {path.stem for path in (self.root / folder).glob(f"[!.]*{suffix}")}
        return sorted(found)

    def _folders(self) -> list[tuple[str, Presence, str]]:
        return [
            (f"image_{self.options.camera}", self.options.images, ".png"),
            ("velodyne", self.options.points, ".bin"),
            ("label_2", self.options.labels, ".txt"),
        ]

    def _file(self, name: str, index: int) -> Path | None:
        folder, presence, suffix = self._folders()[index]
        path = self.root / folder / f"{name}{suffix}"
        if presence == "absent" or (presence == "optional" and not is_file(path)):
            return None
        if not is_file(path):
            option = ("images", "points", "labels")[index]
            raise InvalidItemError(
                str(path), f"frame {name} has no such file (allowed with '{option}: optional')"
            )
        return path

    def scene(self, name: str) -> Scene:
        """The scene of one frame."""
        image, points, labels = (self._file(name, index) for index in range(3))
        if image is None and points is None:
            raise InvalidItemError(f"{self.root}: frame {name}", "has neither image nor points")
        size = (0, 0) if image is None else checked_size(image)
        picture: Picture = NoPicture(name) if image is None else PictureFile(image)
        rows = [] if labels is None else self._rows(labels, None if image is None else size)
        boxes = [(row, box) for _, row, box in rows]
        annotations = None if labels is None else self._annotations(boxes)
        valid = {number for number, _, _ in rows}
        sweep = None if points is None else self._sweep(name, points, labels, valid)
        return Scene(name, picture, size, annotations, sweep=sweep)

    def _sweep(self, name: str, points: Path, labels: Path | None, valid: set[int]) -> SweepFiles:
        calibration = self.root / "calib" / f"{name}.txt"
        read_calibration(calibration)
        lines = [] if labels is None else label_lines(labels)
        bad = tuple(number for number, _ in lines if number not in valid)
        return SweepFiles(points, calibration, labels, bad)

    def _rows(
        self, path: Path, size: tuple[int, int] | None
    ) -> list[tuple[int, LabelRow, Corners]]:
        def read(numbered: tuple[int, str]) -> tuple[int, LabelRow, Corners]:
            number, line = numbered
            where = f"{path}: line {number}"
            row = parse_row(line, where)
            if row.type not in self.classes:
                close = nearest(row.type, self.classes)
                raise InvalidItemError(where, f"type '{row.type}' is not a class{close}")
            return number, row, self.problems.box(row.box, size, f"{where}: 2D box")

        return list(
            self.problems.each(label_lines(path), read, lambda one: f"{path}: line {one[0]}")
        )

    def _annotations(self, rows: list[tuple[LabelRow, Corners]]) -> Annotations:
        if not rows:
            return Annotations.empty()
        types = [row.type for row, _ in rows]
        return Annotations(
            np.array([box for _, box in rows], dtype=np.float32),
            np.array([self.classes.index(kind) for kind in types]),
            ignore=np.array([kind == DONT_CARE for kind in types]),
        )


READER = Reader(KittiOptions, read_kitti)
