"""What repair needs from insertion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from snellen.contract.instances import InstanceKey
from snellen.contract.repairs import AllowedPlaces, ReplayedUnit
from snellen.contract.verdict import TEST, Case, Notes
from snellen.methods.insertion.plan import InsertionScene
from snellen.methods.insertion.scene_relocations import RELOCATION
from snellen.methods.paste.paste_repairs import PasteRepairs, known_boxes, places_in
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Subject
from snellen.vision.boxes.box_geometry import area
from snellen.vision.detections import Detections

if TYPE_CHECKING:
    from snellen.methods.insertion.method import InsertionMethod


class InsertionRepairs(PasteRepairs):
    """Repairs for insertion: a case belongs to the detected object that it is placed around."""

    @property
    def instances(self) -> InstanceKey:
        """`target`: the index of the object among the subject's detections."""
        return InstanceKey("target", reported=True)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """How the inserted object was detected."""
        return ("inserted_score", "inserted_missed")

    @property
    def roles(self) -> tuple[str, ...]:
        """Tests and relocations."""
        return (TEST, RELOCATION)

    def allowed_places(
        self, method: InsertionMethod, scene: Scene, detections: Detections
    ) -> AllowedPlaces:
        """Any free place where the run's own objects may stand."""
        classes = method.setting.subject.classes
        prepared = InsertionScene.of(scene, detections, classes, method.options)
        return AllowedPlaces(known_boxes(scene, detections), places_in(prepared.room))

    def for_subject(
        self, method: InsertionMethod, subject: Subject, facts: Mapping[str, Any]
    ) -> InsertionMethod:
        """The method with another subject in its setting."""
        return replace(method, setting=replace(method.setting, subject=subject))

    def matching_iou(self, method: InsertionMethod) -> float:
        """The IoU threshold of the relation."""
        return method.options.iou

    def replay_notes(
        self, method: InsertionMethod, unit: ReplayedUnit, cases: Sequence[Case], rng: Generator
    ) -> Notes:
        """How many objects the subject finds, and how many insertions were replayed."""
        found, score = unit.detections, np.float32(method.setting.subject.score)
        objects = np.count_nonzero((found.scores >= score) & (area(found.boxes) > 0))
        return {"objects": int(objects), "insertions": sum(case.role == TEST for case in cases)}
