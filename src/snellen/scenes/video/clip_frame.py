"""One frame of a video file as the picture of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.scenes.video.clip_decoder import clip_decoder
from snellen.vision.arrays import Image


@dataclass(frozen=True)
class ClipFrame:
    """A frame, decoded when it is needed.

    content: the digest of the file. number: from 0. every: distance to the other frames in use.
    """

    path: Path
    content: str
    number: int
    every: int = 1

    def pixels(self) -> Image:
        """The frame, H x W x 3 uint8 RGB, upright."""
        return clip_decoder(self.path, self.content).frame(self.number, self.every)

    def digest(self) -> str:
        """The digest of the file and the number of the frame; nothing is decoded for it."""
        return f"{self.content}#{self.number}"
