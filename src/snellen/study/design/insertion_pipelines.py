"""Pictures to rank: one object inserted into one scene by different ways of blending."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.random import Generator

from snellen.changes.paste.blending import Blending
from snellen.changes.paste.insert import Insert
from snellen.errors import UserError
from snellen.objects.cutouts.alpha import cut_out
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import Scene
from snellen.study.design.scene_truth import SceneTruth
from snellen.study.options import StudyOptions
from snellen.study.record import TrueObject
from snellen.vision.masks.rle_masks import Masks

MOST = 40
"""Objects cut out of the scenes at most."""
TALLEST = 0.5
"""Height of an inserted object at most, as a share of the scene's."""


def pipeline_name(blending: Blending) -> str:
    """The transformation of a picture made by a way of blending."""
    return f"insert-{blending}"


@dataclass(frozen=True)
class InsertionPipelines:
    """Inserts objects of a library. blendings: the pipelines that are compared."""

    library: Library
    blendings: tuple[Blending, ...]

    @property
    def materials(self) -> dict[str, Any]:
        """What the recipes refer to."""
        return {"objects": self.library}

    def recipes(self, scene: Scene, rng: Generator) -> list[tuple[str, Insert]]:
        """The same object at the same place of a scene, for each pipeline with its name."""
        entry = self._entry(scene, rng)
        height, width = scene.size
        scale = min(1.0, TALLEST * height / entry.height, TALLEST * width / entry.width)
        tall, wide = max(1, round(entry.height * scale)), max(1, round(entry.width * scale))
        x = int(rng.integers(0, width - wide + 1))
        y = int(rng.integers((height - tall) // 2, height - tall + 1))  # more likely on the ground
        return [
            (pipeline_name(one), Insert(entry.id, x, y, wide, tall, blending=one.value))
            for one in self.blendings
        ]

    def _entry(self, scene: Scene, rng: Generator) -> Entry:
        every = [one for label in self.library.labels() for one in self.library.entries(label)]
        foreign = [one for one in every if one.source != scene.digest] or every
        return foreign[int(rng.integers(len(foreign)))]


def open_pipelines(
    options: StudyOptions, truths: Sequence[SceneTruth], folder: Path, *, skip_invalid: bool
) -> InsertionPipelines:
    """The pipelines of a study, with objects as configured or cut out of the scenes."""
    if options.objects is not None:
        from snellen.objects.library.open_objects import open_objects

        found: Library = open_objects(options.objects, folder, skip_invalid=skip_invalid)
    else:
        found = _cut_from(truths)
    if not found.labels():
        raise UserError(
            "objects: rank inserts objects, but none is configured and the scenes have no masks to "
            "cut them out by. Name objects, such as objects: {kind: coco, ...}."
        )
    return InsertionPipelines(found, options.pipelines)


def _cut_from(truths: Sequence[SceneTruth]) -> MemoryLibrary:
    cutouts = list[Cutout]()
    for truth in truths:
        with_mask = [one for one in truth.asked if one.mask is not None]
        known = truth.scene.annotations
        masks = None if known is None else known.masks
        if not with_mask or masks is None or len(cutouts) >= MOST:
            continue
        largest = _largest(with_mask, masks)
        mask = masks[int(largest.id)].to_array()[0]
        pixels = truth.scene.pixels()
        cutouts.append(cut_out(pixels, mask, largest.label, truth.scene.digest))
    return MemoryLibrary(cutouts)


def _largest(objects: Sequence[TrueObject], masks: Masks) -> TrueObject:
    """The object with the largest mask."""
    return max(objects, key=lambda one: int(masks[int(one.id)].areas()[0]))
