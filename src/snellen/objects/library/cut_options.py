"""How objects are to be cut out of the scenes that a configuration names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PositiveInt

from snellen.configuration import Options, parse
from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.objects.library.library_builder import CutPlan
from snellen.objects.library.prune_rules import PruneOptions
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.subjects.subject import Subject, Task

SEES = (Task.DETECTION, Task.SEGMENTATION)
"""Tasks whose answers have boxes."""


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
    exclude: Path | None = Field(None, description="A file with ids of objects to leave out.")


def plan_cuts(
    checked: Mapping[str, Any],
    folder: Path,
    subject: Subject | None,
    where: str,
    *,
    skip_invalid: bool = False,
) -> tuple[SceneSet, CutPlan]:
    """The scenes, and how objects are cut out of them; `checked` is from `checked_objects`."""
    own, scene_values = split_options(checked)
    options = parse(CutOptions, own, where)
    scenes = open_scenes(scene_values, folder, skip_invalid=skip_invalid, where=where)
    task = None if subject is None else subject.task
    cut = options.cut
    if cut == "auto":
        cut = "masks" if _masked(scenes) else "subject" if task == Task.SEGMENTATION else "boxes"
    finds = cut == "subject" or (cut == "boxes" and not _annotated(scenes))
    _check(cut, finds, scenes, task, where)
    recognise = options.recognise
    if recognise is None:
        recognise = cut == "boxes" and task in SEES
    if recognise and task not in SEES:
        raise UserError(
            f"{where}.recognise: needs a subject that answers boxes; there is none. "
            "Give one, or set recognise: false."
        )
    return scenes, CutPlan(
        cut,
        options.prune,
        subject if finds or recognise else None,
        finds,
        recognise,
        frozenset(plain_name(label) for label in options.only),
        options.limit_per_label,
    )


def _annotated(scenes: SceneSet) -> bool:
    return any(scene.annotations is not None and len(scene.annotations) for scene in scenes)


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
    if finds and task not in SEES:
        raise UserError(
            f"{where}: the scenes have no annotations, and there is no subject to find objects "
            "with. Give annotated scenes, or a detector as subject."
        )


def split_options(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of cutting, and those of the scenes."""
    names = set(CutOptions.model_fields)
    own = {key: value for key, value in values.items() if key in names}
    return own, {key: value for key, value in values.items() if key not in names}
