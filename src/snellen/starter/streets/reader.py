"""Generated streets as scenes: generated at first use, and cached as a KITTI folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.configuration import Options
from snellen.disk.cache import cache_folder
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.scenes.registry import Reader
from snellen.scenes.scene import SceneSet


class StreetsOptions(Options):
    """Generated camera+LiDAR frames of streets, with exact labels."""

    kind: Literal["streets"] = "streets"
    count: int = Field(default=8, ge=1, le=200, description="number of streets")
    seed: int = Field(default=1, ge=0, description="random seed of the streets")


def read_streets(options: StreetsOptions, folder: Path, skip_invalid: bool) -> SceneSet:
    """The streets 0 to count - 1 of a seed."""
    from snellen.starter.streets.street import VERSION, write_streets

    root = cache_folder("streets") / f"{VERSION}-{options.seed}-{options.count}"
    if not root.exists():
        write_streets(root, options.count, options.seed)
    return read_kitti(KittiOptions(root=root), folder, skip_invalid)


READER = Reader(StreetsOptions, read_streets)
