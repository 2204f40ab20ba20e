"""Building a library: a folder of cut-outs with an index, from scenes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.objects.cutouts.recognition import NOT_RECOGNISED, Recognition, recognitions
from snellen.objects.cutouts.scene_cutouts import Piece, cut_by_boxes, cut_by_masks
from snellen.objects.cutouts.scene_instances import (
    SceneInstances,
    annotated_instances,
    detected_instances,
)
from snellen.objects.label_names import plain_name
from snellen.objects.library.folder_library import cutout_file, write_cutout
from snellen.objects.library.library import BOXES
from snellen.objects.library.library_index import write_index
from snellen.objects.library.object_record import ObjectRecord
from snellen.objects.library.prune_rules import UNWANTED, PruneOptions, counts, prune_reason, pruned
from snellen.objects.library.relaxation import SOFT, relax
from snellen.scenes.scene import PictureFile, Scene, SceneSet
from snellen.subjects.subject import Subject
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of scenes that are done, and of all scenes."""


AT_ONCE = 16
"""Scenes in memory; not set by workers, as the last digits of scores may depend on the batch."""


@dataclass(frozen=True)
class CutPlan:
    """How objects are cut out of scenes.

    cut: by `masks` (annotated), `subject` (its masks) or `boxes` (annotated, or from a detector if
    there are none). subject: to detect or recognise objects. finds: whether the subject detects
    them. recognise: whether the subject has to recognise each cut-out alone. only: plain names of
    the labels to use, empty for all. limit: maximum number of cut-outs per label. second: another
    subject, whose recognition of a cut-out is enough.
    """

    cut: str
    prune: PruneOptions
    subject: Subject | None = None
    finds: bool = False
    recognise: bool = False
    only: frozenset[str] = frozenset()
    limit: int | None = None
    workers: int | None = None
    second: Subject | None = None

    def close(self) -> None:
        """Release the second subject; the first belongs to the caller."""
        if self.second is not None:
            self.second.close()

    @property
    def enough(self) -> int:
        """Number of objects below which rules are relaxed; 0 where they never are."""
        return 0 if self.cut == BOXES or self.prune.by != "quality" else self.prune.enough


def build_library(
    scenes: SceneSet,
    plan: CutPlan,
    out: Path,
    facts: dict[str, Any] | None = None,
    progress: Progress | None = None,
) -> list[ObjectRecord]:
    """Build a library in the folder `out`; returns the record of every object in the scenes.

    The result does not depend on the number of workers. The folder appears once it is complete.
    """
    with new_folder(out) as draft:
        records, relaxed = relax(
            list(_cut_all(scenes, plan, draft, progress or _ignore)), plan.enough
        )
        records = pruned(records, plan.prune, plan.limit)
        kept, gone = counts(records)
        if not kept:
            raise UserError(_nothing_kept(len(scenes), gone))
        wanted = {record.file for record in records if not record.why}
        for record in records:
            if record.file and record.file not in wanted:
                (draft / record.file).unlink(missing_ok=True)
        records = [replace(record, file="") if record.why else record for record in records]
        about = {"scenes": len(scenes), "cut": plan.cut, "kept": kept, "pruned": gone}
        about |= {"relaxed": relaxed} if relaxed else {}
        write_index(draft, records, {**(facts or {}), **about})
    return records


def _ignore(done: int, total: int) -> None:
    del done, total


def _nothing_kept(scenes: int, gone: dict[str, int]) -> str:
    if not gone:
        return f"no objects found in {scenes} scenes. Give annotated scenes, or a subject."
    reasons = ", ".join(f"{count} {why}" for why, count in gone.items())
    return (
        f"none of the {sum(gone.values())} objects in {scenes} scenes is good enough to be "
        f"inserted: {reasons}. Relax `prune` (`prune: none` keeps all), or give more scenes."
    )


def _cut_all(
    scenes: SceneSet, plan: CutPlan, draft: Path, progress: Progress
) -> Iterator[ObjectRecord]:
    """Records in the order of the scenes; a few scenes at a time, to bound memory."""
    workers = plan.workers or os.cpu_count() or 1
    batch = plan.subject.batch if plan.subject else 1
    step = batch * -(-AT_ONCE // batch)
    few = plan.enough
    with ThreadPoolExecutor(workers) as pool:
        for start in range(0, len(scenes), step):
            some = scenes.scenes[start : start + step]
            images = list(pool.map(Scene.pixels, some))
            seen = _instances(some, images, scenes.classes, plan)
            pieces = list(pool.map(partial(_cut, plan), some, images, seen))
            why = list(pool.map(partial(_prune_reasons, plan), some, pieces))
            if plan.recognise:
                pieces, why = _recognise(plan, images, pieces, why)
            soft = SOFT if few > 0 else ()
            for records in pool.map(partial(_store, plan.cut, draft, soft), pieces, why):
                few -= sum(not record.why for record in records)
                yield from records
            progress(start + len(some), len(scenes))


def _instances(
    scenes: Sequence[Scene], images: Sequence[Image], classes: Sequence[str], plan: CutPlan
) -> list[SceneInstances]:
    subject = plan.subject
    if not plan.finds or subject is None:
        return [annotated_instances(scene, classes) for scene in scenes]
    found = []
    for start in range(0, len(images), subject.batch):
        for prediction in subject.predict(images[start : start + subject.batch]):
            if not isinstance(prediction, Detections):
                raise UserError(f"subject: {subject.name} returns labels, but objects need boxes.")
            found.append(detected_instances(prediction.rounded(), subject.classes, subject.score))
    return found


def _cut(plan: CutPlan, scene: Scene, image: Image, instances: SceneInstances) -> list[Piece]:
    by = cut_by_boxes if plan.cut == "boxes" else cut_by_masks
    return by(image, instances, scene.digest, scene.id)


def _prune_reasons(plan: CutPlan, scene: Scene, pieces: Sequence[Piece]) -> list[str]:
    photograph = isinstance(scene.picture, PictureFile)
    return [
        UNWANTED
        if plan.only and plain_name(piece.entry.label) not in plan.only
        else prune_reason(piece, plan.prune, plan.cut, photograph=photograph)
        for piece in pieces
    ]


def _recognise(
    plan: CutPlan,
    images: Sequence[Image],
    pieces: Sequence[Sequence[Piece]],
    why: Sequence[Sequence[str]],
) -> tuple[list[list[Piece]], list[list[str]]]:
    """The pieces with recognition scores of those not pruned yet, and the updated reasons."""
    flat = [
        (image, piece)
        for image, some, reasons in zip(images, pieces, why, strict=True)
        for piece, reason in zip(some, reasons, strict=True)
        if not reason
    ]
    assert plan.subject is not None
    judges = [plan.subject] if plan.second is None else [plan.subject, plan.second]
    answers = iter(recognitions(judges, flat, plan.prune.recognised))
    new_pieces, new_why = [], []
    for some, reasons in zip(pieces, why, strict=True):
        asked = [None if reason else next(answers) for reason in reasons]
        new_pieces.append([_with_score(p, a) for p, a in zip(some, asked, strict=True)])
        new_why.append(
            [
                NOT_RECOGNISED if answer is not None and not answer.passed else reason
                for reason, answer in zip(reasons, asked, strict=True)
            ]
        )
    return new_pieces, new_why


def _with_score(piece: Piece, answer: Recognition | None) -> Piece:
    score = None if answer is None else answer.score
    return replace(piece, quality=replace(piece.quality, recognised=score))


def _store(
    cut: str, draft: Path, soft: Sequence[str], pieces: Sequence[Piece], why: Sequence[str]
) -> list[ObjectRecord]:
    """Records of the pieces; writes those that are kept or pruned by a soft rule."""
    records = []
    for piece, reason in zip(pieces, why, strict=True):
        file = ""
        if (not reason or reason in soft) and piece.cutout is not None:
            file = cutout_file(piece.cutout)
            write_cutout(draft / file, piece.cutout.pixels)
        records.append(ObjectRecord(piece.entry, piece.quality, cut, reason, file))
    return records
