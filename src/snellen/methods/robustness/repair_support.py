"""What repair needs from robustness."""

from __future__ import annotations

from collections.abc import Generator as Yielding
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from snellen.contract.instances import WAS, InstanceKey
from snellen.contract.questions import Answer, Question
from snellen.contract.repairs import AllowedPlaces, ReplayedUnit
from snellen.contract.verdict import Case, Notes
from snellen.methods.paste.paste_repairs import PasteRepairs
from snellen.methods.robustness import stochastic_passes
from snellen.methods.robustness.case_measurements import INSTANCE
from snellen.methods.robustness.options import Contour, Passes
from snellen.methods.robustness.replayed_instances import replayed_notes
from snellen.scenes.scene import Scene
from snellen.subjects.subject import Subject
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

if TYPE_CHECKING:
    from snellen.methods.robustness.method import RobustnessMethod


class RobustnessRepairs(PasteRepairs):
    """Repairs for robustness: a case belongs to a base instance."""

    @property
    def instances(self) -> InstanceKey:
        """`base`: the index of the base instance."""
        return InstanceKey(INSTANCE)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The consistencies of the base instance, and how the inserted object was detected."""
        return ("recognised", "class_kept", "place_kept", "place_kept_75", "iou", "others_changed",
                "inserted_score", "inserted_missed")  # fmt: skip

    def allowed_places(
        self, method: RobustnessMethod, scene: Scene, detections: Detections
    ) -> AllowedPlaces:
        """Any free place; failing places may overlap their instance where the run's own tests may.

        They may with `cover` and with contours from masks: the run has checked them.
        """
        places = super().allowed_places(method, scene, detections)
        if method.options.cover > 0 or method.options.contour == Contour.MASK:
            return replace(places, obstacles=np.zeros((0, 4), dtype=np.float32))
        return places

    def for_subject(
        self, method: RobustnessMethod, subject: Subject, facts: Mapping[str, Any]
    ) -> RobustnessMethod:
        """The method with another subject, its uncertainty measured as in the run or not at all."""
        passes = Passes(facts.get("robustness", {}).get("uncertainty", Passes.NONE))
        return replace(
            method,
            options=method.options.model_copy(update={"uncertainty": passes}),
            setting=replace(method.setting, subject=subject),
        )

    def matching_iou(self, method: RobustnessMethod) -> float:
        """The IoU threshold of the relation."""
        return method.options.iou

    def uncertainties(
        self, method: RobustnessMethod, scene: Scene, detections: Detections
    ) -> Yielding[list[Question], Sequence[Answer], Mapping[int, Uncertainty]]:
        """By stochastic passes or views; empty where the subject does not support them."""
        subject, options = method.setting.subject, method.options
        if options.uncertainty == Passes.DROPOUT and not stochastic_passes.draws(subject):
            return {}
        prepared = method.prepared_scene(scene, detections)
        found = yield from stochastic_passes.sample_uncertainty(
            scene, prepared.objects, options.uncertainty, options.passes, len(subject.classes)
        )
        return {} if found is None else dict(zip(prepared.indices.tolist(), found, strict=True))

    def noted_uncertainties(self, notes: Notes) -> Mapping[int, float]:
        """Of the base instances for which it was measured."""
        return {
            int(one.get(WAS, one[INSTANCE])): float(one["uncertainty"]["total"])
            for one in notes.get("instances", ())
            if one.get("uncertainty") is not None
        }

    def replay_notes(
        self, method: RobustnessMethod, unit: ReplayedUnit, cases: Sequence[Case], rng: Generator
    ) -> Notes:
        """The run's notes with the numbers of the new answers."""
        prepared = method.prepared_scene(unit.scene, unit.detections)
        return replayed_notes(unit, prepared, cases, method.options, rng)
