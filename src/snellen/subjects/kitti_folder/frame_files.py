"""Frames as KITTI files for a program to read, and the label files that it writes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from snellen.disk.memory_folder import MemoryFolder
from snellen.errors import SubjectError, UserError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow, read_labels
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.subjects.answers.solid_checks import checked_solids
from snellen.vision.arrays import Image
from snellen.vision.detections3d import Detections3D


@contextlib.contextmanager
def frames_on_disk(frames: Sequence[Frame]) -> Iterator[tuple[Path, Path]]:
    """A folder with the frames and an empty one for the answers, while the context lasts.

    The first has `image_2`, `velodyne` and `calib`, never labels, with frames named 000000, 000001
    and so on, and `frames.txt` with these names. Both are on a memory file system if there is one.
    """
    with contextlib.closing(MemoryFolder()) as place:
        yield _write_frames(frames, place.path)


def _write_frames(frames: Sequence[Frame], root: Path) -> tuple[Path, Path]:
    inputs, answers = root / "frames", root / "answers"
    try:
        for folder in (inputs / "image_2", inputs / "velodyne", inputs / "calib", answers):
            folder.mkdir(parents=True)
        for number, frame in enumerate(frames):
            _write(frame, frame_name(number), inputs)
        names = "".join(f"{frame_name(number)}\n" for number in range(len(frames)))
        (inputs / "frames.txt").write_text(names, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"{root}: frames for the program cannot be written: {error.strerror}. "
            "Free some space there."
        ) from None
    return inputs, answers


def frame_name(number: int) -> str:
    """The name of a frame in the folder, by its index in the batch."""
    return f"{number:06d}"


def read_answer(
    path: Path, frame: Frame, classes: Sequence[str], full_score: float = 1.0
) -> Detections3D:
    """The checked detections of a label file. full_score: the divisor of the scores.

    DontCare rows are skipped. An invalid row raises a `SubjectError` with the file's name (its
    folder is temporary) and the row.
    """
    if not path.is_file():
        raise SubjectError(
            f"the program wrote no {path.name}, expected one file per frame, empty if it detects "
            f"nothing. It wrote: {_file_names(path.parent)}"
        )
    try:
        rows = [row for row in read_labels(path) if row.type != DONT_CARE]
    except UserError as error:
        raise SubjectError(str(error).replace(str(path), path.name)) from None
    for number, row in enumerate(rows, start=1):
        _check(row, f"{path.name}: object {number}", classes)
    try:
        return checked_solids(_fields(rows, frame, full_score), frame, classes)
    except SubjectError as error:
        hint = " Set subject.full_score if its scores exceed 1." if "score" in str(error) else ""
        raise SubjectError(f"{path.name}: {error}{hint}") from None


def _fields(rows: Sequence[LabelRow], frame: Frame, full_score: float) -> dict[str, object]:
    return {
        "boxes": lidar_boxes(rows, frame.frames),
        "labels": [row.type for row in rows],
        "scores": np.array([row.score for row in rows], dtype=np.float64) / full_score,
        "image_boxes": np.array([row.box for row in rows]).reshape(-1, 4),
    }


def _check(row: LabelRow, where: str, classes: Sequence[str]) -> None:
    if row.score is None:
        raise SubjectError(f"{where} has 15 fields, expected 16 with the score last.")
    if row.type not in classes:
        raise SubjectError(
            f"{where} is a '{row.type}', expected one of the classes {', '.join(classes)}. "
            "Add it to subject.classes, or remove it from the program's output."
        )
    if not row.solid:
        raise SubjectError(
            f"{where} has the dimensions {row.dimensions}, expected height, width and length in "
            "metres above 0."
        )


def _write(frame: Frame, name: str, folder: Path) -> None:
    if frame.image is not None:
        (folder / "image_2" / f"{name}.png").write_bytes(_png(frame.image))
    points = np.ascontiguousarray(frame.points, dtype="<f4")
    (folder / "velodyne" / f"{name}.bin").write_bytes(points.tobytes())
    (folder / "calib" / f"{name}.txt").write_bytes(frame.calibration.text().encode("utf-8"))


def _png(image: Image) -> bytes:
    import cv2

    # The file exists for one batch: without compression, writing and reading is twice as fast.
    fast = [cv2.IMWRITE_PNG_COMPRESSION, 0]
    _, code = cv2.imencode(".png", np.ascontiguousarray(image[..., ::-1]), fast)
    return bytes(code.tobytes())


def _file_names(folder: Path, most: int = 8) -> str:
    names = sorted(path.name for path in folder.glob("*"))
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (", ".join(names[:most]) + more) if names else "nothing"
