"""Frames of a video file by number, exactly as decoding it from its start gives them.

Seeking in a compressed video may land on a neighbouring frame. So frames are decoded in order. To
go back, the decoder seeks only to a frame that it has decoded before, and compares what it finds;
if that differs, it decodes from the start.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from cachetools import LRUCache, cached

from snellen.errors import UserError
from snellen.scenes.video.clip_file import open_capture
from snellen.vision.arrays import Image

RECENT = 96 * 2**20
"""Bytes of decoded frames that a decoder remembers."""
OPEN = 4
"""Files that stay open."""


class ClipDecoder:
    """The frames of one file, H x W x 3 uint8 RGB, from 0; may be used by several threads."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        self._capture: Any = open_capture(path)
        self._next = 0
        self._sums: dict[int, int] = {}
        self._recent: LRUCache[int, Image] = LRUCache(RECENT, getsizeof=_size)
        self.passes = 1
        """How often the file was decoded from its start."""

    def frame(self, number: int, every: int = 1) -> Image:
        """The frame of this number.

        every: distance to the other frames that will be asked for. Those passed on the way are
        remembered, so that threads may ask out of order.
        """
        with self._lock:
            found = self._recent.get(number)
            if found is None:
                found = self._sought(number) if number < self._next else None
            if found is None:
                found = self._decoded(number, every)
            self._recent[number] = found
            return found.copy()

    def _decoded(self, number: int, every: int) -> Image:
        if number < self._next:
            self._capture.release()
            self._capture, self._next = open_capture(self._path), 0
            self.passes += 1
        while self._next < number:
            if (number - self._next) % every == 0:
                passed = self._next
                self._recent[passed] = self._read(number)
            elif self._capture.grab():
                self._next += 1
            else:
                raise self._end(number)
        return self._read(number)

    def _read(self, number: int) -> Image:
        """The next frame; number: of the frame that was asked for."""
        done, frame = self._capture.read()
        if not done:
            raise self._end(number)
        self._sums[self._next] = zlib.crc32(frame)
        self._next += 1
        return _rgb(frame)

    def _end(self, number: int) -> UserError:
        return UserError(
            f"{self._path}: frame {number} cannot be decoded, the file ends or is damaged at frame "
            f"{self._next}. Set 'stop' before it, or fetch the file again; 'verify: true' finds "
            "this on opening."
        )

    def _sought(self, number: int) -> Image | None:
        """The frame found by seeking, if it is the one that was decoded before; else None."""
        import cv2

        if number not in self._sums:
            return None
        capture = open_capture(self._path)
        try:
            capture.set(cv2.CAP_PROP_POS_FRAMES, number)
            done, frame = capture.read()
        finally:
            capture.release()
        same = done and zlib.crc32(frame) == self._sums[number]
        return _rgb(frame) if same else None


@cached(LRUCache(OPEN), lock=Lock())
def clip_decoder(path: Path, content: str) -> ClipDecoder:  # noqa: ARG001
    """The decoder of a file, the same one in all of a process. content: the file's digest."""
    return ClipDecoder(path)


def _rgb(frame: Any) -> Image:
    return np.ascontiguousarray(frame[..., ::-1])


def _size(frame: Image) -> int:
    return min(frame.nbytes, RECENT)
