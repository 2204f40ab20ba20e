"""The facts in a video file's header: how many frames, how fast, how large."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.path_checks import is_file
from snellen.errors import UserError
from snellen.scenes.image_files.opened_image import TooManyPixelsError, check_pixels

SUFFIXES = (".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg")
FALLBACK_RATE = 25.0
"""Frames per second of a file that does not say."""


@dataclass(frozen=True)
class ClipFile:
    """A video file. frames: their number by the header. rate: per second. size: height, width."""

    path: Path
    frames: int
    rate: float
    size: tuple[int, int]


def read_clip(path: Path) -> ClipFile:
    """The facts of a video file; its first frame is decoded, because headers may be wrong."""
    import cv2

    capture = open_capture(path)
    try:
        _check_frames(path, capture)
        found, first = capture.read()
        if not found:
            raise UserError(
                f"{path}: no frame can be decoded. The file may be truncated; fetch it again, or "
                "convert it with: ffmpeg -i FILE out.mp4"
            )
        count = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        frames = count if count > 0 else 1 + _grabbed(capture)
    finally:
        capture.release()
    return ClipFile(path, frames, rate if rate > 0 else FALLBACK_RATE, first.shape[:2])


def _check_frames(path: Path, capture: Any) -> None:
    import cv2

    sides = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
    try:
        check_pixels(*(int(capture.get(side)) for side in sides))
    except TooManyPixelsError as error:
        raise UserError(f"{path}: a frame {error}.") from None


def open_capture(path: Path) -> Any:
    """An OpenCV capture at the first frame of a file; an error if it is no video."""
    import cv2

    if not is_file(path):
        raise UserError(f"{path}: no such video file. Correct the path.")
    if path.stat().st_size == 0:
        raise UserError(f"{path}: the file is empty. Fetch it again.")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise UserError(
            f"{path}: cannot be read as a video. It may be truncated or in a format that OpenCV "
            "does not decode; fetch it again, or convert it with: ffmpeg -i FILE out.mp4"
        )
    return capture


def _grabbed(capture: Any) -> int:
    """The number of frames that are left, for a file without an index."""
    count = 0
    while capture.grab():
        count += 1
    return count
