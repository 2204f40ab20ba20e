"""The scene set that a folder or a file suggests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.configuration import read_yaml
from snellen.disk.path_checks import exists, is_file, is_folder
from snellen.errors import UserError
from snellen.scenes.dataset_files import pictures_in
from snellen.scenes.registry import HELP
from snellen.scenes.video.clip_file import SUFFIXES as CLIPS

NAMES = ("data.yaml", "data.yml", "dataset.yaml", "classes.txt", "obj.names")
"""Files with the class names of YOLO data, the first of which is used."""
MASKS = ("masks", "labels")
"""Folders of mask images beside `images`."""
FORMATS = {
    "coco": "COCO annotations",
    "voc": "a Pascal VOC root",
    "yolo": "YOLO data",
    "kitti": "KITTI camera+LiDAR frames",
    "masks": "photographs with mask images",
    "folder": "photographs without annotations",
    "video": "frames of video",
}
ACCEPTED = (
    "a COCO .json, a YOLO data.yaml, a Pascal VOC or KITTI root, a folder of images, "
    "a video file or a folder of such, or a .yaml file with `scenes`"
)


@dataclass(frozen=True)
class RecognisedScenes:
    """The options of a scene set, with absolute paths.

    words: what was taken, for the user. folder: where relative paths start.
    """

    values: dict[str, Any]
    words: str
    folder: Path


def recognise_scenes(data: str | Path | Mapping[str, Any]) -> RecognisedScenes:
    """The scenes that are meant; an error with the next step if there are none.

    data: a folder, an annotation file, a configuration file with `scenes`, or the options of a set.
    """
    if isinstance(data, Mapping):
        values = dict(data)
        return RecognisedScenes(values, f"scenes of kind {values.get('kind')}", Path.cwd())
    place = Path(data)
    if not exists(place):
        raise UserError(
            f"{place}: no such file or folder. Correct the path; give {ACCEPTED}.", next=HELP
        )
    if is_file(place) and place.suffix.lower() not in (".json", ".yaml", ".yml", *CLIPS):
        raise UserError(f"{place}: is no data set. Give {ACCEPTED}.", next=HELP)
    configured = _configured(place)
    if configured is not None:
        return configured
    values = guess_scenes(place.resolve(), place.resolve().parent)
    if values["kind"] == "coco" and not is_folder(Path(values["images"])):
        values["images"] = str(place.resolve().parent)
    found = f"{place.name}, {FORMATS[values['kind']]}"
    near = values.get("annotations") if is_folder(place) else None
    words = found if near is None else f"{found} in {Path(near).name}"
    return RecognisedScenes(values, words + _unused_labels(values), place.parent)


def _unused_labels(values: Mapping[str, Any]) -> str:
    """A clause on YOLO labels that are beside a folder of images but cannot be read."""
    if values["kind"] != "folder":
        return ""
    images = Path(values["path"])
    labels = label_folder(images) or label_folder(images / "images")
    if labels is None:
        return ""
    return (
        f"; the YOLO labels in {labels} are not used: no data.yaml or classes.txt names the classes"
    )


def guess_scenes(place: Path | None, folder: Path) -> dict[str, Any]:
    """The scene set that a folder or file suggests, for a configuration in `folder`."""
    if place is None:
        return {"kind": "folder", "path": "images"}
    path = _relative_path(folder, place)
    if place.suffix == ".json":
        images = _relative_path(folder, place.parent / "images")
        return {"kind": "coco", "annotations": path, "images": images}
    if place.suffix in (".yaml", ".yml"):
        return {"kind": "yolo", "data": path}
    if place.suffix.lower() in CLIPS and is_file(place):
        return {"kind": "video", "path": path}
    for mark, kind in (("training/velodyne", "kitti"), ("JPEGImages", "voc")):
        if is_folder(place / mark):
            return {"kind": kind, "root": path}
    found = _annotated_images(place, folder) or _masked_images(place, folder)
    return found or {"kind": "video" if _has_only_clips(place) else "folder", "path": path}


def _has_only_clips(place: Path) -> bool:
    """Whether a folder has video files and no image."""
    return is_folder(place) and not pictures_in(place) and bool(pictures_in(place, suffixes=CLIPS))


def _annotated_images(place: Path, folder: Path) -> dict[str, Any] | None:
    """The scene set of a folder of images with annotations beside it; None without any.

    COCO: `instances*.json` in the folder, beside it, or in `annotations` in or beside it. YOLO: a
    `data.yaml` in the folder, or a folder `labels` beside `images`, with class names in a
    `data.yaml` or `classes.txt` beside these.
    """
    for near in (place, place / "annotations", place.parent, place.parent / "annotations"):
        for file in sorted(near.glob("instances*.json")):
            images = place / "images" if is_folder(place / "images") else place
            return {
                "kind": "coco",
                "annotations": _relative_path(folder, file),
                "images": _relative_path(folder, images),
            }
    images = place / "images" if is_folder(place / "images") else place
    labels = label_folder(images)
    if labels is None:
        return None
    names = [near / name for near in (images.parent, images.parent.parent) for name in NAMES]
    known = next((file for file in names if is_file(file)), None)
    if known is None:
        return None
    return {
        "kind": "yolo",
        "images": _relative_path(folder, images),
        "labels": _relative_path(folder, labels),
        "classes": _relative_path(folder, known),
    }


def _masked_images(place: Path, folder: Path) -> dict[str, Any] | None:
    """The scene set of a folder with `images` and as many mask images in another; else None."""
    images = place / "images"
    for name in MASKS:
        found = sum(1 for _ in (place / name).rglob("*.png"))
        if is_folder(images) and found and found >= sum(is_file(one) for one in images.rglob("*")):
            return {
                "kind": "masks",
                "images": _relative_path(folder, images),
                "masks": _relative_path(folder, place / name),
            }
    return None


def label_folder(images: Path) -> Path | None:
    """The folder of YOLO labels of a folder of images: `labels` in place of the last `images`."""
    parts = list(images.parts)
    for place in range(len(parts) - 1, -1, -1):
        if parts[place] == "images":
            labels = Path(*parts[:place], "labels", *parts[place + 1 :])
            return labels if is_folder(labels) and any(labels.glob("*.txt")) else None
    return None


def _configured(place: Path) -> RecognisedScenes | None:
    """The scenes of a configuration file; None for any other file, such as a YOLO data.yaml."""
    if place.suffix not in (".yaml", ".yml"):
        return None
    values = read_yaml(place).get("scenes")
    if not isinstance(values, Mapping):
        return None
    words = f"the scenes of {place.name}, of kind {values.get('kind')}"
    return RecognisedScenes(dict(values), words, place.resolve().parent)


def _relative_path(folder: Path, path: Path) -> str:
    return str(path if path.is_absolute() else os.path.relpath(path, folder))
