"""The section `objects:` of a configuration: a library folder, or scenes to build one from."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
from collections.abc import Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from snellen.configuration import Options, options_of_kind, parse
from snellen.configuration.environment import expanded
from snellen.disk.cache import cache_folder
from snellen.disk.lock import locked
from snellen.disk.path_checks import exists
from snellen.errors import UserError, nearest
from snellen.objects.library.cut_options import SECOND, CutOptions, plan_cuts, split_options
from snellen.objects.library.exclusion_file import EXCLUDE, without_excluded
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library_builder import CutPlan, Progress, build_library
from snellen.scenes.registry import READERS
from snellen.scenes.scene import Scene, SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.arrays import AnyArray

log = logging.getLogger(__name__)

LIBRARY = "library"
CUTTING = "cutting objects out of scenes"
"""What is being prepared while `open_objects` reports progress."""
VERSION = 2
"""Increased when the same scenes and options give different cut-outs."""


class LibraryOptions(Options):
    """An existing library."""

    kind: Literal["library"] = "library"
    path: Path = Field(description="Folder of the library.")
    exclude: Path | None = Field(None, description="File with ids of objects to exclude.")


def checked_objects(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The options of `objects:` with every default filled in."""
    kind, kinds = values.get("kind"), [LIBRARY, *READERS.kinds()]
    if kind == LIBRARY:
        return _without_unset(parse(LibraryOptions, values, where).model_dump(mode="json"))
    if not isinstance(kind, str) or kind not in kinds:
        clause = nearest(kind, kinds) if isinstance(kind, str) else f"; use one of {kinds}"
        raise UserError(f"{where}.kind: found {kind!r}, expected a kind of objects{clause}")
    own, scenes = split_options(values)
    filled = options_of_kind(READERS, scenes, where).model_dump(mode="json")
    return _without_unset({**filled, **parse(CutOptions, own, where).model_dump(mode="json")})


def pruned_as_published(values: Mapping[str, Any]) -> dict[str, Any]:
    """The options of `objects:`, pruned as the authors did; a library stays as it is."""
    if values.get("kind") == LIBRARY:
        return dict(values)
    return {**values, "prune": "published", "recognise": False}


def _without_unset(filled: dict[str, Any]) -> dict[str, Any]:
    """The options without unset `exclude` and `second`, so that old runs can still be resumed."""
    return {
        key: value
        for key, value in filled.items()
        if key not in (EXCLUDE, SECOND) or value is not None
    }


def open_objects(
    values: Mapping[str, Any],
    folder: Path,
    subject: Subject | None = None,
    where: str = "objects",
    *,
    skip_invalid: bool = False,
    progress: Progress | None = None,
) -> FolderLibrary:
    """The library that a configuration describes; relative paths start at `folder`.

    A library of scenes is built once and stored in the user's cache, under a hash of the scenes,
    the options and, if the subject is involved, its fingerprint. Objects in `exclude` are then left
    out.
    """
    checked = checked_objects(values, where)
    exclude = checked.pop(EXCLUDE, None)
    library = _complete_library(checked, folder, subject, where, skip_invalid, progress)
    return (
        library
        if exclude is None
        else without_excluded(library, folder / expanded(exclude, f"{where}.{EXCLUDE}"), where)
    )


def _complete_library(
    checked: Mapping[str, Any],
    folder: Path,
    subject: Subject | None,
    where: str,
    skip_invalid: bool,
    progress: Progress | None,
) -> FolderLibrary:
    if checked["kind"] == LIBRARY:
        return FolderLibrary(folder / expanded(checked["path"], f"{where}.path"))
    scenes, plan = plan_cuts(checked, folder, subject, where, skip_invalid=skip_invalid)
    with closing(plan):
        place = _cache() / _key(scenes, plan)
        lock = place.with_suffix(".lock")
        with locked(lock, partial(log.warning, "another process builds %s; waiting for it", place)):
            found = _cached(place)
            if found is None:
                build_library(scenes, plan, place, facts_of(checked, plan), progress)
    return found or FolderLibrary(place)


def facts_of(checked: Mapping[str, Any], plan: CutPlan) -> dict[str, Any]:
    """Facts about the origin of the library."""
    objects = {key: value for key, value in checked.items() if key != EXCLUDE}
    return {"objects": objects, "subject": plan.subject.name if plan.subject else None}


def _cache() -> Path:
    try:
        return cache_folder("objects")
    except OSError as error:
        raise UserError(
            f"the cache folder cannot be created: {error}. Set SNELLEN_CACHE to a writable folder."
        ) from None


def _cached(place: Path) -> FolderLibrary | None:
    """The library in a folder of the cache, or None if it must be built."""
    if not exists(place):
        return None
    try:
        return FolderLibrary(place)
    except UserError as error:
        log.warning("%s Building it again.", error)
        shutil.rmtree(place)
        return None


def _key(scenes: SceneSet, plan: CutPlan) -> str:
    import cv2

    subject = plan.subject
    content = {
        "version": VERSION,
        "opencv": cv2.__version__,
        "cut": [plan.cut, plan.finds, plan.recognise, sorted(plan.only), plan.limit],
        "prune": plan.prune.model_dump(mode="json"),
        "subject": [subject.fingerprint, subject.score] if subject else None,
        "classes": scenes.classes,
    }
    if plan.second is not None:
        content["second"] = [plan.second.fingerprint, plan.second.score]
    state = hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16)
    for scene in scenes:
        state.update(_scene_key(scene))
    return state.hexdigest()


def _scene_key(scene: Scene) -> bytes:
    known = scene.annotations
    parts = [scene.id.encode(), scene.digest.encode()]
    if known is not None:
        arrays: list[AnyArray] = [known.boxes, known.labels, known.crowd, known.ignore]
        arrays += list(known.masks.runs) if known.masks is not None else []
        parts += [array.tobytes() for array in arrays]
    return b"".join(len(part).to_bytes(8, "little") + part for part in parts)
