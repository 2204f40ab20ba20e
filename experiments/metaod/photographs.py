"""The photographs of the experiment: scenes of two data sets, and objects of all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from snellen.objects.label_names import plain_name
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene, SceneSet

COCO, VOC = "COCO", "VOC"
SCENES = 200
"""Of the 600 photographs of Pascal VOC, evenly chosen."""
HERE = Path(__file__).parent


def scene_sections(data: Path, out: Path) -> dict[str, dict[str, Any]]:
    """The section `scenes:` for each data set.

    They are not joined: Pascal VOC does not annotate most of COCO's classes, so what appears there
    cannot be called a phantom.
    """
    folder = data / "coco_val64"
    voc = _voc(data)
    names = [voc[number].id for number in sorted(_chosen(voc))]
    split = out / "voc-scenes.txt"
    split.parent.mkdir(parents=True, exist_ok=True)
    split.write_text("\n".join(names) + "\n", encoding="utf-8")
    return {
        COCO: {
            "kind": "coco",
            "annotations": str(folder / "instances.json"),
            "images": str(folder / "images"),
        },
        VOC: {"kind": "voc", "root": str(data / "voc600"), "split": str(split.resolve())},
    }


def object_section(data: Path, out: Path) -> dict[str, Any]:
    """The section `objects:` without pruning: 128 photographs of COCO and the rest of VOC."""
    folder = out / "objects"
    if not folder.exists():
        train = data / "coco_train128"
        values = {
            "kind": "coco",
            "annotations": str(train / "instances_train2017.json"),
            "images": str(train / "images"),
        }
        coco, voc = open_scenes(values, HERE), _voc(data)
        rest = tuple(scene for number, scene in enumerate(voc) if number not in _chosen(voc))
        write_coco(joined([coco, replace(voc, scenes=rest)]), folder)
    return {
        "kind": "coco",
        "annotations": str(folder / "instances.json"),
        "images": str(folder / "images"),
    }


def joined(sets: Sequence[SceneSet]) -> SceneSet:
    """Data sets as one, with the classes of the first and those that only others have."""
    names = {plain_name(name): name for one in reversed(sets) for name in one.classes}
    classes = tuple(names.values())
    ids = {plain: number for number, plain in enumerate(names)}
    scenes = [
        _relabelled(scene, np.array([ids[plain_name(name)] for name in one.classes]))
        for one in sets
        for scene in one
    ]
    return SceneSet(tuple(scenes), classes, tuple(range(1, len(classes) + 1)))


def _relabelled(scene: Scene, ids: np.ndarray[Any, np.dtype[np.int64]]) -> Scene:
    known = scene.annotations
    assert known is not None
    return replace(scene, annotations=replace(known, labels=ids[known.labels]))


def _chosen(voc: SceneSet) -> set[int]:
    """The numbers of the photographs that are scenes."""
    return {round(place) for place in np.linspace(0, len(voc) - 1, SCENES).tolist()}


def _voc(data: Path) -> SceneSet:
    """Those of the 600 photographs whose masks and annotations agree."""
    values = {"kind": "voc", "root": str(data / "voc600"), "split": "Segmentation/val"}
    return open_scenes(values, HERE, skip_invalid=True)
