"""The relation: the base instance is detected with the same class at the same place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.insert import Insert
from snellen.contract.asked import Asked
from snellen.contract.questions import detections_in
from snellen.contract.verdict import Case, Status, status_of
from snellen.methods.free_places import Box, exempt_box
from snellen.methods.inserted_detections import OWN_IOU, events_beside
from snellen.methods.robustness.base_instances import BaseInstance, RobustnessScene
from snellen.methods.robustness.options import RobustnessOptions
from snellen.vision.arrays import Bools, Ints
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.boxes.matching_detection import matching_detection
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind
from snellen.vision.truth.annotated_objects import AnnotatedObjects

STRICT = 0.75
"""The stricter of the two IoU thresholds for localisation."""


@dataclass(frozen=True)
class BaseOutcome:
    """The outcome for the base instance. events: its own. others: hard events of other objects.

    iou: of its box before and after, 0 if it is no longer detected.
    """

    events: tuple[Event, ...]
    others: int
    iou: float

    @property
    def recognised(self) -> bool:
        """Whether there is still an object in its place, or one of its label nearby."""
        return all(event.kind != EventKind.LOST for event in self.events)

    @property
    def class_kept(self) -> bool:
        """Whether it is detected with the same class."""
        return self.recognised and all(event.kind != EventKind.RELABELLED for event in self.events)

    @property
    def place_kept(self) -> bool:
        """Whether it is detected at the same place."""
        return self.recognised and all(event.kind != EventKind.MOVED for event in self.events)

    def measurements(self) -> dict[str, float]:
        """The three consistencies and the changes of others, as a case's measurements."""
        return {
            "recognised": float(self.recognised),
            "class_kept": float(self.class_kept),
            "place_kept": float(self.place_kept),
            "place_kept_75": float(self.recognised and self.iou >= STRICT),
            "iou": round(self.iou, 4),
            "others_changed": float(self.others),
        }


@dataclass(frozen=True, eq=False)
class RobustnessRelation:
    """Judges cases of one scene by the outcome for one base instance.

    object_labels: the subject's class id of each object whose class it has, by object id. known:
    what is annotated in the scene.
    """

    options: RobustnessOptions
    prepared: RobustnessScene
    object_labels: Mapping[str, int]
    known: AnnotatedObjects | None = None

    def judge(self, asked: Asked) -> Case:
        """The judged case; it holds where the base instance is no longer detected in the scene."""
        after, measured = detections_in(asked.after), dict(asked.facts)
        base = self._base(asked)
        if base is None:
            before = self.prepared.before
            return Case(
                asked.recipe, asked.role, Status.HOLDS, after, before, (), measured, asked.parent
            )
        recipe = asked.recipe
        box = exempt_box(recipe)
        label = self.object_labels.get(recipe.object) if isinstance(recipe, Insert) else None
        kept, own = self.base_outcome(base, after, box)
        status = status_of(kept.events)
        if self.options.as_published:
            status = Status.FAILING if kept.events else Status.HOLDS
        measured |= kept.measurements()
        if label is not None and box is not None:
            measured |= self._inserted(after[own], box, label)
        return Case(
            recipe,
            asked.role,
            status,
            after,
            self.prepared.before,
            kept.events,
            measured,
            asked.parent,
        )

    def _base(self, asked: Asked) -> BaseInstance | None:
        """The base instance; for a case judged again, the detection now in its place, or None."""
        index = int(asked.facts["base"])
        if asked.earlier is None:
            return self.prepared.base(index)
        before, prepared = asked.earlier.before, self.prepared
        assert isinstance(before, Detections)
        now = matching_detection(
            before, index, prepared.before, score=prepared.score, overlap=self.options.iou
        )
        return None if now is None else prepared.base(now)

    def base_outcome(
        self, base: BaseInstance, after: Detections, box: Box | None
    ) -> tuple[BaseOutcome, Bools]:
        """The outcome for a base instance, and which detections show the inserted object."""
        events, own = events_beside(
            self.prepared.before, after, box, self.known, score=self.prepared.score,
            iou_threshold=self.options.iou, hysteresis=self.options.hysteresis,
        )  # fmt: skip
        mine = tuple(event for event in events if event.before == base.index)
        others = sum(event.severity == "hard" for event in events) - sum(
            event.severity == "hard" for event in mine
        )
        rest = np.flatnonzero(~own)
        return BaseOutcome(mine, others, self._iou(base, after, rest, mine)), own

    def _iou(
        self,
        base: BaseInstance,
        after: Detections,
        rest: Ints,
        events: tuple[Event, ...],
    ) -> float:
        if events:
            return 0.0 if events[0].kind == EventKind.LOST else events[0].iou
        same = (after.labels[rest] == base.label) & (
            after.scores[rest] >= np.float32(self.prepared.score)
        )
        return float(iou(after.boxes[rest[same]], [base.box]).max(initial=0.0))

    def _inserted(self, own: Detections, box: Box, label: int) -> dict[str, float]:
        there = own[(own.labels == label) & (iou(own.boxes, [box])[:, 0] >= OWN_IOU)]
        best = round(float(there.scores.max(initial=0.0)), 4)
        return {
            "inserted_score": best,
            "inserted_missed": float(best < np.float32(self.prepared.score)),
        }
