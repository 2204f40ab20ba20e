"""The kinds of scene sets that can be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from snellen.plugins import Registry
from snellen.scenes.scene import SceneSet

WRITERS = Registry(
    "scene writer",
    "snellen.scene_writers",
    {
        "folder": "snellen.scenes.folder:write_folder",
        "coco": "snellen.scenes.coco.writer:write_coco",
        "voc": "snellen.scenes.voc.writer:write_voc",
        "yolo": "snellen.scenes.yolo.writer:write_yolo",
        "masks": "snellen.scenes.masks.writer:write_masks",
        "kitti": "snellen.scenes.kitti.writer:write_kitti",
    },
)


def write_scenes(scenes: SceneSet, kind: str, out: Path) -> None:
    """Write the scenes to the new folder `out` in one of the kinds of `WRITERS`."""
    write: Callable[[SceneSet, Path], None] = WRITERS.load(kind)
    write(scenes, out)
