"""The scenes of a test, from what a user has: arrays, files, folders or data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import SubjectError, UserError
from snellen.scenes.recognition import guess_scenes
from snellen.scenes.registry import READERS
from snellen.scenes.registry import open_scenes as open_configured
from snellen.scenes.scene import PictureArray, PictureFile, Scene, SceneSet
from snellen.scenes.writers import write_scenes
from snellen.session.origins import origin_of, remember_origin
from snellen.session.plain_image import plain_image
from snellen.subjects.answers.value_checks import class_ids, finite_array
from snellen.vision.annotations import Annotations

Values = dict[str, Any]
EXPECTED = (
    "expected a list of images (arrays, Pillow images or files), pairs of an image and its "
    "annotations, a folder, a COCO file, a data set, a SceneSet, or the mapping of a configuration"
)


@dataclass(frozen=True)
class PlainScenes:
    """Scenes, and how a configuration describes them; values: None if they must be written."""

    scenes: SceneSet
    values: Values | None

    def write(self, folder: Path) -> None:
        """Write scenes that no configuration describes to the new folder `folder`."""
        if self.values is None:
            write_scenes(self.scenes, _kind(self.scenes), folder)

    def described(self, folder: Path) -> Values:
        """How a configuration describes them; `folder`: where they are written, if they are."""
        if self.values is not None:
            return self.values
        if _kind(self.scenes) == "folder":
            classes = list(self.scenes.classes)
            return {"kind": "folder", "path": str(folder), "classes": classes}
        places = {"annotations": folder / "instances.json", "images": folder / "images"}
        return {"kind": "coco", **{key: str(place) for key, place in places.items()}}


def open_scenes(
    scenes: str | Path | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    /,
    *,
    skip_invalid: bool = False,
    **options: Any,
) -> SceneSet:
    """The scenes of a data set.

    scenes: a folder of images, a COCO file, a YOLO `data.yaml`, the root of KITTI or VOC data, a
    kind such as `synthetic`, or the mapping of a configuration. options: those of its kind, such as
    `limit`; without `scenes`, `kind` is one of them. folder: where relative paths start; default:
    the working folder. skip_invalid: leave out invalid scenes.

    >>> open_scenes("synthetic", count=3, seed=1)
    <SceneSet: 3 scenes, 3 annotated, 6 classes>
    """
    place = Path.cwd() if folder is None else Path(folder)
    if scenes is None and "kind" not in options:
        raise UserError(f"open_scenes: found neither scenes nor kind=...; {EXPECTED}.")
    values = {**({} if scenes is None else named_scenes(scenes, place)), **options}
    opened = open_configured(values, place, skip_invalid=skip_invalid)
    if not opened.skipped:
        remember_origin(opened, values, place)
    return opened


def named_scenes(scenes: object, folder: Path) -> Values:
    """The section of a configuration that a path or a mapping stands for."""
    if isinstance(scenes, Mapping):
        return dict(scenes)
    if not isinstance(scenes, str | Path):
        raise UserError(f"scenes: found {type(scenes).__name__}; {EXPECTED}.")
    path = folder / scenes
    if path.exists():
        return guess_scenes(path.resolve(), folder)
    if isinstance(scenes, str) and scenes in READERS.kinds():
        return {"kind": scenes}
    raise UserError(f"scenes: {path}: no such file or folder. Check the path.")


def plain_scenes(
    scenes: Any, classes: Sequence[str] | None, folder: Path, *, what: str = "scenes"
) -> PlainScenes:
    """The scenes of a test; classes: what the labels of annotations mean, by id.

    what: the argument, for messages.
    """
    if isinstance(scenes, str | Path | Mapping):
        values = named_scenes(scenes, folder)
        return PlainScenes(open_configured(values, folder, where=what), values)
    if isinstance(scenes, SceneSet):
        return PlainScenes(scenes, origin_of(scenes))
    if isinstance(getattr(scenes, "metadata", None), Mapping) and hasattr(scenes, "__getitem__"):
        return PlainScenes(_maite(scenes, what), None)
    if not isinstance(scenes, Iterable):
        raise UserError(f"{what}: found {type(scenes).__name__}; {EXPECTED}.")
    items = list(scenes)
    if not items:
        raise UserError(f"{what}: found an empty list; {EXPECTED}.")
    made = tuple(_scene(one, number, classes, what) for number, one in enumerate(items))
    return PlainScenes(SceneSet(made, tuple(classes or ()), tuple(range(len(classes or ())))), None)


def _scene(item: Any, number: int, classes: Sequence[str] | None, what: str) -> Scene:
    where, known = f"{what}[{number}]", None
    if isinstance(item, Scene):
        return item
    if isinstance(item, tuple) and len(item) == 2:
        item, known = item
    if isinstance(item, str | Path):
        if not Path(item).is_file():
            raise UserError(f"{where}: {item}: no such file. Check the path.")
        file = PictureFile(Path(item).resolve())
        image, name = file.pixels(), f"{number:04d}-{Path(item).name}"
        return Scene(name, file, image.shape[:2], _annotations(known, classes, where))
    pixels = PictureArray(plain_image(item, where))
    size = pixels.array.shape[:2]
    return Scene(f"{number:04d}.png", pixels, size, _annotations(known, classes, where))


def _annotations(known: Any, classes: Sequence[str] | None, where: str) -> Annotations | None:
    """Annotations as given: as such, or as a mapping or object with boxes and labels."""
    if known is None or isinstance(known, Annotations):
        return known
    given = (
        known if isinstance(known, Mapping) else vars(known) if hasattr(known, "__dict__") else {}
    )
    if not {"boxes", "labels"} <= set(given):
        raise UserError(
            f"{where}: annotations: found {type(known).__name__}, expected Annotations or a "
            "mapping with boxes (N x 4: x1 y1 x2 y2) and labels."
        )
    if not classes:
        raise UserError(f"{where}: annotations need class names. Pass classes=[...].")
    try:
        boxes = finite_array(given["boxes"], "boxes").reshape(-1, 4)
        labels = class_ids(given["labels"], classes or ())
        if len(boxes) and not (boxes[:, 2:] > boxes[:, :2]).all():
            raise ValueError("boxes are x1 y1 x2 y2 with x2 > x1 and y2 > y1")
        return Annotations(boxes.astype(np.float32), labels)
    except (SubjectError, ValueError) as error:
        raise UserError(f"{where}: annotations: {error}") from None


def _maite(data: Any, what: str) -> SceneSet:
    """The images and targets of a MAITE object-detection data set."""
    names = {int(key): str(one) for key, one in data.metadata.get("index2label", {}).items()}
    ids, made = {key: place for place, key in enumerate(sorted(names))}, []
    for number in range(len(data)):
        image, target, facts = data[number]
        where, planes = f"{what}[{number}]", np.asarray(image)
        if planes.ndim != 3 or planes.shape[0] not in (1, 3):
            raise UserError(f"{where}: found shape {planes.shape}, expected MAITE's (3, H, W).")
        pixels = plain_image(planes.transpose(1, 2, 0), where)
        labels = [ids.get(int(one), -1) for one in np.asarray(target.labels)]
        if -1 in labels:
            raise UserError(f"{where}: a label is not in the data set's index2label. Add it there.")
        known = _annotations({"boxes": target.boxes, "labels": labels}, list(names.values()), where)
        id = str(facts.get("id", number)) if isinstance(facts, Mapping) else str(number)
        made.append(
            Scene(f"{number:04d}-{Path(id).name}", PictureArray(pixels), pixels.shape[:2], known)
        )
    classes = tuple(names[key] for key in sorted(names))
    return SceneSet(tuple(made), classes, tuple(sorted(names)))


def _kind(scenes: SceneSet) -> str:
    """The format in which scenes of memory are written."""
    if any(one.sweep is not None for one in scenes):
        raise UserError(
            "scenes: camera+LiDAR frames can't be copied into the run folder. Give their folder, "
            "or what sn.open_scenes returned, with limit=... for the first few."
        )
    annotated = [one.annotations is not None for one in scenes]
    if any(annotated) and not all(annotated):
        number = annotated.index(False)
        raise UserError(
            f"scenes[{number}] has no annotations, but others have. Give them for all scenes, or "
            "for none; Annotations.empty() says that an image has no objects."
        )
    if all(annotated) and not scenes.classes:
        raise UserError("scenes: annotations need class names. Pass classes=[...].")
    return "coco" if all(annotated) else "folder"
