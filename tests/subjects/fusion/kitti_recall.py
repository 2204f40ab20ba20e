"""Recall and false positives of a fusion subject on KITTI frames.

    python -m tests.subjects.fusion.kitti_recall KITTI_FOLDER CONFIG...

prints a table for each configuration whose subject it opens, or for `lidar-only`.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from snellen.scenes.frame import Frame
from snellen.scenes.kitti.labelled_objects import labelled_objects
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.subjects.registry import open_subject
from snellen.vision.detections3d import Detections3D
from tests.subjects.fusion.solid_overlap import iou3d

REACHES = ((0, 30), (30, 45), (45, 75))


@dataclass(frozen=True)
class Labelled:
    """One labelled object: its type, range in metres, and the IoU of its match."""

    type: str
    range: float
    overlap: float


@dataclass(frozen=True)
class Tally:
    """The labelled objects, and the number of false positives of each class."""

    objects: tuple[Labelled, ...]
    phantoms: dict[str, int]

    def found(self, kind: str, iou: float, reach: tuple[float, float] = (0, 999)) -> int:
        return sum(one.overlap >= iou for one in self.labelled(kind, reach))

    def labelled(self, kind: str, reach: tuple[float, float] = (0, 999)) -> list[Labelled]:
        return [
            one for one in self.objects if one.type == kind and reach[0] <= one.range < reach[1]
        ]


def real_frames(root: Path) -> list[Frame]:
    frames = []
    for scene in read_kitti(KittiOptions(root=root), Path(), False):
        assert scene.sweep is not None
        points = scene.sweep.points()
        truth = labelled_objects(scene.sweep, points)
        frames.append(Frame(scene.pixels(), points, scene.sweep.calibration(), truth))
    return frames


def tallied(frames: list[Frame], answers: list[Detections3D], classes: tuple[str, ...]) -> Tally:
    """Detections are matched in order of score to the unmatched label of their class with the
    highest 3D IoU of at least 0.25. A detection on DontCare or on an object of another class is not
    a false positive.
    """
    objects: list[Labelled] = []
    phantoms = dict.fromkeys(classes, 0)
    for frame, answer in zip(frames, answers, strict=True):
        rows = [one.row for one in frame.truth or () if one.row.solid]
        boxes = lidar_boxes(rows, frame.frames)
        overlaps = np.zeros(len(rows))
        for box, label, flat in zip(answer.boxes, answer.labels, answer.image_boxes, strict=True):
            each = np.array([iou3d(box, one) for one in boxes])
            own = np.array([row.type == classes[label] for row in rows], dtype=bool)
            free = np.where(own & (overlaps == 0), each, 0)
            if len(rows) and free.max() >= 0.25:
                overlaps[int(free.argmax())] = free.max()
            elif not (len(rows) and each[~own].max(initial=0) >= 0.25) and not _excused(
                flat, frame
            ):
                phantoms[classes[label]] += 1
        far = np.hypot(boxes[:, 0], boxes[:, 1])
        objects += [Labelled(r.type, d, o) for r, d, o in zip(rows, far, overlaps, strict=True)]
    return Tally(tuple(objects), phantoms)


def _excused(box: Any, frame: Frame) -> bool:
    area = float((box[2] - box[0]) * (box[3] - box[1]))
    for region in (one.row.box for one in frame.truth or () if not one.row.solid):
        width = min(box[2], region[2]) - max(box[0], region[0])
        height = min(box[3], region[3]) - max(box[1], region[1])
        if width > 0 and height > 0 and width * height > area / 2:
            return True
    return False


def main(root: str, *configurations: str) -> None:
    frames = real_frames(Path(root))
    for name in configurations:
        if name == "lidar-only":
            values, folder = {"kind": name}, Path()
        else:
            folder = Path(name).parent
            values = yaml.safe_load(Path(name).read_text(encoding="utf-8"))["subject"]
        subject = open_subject(values, folder)
        subject.predict(frames[:1])
        answers, seconds = [], []
        for frame in frames:
            begun = time.perf_counter()
            [answer] = subject.predict([frame])
            seconds.append(time.perf_counter() - begun)
            assert isinstance(answer, Detections3D)
            answers.append(answer.above(subject.score))
        tally = tallied(frames, answers, subject.classes)
        print(f"{subject.name}: {np.median(seconds) * 1000:.0f} ms a frame, at {subject.score:g}")
        for kind in subject.classes:
            print(f"  {kind}: {tally.phantoms[kind]} phantoms")
            for reach in (*REACHES, (0, 999)):
                count = len(tally.labelled(kind, reach))
                half, some = (tally.found(kind, iou, reach) for iou in (0.5, 0.25))
                where = f"{reach[0]}-{reach[1]} m"
                print(f"    {where}: {count} labelled, {half} found at 0.5, {some} at 0.25")
        subject.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
