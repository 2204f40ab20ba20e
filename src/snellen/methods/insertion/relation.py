"""From an answer to a judged case: by events, or as published."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.changes.recipe import Recipe
from snellen.contract.questions import Answer
from snellen.contract.verdict import Case, Status, status_of
from snellen.methods.confirmation import RepeatCheck, detections_in
from snellen.methods.free_places import Box, pasted_box
from snellen.methods.insertion.comparison import (
    InsertedOutcome,
    InsertionComparison,
    compare_insertion,
)
from snellen.methods.insertion.options import InsertionOptions
from snellen.methods.insertion.plan import PlannedInsertion
from snellen.methods.insertion.published_oracle import fails_as_published
from snellen.methods.paste_controls import PasteControl
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections
from snellen.vision.events import Event, compare_predictions


@dataclass(frozen=True, eq=False)
class InsertionRelation:
    """Judges the cases of one scene against what the subject saw in the scene itself."""

    options: InsertionOptions
    score: float
    before: Detections

    def insertion(
        self, planned: PlannedInsertion, answer: Answer, role: str, **facts: float
    ) -> Case:
        """An insertion, judged; what became of the inserted object itself is a measurement."""
        box = pasted_box(planned.recipe)
        after = detections_in(answer)
        found = self._compared(after, box, planned.label)
        measurements = {
            **answer.measurements,
            "gap": planned.gap,
            "target": float(planned.target),
            "inserted_score": round(found.score, 4),
            "inserted_missed": float(found.inserted != InsertedOutcome.FOUND),
            **facts,
        }
        return self._case(planned.recipe, role, after, found.events, box, measurements)

    def control(self, control: PasteControl, answer: Answer) -> Case:
        """A control, judged as an insertion is."""
        role = f"control:{control.name}"
        return self.unchanged(control.question.recipe, role, control.box, detections_in(answer))

    def unchanged(self, recipe: Recipe, role: str, box: Box | None, after: Detections) -> Case:
        """A case in which nothing may change, but for what is in the box, if there is one."""
        if box is None:
            events = compare_predictions(
                self.before,
                after,
                score=self.score,
                iou=self.options.iou,
                hysteresis=self.options.hysteresis,
            )
        else:
            events = self._compared(after, box, None).events
        return self._case(recipe, role, after, events, box, {})

    def steady(self, scene: Scene) -> RepeatCheck:
        """How findings of the scene are confirmed."""
        options = self.options
        return RepeatCheck(
            scene, self.before, options.confirmations, self.score, options.iou, options.hysteresis
        )

    def _compared(self, after: Detections, box: Box, label: int | None) -> InsertionComparison:
        return compare_insertion(
            self.before,
            after,
            box,
            label,
            score=self.score,
            iou_threshold=self.options.iou,
            hysteresis=self.options.hysteresis,
        )

    def _case(
        self,
        recipe: Recipe,
        role: str,
        after: Detections,
        events: tuple[Event, ...],
        box: Box | None,
        measurements: dict[str, float],
    ) -> Case:
        status = status_of(events)
        if self.options.as_published:
            failed = fails_as_published(self.before, after, box, self.score)
            status = Status.FAILING if failed else Status.HOLDS
        return Case(recipe, role, status, after, self.before, events, measurements)
