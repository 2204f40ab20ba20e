"""The formats of a retraining set: how each is written and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.scenes.coco.writer import write_coco
from snellen.scenes.kitti.label_file import DONT_CARE
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.scene import NoPicture, SceneSet
from snellen.scenes.voc.writer import write_voc
from snellen.scenes.yolo.writer import write_yolo

SPLIT = "train"


@dataclass(frozen=True)
class SetFormat:
    """One format. scenes_yaml: the section `scenes:` that reads it, paths from the set's folder.

    flat: whether it cannot hold point clouds.
    """

    write: Callable[[SceneSet, Path], None]
    scenes_yaml: Callable[[SceneSet], dict[str, Any]]
    flat: bool = True


def _coco(_: SceneSet) -> dict[str, Any]:
    return {"kind": "coco", "annotations": "instances.json", "images": "images"}


def _write_yolo(scenes: SceneSet, out: Path) -> None:
    write_yolo(scenes, out, split=SPLIT)


def _yolo(_: SceneSet) -> dict[str, Any]:
    return {"kind": "yolo", "data": "data.yaml", "split": SPLIT}


def _write_voc(scenes: SceneSet, out: Path) -> None:
    write_voc(scenes, out, split=SPLIT)


def _voc(scenes: SceneSet) -> dict[str, Any]:
    # A VOC folder has no list of classes: without it, ids would follow the names that occur.
    return {"kind": "voc", "root": ".", "split": f"Main/{SPLIT}", "classes": list(scenes.classes)}


def _kitti(scenes: SceneSet) -> dict[str, Any]:
    bare = all(isinstance(scene.picture, NoPicture) for scene in scenes)
    swept = all(scene.sweep is not None for scene in scenes)
    names = ["_".join(name.split()) for name in scenes.classes if name != DONT_CARE]
    return {
        "kind": "kitti",
        "root": ".",
        "frames": "frames.txt",
        "images": "absent" if bare else "required",
        "points": "required" if swept else "absent",
        "classes": names,
    }


FORMATS = {
    "coco": SetFormat(write_coco, _coco),
    "yolo": SetFormat(_write_yolo, _yolo),
    "voc": SetFormat(_write_voc, _voc),
    "kitti": SetFormat(write_kitti, _kitti, flat=False),
}
