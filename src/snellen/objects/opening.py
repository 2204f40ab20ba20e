"""The part `objects:` of a configuration: a library in a folder, or scenes to build one from."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy.typing as npt
from pydantic import Field, PositiveInt

from snellen.configuration import Options, options_of_kind, parse
from snellen.disk.cache import cache_folder
from snellen.disk.lock import locked
from snellen.errors import UserError, nearest
from snellen.objects.building import Plan, Progress, build_library
from snellen.objects.folder_library import FolderLibrary
from snellen.objects.names import plain_name
from snellen.objects.pruning import PruneOptions
from snellen.scenes.registry import READERS, open_scenes
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Subject, Task

log = logging.getLogger(__name__)

LIBRARY = "library"
VERSION = 1
"""Counts up when the same scenes and options would give other cut-outs."""


class LibraryOptions(Options):
    """A library that was built before."""

    kind: Literal["library"] = "library"
    path: Path = Field(description="The folder of the library.")


class CutOptions(Options):
    """How objects are cut out of scenes; stands beside the options of the scenes' own kind.

    cut: `masks` (annotated), `subject` (the masks that it answers), `boxes` (annotated ones, else
    those of the subject), or `auto`: the first of these that there is.
    """

    cut: Literal["auto", "masks", "subject", "boxes"] = Field("auto", description="How.")
    prune: PruneOptions = Field(PruneOptions(), description="quality | published | none, or more.")
    recognise: bool | None = Field(
        None, description="The subject must recognise each alone; by default if cut by boxes."
    )
    only: tuple[str, ...] = Field((), description="Labels wanted; by default all.")
    limit_per_label: PositiveInt | None = Field(None, description="Most of a label, by size.")


def checked_objects(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options of `objects:` with every default filled in."""
    kind, kinds = values.get("kind"), [LIBRARY, *READERS.kinds()]
    if kind == LIBRARY:
        return parse(LibraryOptions, values, where).model_dump(mode="json")
    if not isinstance(kind, str) or kind not in kinds:
        clause = nearest(kind, kinds) if isinstance(kind, str) else f"; use one of {kinds}"
        raise UserError(f"{where}.kind: found {kind!r}, which is no kind of objects{clause}")
    own, scenes = _split(values)
    filled = options_of_kind(READERS, scenes, where).model_dump(mode="json")
    return {**filled, **parse(CutOptions, own, where).model_dump(mode="json")}


def open_objects(
    values: Mapping[str, Any],
    folder: Path,
    subject: Subject | None = None,
    where: str = "objects",
    *,
    progress: Progress | None = None,
) -> FolderLibrary:
    """The library that a configuration describes; relative paths start at `folder`.

    A library of scenes is built once and kept in the user's cache, under a hash of the scenes, the
    options and, where the subject takes part, its fingerprint.
    """
    checked = checked_objects(values, where)
    if checked["kind"] == LIBRARY:
        return FolderLibrary(folder / checked["path"])
    scenes, plan = planned(checked, folder, subject, where)
    facts = {"objects": checked, "subject": plan.subject.name if plan.subject else None}
    place = _cache() / _key(scenes, plan)
    lock = place.with_suffix(".lock")
    with locked(lock, partial(log.warning, "another process builds %s; waiting for it", place)):
        found = _sound(place)
        if found is None:
            build_library(scenes, plan, place, facts, progress)
    return found or FolderLibrary(place)


def planned(
    checked: Mapping[str, Any], folder: Path, subject: Subject | None, where: str
) -> tuple[SceneSet, Plan]:
    """The scenes, and how objects are cut out of them; `checked` is from `checked_objects`."""
    own, scene_values = _split(checked)
    options = parse(CutOptions, own, where)
    scenes = open_scenes(scene_values, folder, where=where)
    task = None if subject is None else subject.task
    annotated = any(scene.annotations is not None and len(scene.annotations) for scene in scenes)
    cut = options.cut
    if cut == "auto":
        cut = "masks" if _masked(scenes) else "subject" if task == Task.SEGMENTATION else "boxes"
    finds = cut == "subject" or (cut == "boxes" and not annotated)
    _check(cut, finds, scenes, task, where)
    recognise = options.recognise
    if recognise is None:
        recognise = cut == "boxes" and task in (Task.DETECTION, Task.SEGMENTATION)
    if recognise and (task is None or task == Task.LABELS):
        raise UserError(
            f"{where}.recognise: needs a subject that answers boxes; there is none. "
            "Give one, or set recognise: false."
        )
    return scenes, Plan(
        cut,
        options.prune,
        subject if finds or recognise else None,
        finds,
        recognise,
        frozenset(plain_name(label) for label in options.only),
        options.limit_per_label,
    )


def _masked(scenes: SceneSet) -> bool:
    return any(
        scene.annotations is not None
        and scene.annotations.masks is not None
        and len(scene.annotations)
        for scene in scenes
    )


def _check(cut: str, finds: bool, scenes: SceneSet, task: Task | None, where: str) -> None:
    if cut == "masks" and not _masked(scenes):
        raise UserError(
            f"{where}.cut: found 'masks', but no scene has annotated masks. "
            "Use cut: boxes, or a subject that answers masks with cut: subject."
        )
    if cut == "subject" and task != Task.SEGMENTATION:
        raise UserError(
            f"{where}.cut: found 'subject', which needs an instance-segmentation subject; there is "
            f"{'none' if task is None else f'one for {task}'}. Use cut: boxes, or give such a one."
        )
    if finds and task not in (Task.DETECTION, Task.SEGMENTATION):
        raise UserError(
            f"{where}: the scenes have no annotations, and there is no subject to find objects "
            "with. Give annotated scenes, or a detector as subject."
        )


def _split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of cutting, and those of the scenes."""
    names = set(CutOptions.model_fields)
    own = {key: value for key, value in values.items() if key in names}
    return own, {key: value for key, value in values.items() if key not in names}


def _cache() -> Path:
    try:
        return cache_folder("objects")
    except OSError as error:
        raise UserError(
            f"the cache folder cannot be made: {error}. Set SNELLEN_CACHE to a folder that can."
        ) from None


def _sound(place: Path) -> FolderLibrary | None:
    """The library in a folder of the cache, or None if it has to be built."""
    if not place.exists():
        return None
    try:
        return FolderLibrary(place)
    except UserError as error:
        log.warning("%s It is built again.", error)
        shutil.rmtree(place)
        return None


def _key(scenes: SceneSet, plan: Plan) -> str:
    import cv2

    subject = plan.subject
    told = {
        "version": VERSION,
        "opencv": cv2.__version__,
        "cut": [plan.cut, plan.finds, plan.recognise, sorted(plan.only), plan.limit],
        "prune": plan.prune.model_dump(mode="json"),
        "subject": [subject.fingerprint, subject.score] if subject else None,
        "classes": scenes.classes,
    }
    state = hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16)
    for scene in scenes:
        state.update(_scene_key(scene))
    return state.hexdigest()


def _scene_key(scene: Scene) -> bytes:
    known = scene.annotations
    parts = [scene.id.encode(), scene.digest.encode()]
    if known is not None:
        arrays: list[npt.NDArray[Any]] = [known.boxes, known.labels, known.crowd, known.ignore]
        arrays += list(known.masks.runs) if known.masks is not None else []
        parts += [array.tobytes() for array in arrays]
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
