"""How answers are scored, and which are left out."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from snellen.study.trial import StudyValue

Share = Annotated[float, Field(gt=0, le=1)]


class ScoreOptions(StudyValue):
    """What counts as right, and as an answer.

    box_iou, mask_iou: the least IoU of a box, and of an outline, with its object. frames: by how
    many frames of the participant's display a flash may miss the time aimed at; None to keep all.
    keep_hidden: keep answers during which the page lost focus.
    """

    box_iou: Share = 0.5
    mask_iou: Share = 0.5
    frames: Annotated[float, Field(ge=0)] | None = 1.0
    keep_hidden: bool = False
