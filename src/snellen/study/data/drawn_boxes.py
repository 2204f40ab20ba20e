"""Trials about boxes that people drew, in place of those about annotated ones."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from snellen.study.data.design_rows import add_trial
from snellen.study.design.opaque_names import OpaqueNames
from snellen.study.design.question_plan import OTHER
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import PlannedTrial, TrueObject
from snellen.study.trial import BoxesAnswer, StudyBox, StudyTask
from snellen.vision.boxes.box_geometry import iou

OVERLAP = 0.5
"""IoU from which a drawn box is one of an object."""


@dataclass
class DrawnBoxes:
    """The boxes drawn so far by sample, and the trials made of them.

    parents: by the name of each added trial, the planned one in whose place it stands.
    """

    design: StudyDesign
    names: OpaqueNames
    parents: dict[str, str]
    boxes: dict[str, list[StudyBox]] = field(default_factory=dict)
    added: dict[str, PlannedTrial] = field(default_factory=dict)
    dealt: Counter[str] = field(default_factory=Counter)

    def draw(self, trial: PlannedTrial, answer: BoxesAnswer) -> None:
        """Take up the boxes of an answer to `localise`."""
        self.boxes.setdefault(trial.samples[0], []).extend(answer.boxes)

    def instead_of(
        self, trial: PlannedTrial, db: sqlite3.Connection, rng: random.Random
    ) -> PlannedTrial | None:
        """The trial about the drawn box that was dealt least; None while nobody drew one.

        A trial that is new is written to the database.
        """
        trials = [
            one for box in self.boxes.get(trial.samples[0], ()) if (one := self._about(trial, box))
        ]
        if not trials:
            return None
        least = min(self.dealt[one.trial] for one in trials)
        chosen = rng.choice([one for one in trials if self.dealt[one.trial] == least])
        if chosen.trial not in self.added:
            add_trial(db, chosen, trial.trial)
            self.added[chosen.trial] = chosen
            self.parents[chosen.trial] = trial.trial
        self.dealt[chosen.trial] += 1
        return chosen

    def _about(self, trial: PlannedTrial, box: StudyBox) -> PlannedTrial | None:
        """The trial about a box; None for an outline of no known object."""
        scene = self.design.scene_of(trial)
        found = _object_at(box, self.design.objects.get(scene, ()))
        change: dict[str, object] = {
            "trial": self.names.of("drawn", trial.trial, *box),
            "object": None,
            "box": box,
            "batch": None,
        }
        if trial.task == StudyTask.SEGMENT:
            if found is None:
                return None
            return trial.model_copy(update={**change, "label": found.label})
        right = found.label if found is not None and found.label in trial.choices else OTHER
        return trial.model_copy(update={**change, "right": right})


def _object_at(box: StudyBox, objects: tuple[TrueObject, ...]) -> TrueObject | None:
    if not objects:
        return None
    shares = iou([box], [one.box for one in objects])[0]
    best = int(shares.argmax())
    return objects[best] if shares[best] >= OVERLAP else None
