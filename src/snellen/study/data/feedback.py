"""Whether an answer is right, for the feedback of practice and for qualification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from snellen.study.estimates.scores.outline_mask import mask_iou, outline_mask
from snellen.study.record import PlannedTrial, TrueObject
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    Recorded,
    ShownPicture,
    StudyAnswer,
)
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.masks.rle_masks import Masks

OVERLAP = 0.5
"""IoU from which a box or an outline counts as right."""
FOUND = 0.5
"""Share of the objects to find in `localise`; one that is missed at a glance is forgiven."""


def feedback(
    trial: PlannedTrial,
    picture: ShownPicture,
    objects: Sequence[TrueObject],
    answer: StudyAnswer,
) -> Recorded:
    """Whether an answer is right, and what was expected; neither for a ranking.

    objects: of the trial's scene, those that people are asked to find.
    """
    if isinstance(answer, ClassAnswer):
        return Recorded(correct=answer.choice == trial.right, solution=trial.right)
    if isinstance(answer, BoxesAnswer):
        return Recorded(correct=_found(answer, objects), solution=_things(objects))
    if isinstance(answer, OutlineAnswer):
        right = _outlined(trial, picture, objects, answer)
        return Recorded(correct=right, solution=f"Outline the {trial.label} in the box.")
    return Recorded()


def _found(answer: BoxesAnswer, objects: Sequence[TrueObject]) -> bool:
    if not objects:
        return not answer.boxes
    if not answer.boxes:
        return False
    shares = iou(np.array([one.box for one in objects]), np.array(answer.boxes))
    return float((shares.max(axis=1) >= OVERLAP).mean()) >= FOUND


def _things(objects: Sequence[TrueObject]) -> str:
    if not objects:
        return "There is nothing to find here."
    counts = Counter(one.label for one in objects)
    return f"To be found: {', '.join(f'{count} {label}' for label, count in counts.items())}."


def _outlined(
    trial: PlannedTrial,
    picture: ShownPicture,
    objects: Sequence[TrueObject],
    answer: OutlineAnswer,
) -> bool:
    size = (picture.height, picture.width)
    masks = [one.mask for one in objects if one.id == trial.object and one.mask is not None]
    if not masks:
        return bool(answer.polygons or answer.strokes)
    true = Masks.from_coco(masks, size).to_array()[0]
    return mask_iou(true, outline_mask(answer, size)) >= OVERLAP
