"""Image files for a program to read, on a memory file system if there is one."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np

from snellen.disk.memory_folder import MemoryFolder
from snellen.errors import UserError
from snellen.vision.arrays import Image


class ImageFormat(StrEnum):
    """The format of the files; ppm is faster to write, png is more widely supported."""

    PNG = "png"
    PPM = "ppm"


class ImageFiles:
    """A temporary folder for images, removed at the end."""

    def __init__(self, suffix: ImageFormat) -> None:
        self._place = MemoryFolder()
        self.folder = self._place.path
        self._format = suffix
        self._written = 0

    @contextlib.contextmanager
    def written(self, images: Sequence[Image]) -> Iterator[list[Path]]:
        """Paths of files with these images, in order; they exist while the context lasts."""
        paths: list[Path] = []
        try:
            for image in images:
                self._written += 1
                paths.append(self.folder / f"{self._written}.{self._format}")
                self._write(paths[-1], image)
            yield paths
        finally:
            for path in paths:
                path.unlink(missing_ok=True)

    def _write(self, path: Path, image: Image) -> None:
        import cv2

        # The files exist for one batch: without compression, writing and reading is twice as fast.
        fast = [cv2.IMWRITE_PNG_COMPRESSION, 0] if self._format == ImageFormat.PNG else []
        done, code = cv2.imencode(path.suffix, np.ascontiguousarray(image[..., ::-1]), fast)
        try:
            path.write_bytes(code.tobytes() if done else b"")
        except OSError as error:
            raise UserError(
                f"{path}: an image for the program cannot be written: {error.strerror}. "
                "Free some space there."
            ) from None

    def close(self) -> None:
        """Remove the folder."""
        self._place.close()
