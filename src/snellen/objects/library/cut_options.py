"""Options for cutting objects out of the scenes of a configuration."""

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
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task

SEES = (Task.DETECTION, Task.SEGMENTATION)
"""Tasks whose predictions have boxes."""


SECOND = "second"
"""The option that names another subject."""


class CutOptions(Options):
    """How objects are cut out of scenes; given together with the options of the scenes' kind.

    cut: `masks` (annotated), `subject` (masks from the subject), `boxes` (annotated, else from the
    subject), or `auto`: the first of these that is available.
    """

    cut: Literal["auto", "masks", "subject", "boxes"] = Field(
        "auto", description="What objects are cut out by."
    )
    prune: PruneOptions = Field(
        PruneOptions(), description="quality | published | none, or a mapping of limits."
    )
    recognise: bool | None = Field(
        None,
        description="Keep only objects recognised alone by the subject; default: if it detects and "
        "prune is by quality, or if cut by boxes.",
    )
    second: dict[str, Any] | None = Field(
        None,
        description="Another subject, with its options; what it recognises is kept, too.",
    )
    only: tuple[str, ...] = Field((), description="Labels to use; default: all.")
    limit_per_label: PositiveInt | None = Field(
        None, description="Maximum number of objects per label, largest first."
    )
    exclude: Path | None = Field(None, description="File with ids of objects to exclude.")


def plan_cuts(
    checked: Mapping[str, Any],
    folder: Path,
    subject: Subject | None,
    where: str,
    *,
    skip_invalid: bool = False,
) -> tuple[SceneSet, CutPlan]:
    """The scenes, and how objects are cut out of them. checked: from `checked_objects`."""
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
        recognise = task in SEES and (cut == "boxes" or options.prune.by == "quality")
    if recognise and task not in SEES:
        raise UserError(
            f"{where}.recognise: needs a subject that detects boxes; there is none. "
            "Give one, or set recognise: false."
        )
    second = None
    if recognise and options.second is not None:
        second = open_subject(options.second, folder, f"{where}.second")
        _check_second(second, where)
    return scenes, CutPlan(
        cut,
        options.prune,
        subject if finds or recognise else None,
        finds,
        recognise,
        frozenset(plain_name(label) for label in options.only),
        options.limit_per_label,
        second=second,
    )


def _check_second(second: Subject, where: str) -> None:
    if second.task not in SEES:
        second.close()
        raise UserError(
            f"{where}.second: {second.name} is for {second.task}; recognising an object alone "
            "needs a subject that detects boxes. Give one, or leave `second` out."
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
            "Use cut: boxes, or cut: subject with an instance-segmentation subject."
        )
    if cut == "subject" and task != Task.SEGMENTATION:
        raise UserError(
            f"{where}.cut: found 'subject', which needs an instance-segmentation subject; there is "
            f"{'none' if task is None else f'one for {task}'}. Use cut: boxes, or give such a "
            "subject."
        )
    if finds and task not in SEES:
        raise UserError(
            f"{where}: the scenes have no annotations, and there is no subject to detect objects. "
            "Give annotated scenes, or a detector as subject."
        )


def split_options(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options for cutting, and those of the scenes."""
    names = set(CutOptions.model_fields)
    own = {key: value for key, value in values.items() if key in names}
    return own, {key: value for key, value in values.items() if key not in names}
