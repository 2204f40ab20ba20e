"""What a study and its server exchange: trials as shown, answers, and how far a participant is.

Nothing here says what is true of a trial: a participant's browser sees all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field


class StudyTask(StrEnum):
    """What a participant is asked to do with a picture."""

    CLASSIFY = "classify"
    LOCALISE = "localise"
    CLASSIFY_BOX = "classify-box"
    SEGMENT = "segment"
    RANK = "rank"


class TrialKind(StrEnum):
    """Why a trial is shown: to learn, to be admitted, to measure, or to check attention."""

    PRACTICE = "practice"
    QUALIFICATION = "qualification"
    TEST = "test"
    SANITY = "sanity"


class Stage(StrEnum):
    """Where a participant is in the study."""

    CONSENT = "consent"
    INSTRUCTIONS = "instructions"
    PRACTICE = "practice"
    QUALIFICATION = "qualification"
    BATCHES = "batches"
    FINISHED = "finished"
    UNQUALIFIED = "unqualified"
    PAUSED = "paused"


class StudyValue(BaseModel):
    """An immutable value; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Pixel: TypeAlias = Annotated[float, Field(ge=0, le=20_000, allow_inf_nan=False)]
StudyBox: TypeAlias = tuple[Pixel, Pixel, Pixel, Pixel]
"""x1, y1, x2, y2 in pixels of the picture, x1 < x2 and y1 < y2."""
Corner: TypeAlias = tuple[Pixel, Pixel]


class ShownPicture(StudyValue):
    """A picture that a trial shows. name: opaque; width, height: in pixels."""

    name: str
    width: int
    height: int


class ShownTrial(StudyValue):
    """One trial as the participant's browser receives it.

    trial: its opaque name. kind: `sanity` is sent as `test`. box: for `classify-box` and
    `segment`. label: the class to outline, for `segment`. choices: the answers offered, for
    `classify` and `classify-box`. flash_ms: how long the picture is visible, None for no limit.
    box_seconds: the time for each box, for `localise`. place, of: within the batch or the part of
    the practice, from 1.
    """

    trial: str
    task: StudyTask
    kind: TrialKind
    pictures: tuple[ShownPicture, ...]
    choices: tuple[str, ...] = ()
    box: StudyBox | None = None
    label: str | None = None
    flash_ms: float | None = None
    box_seconds: float | None = None
    place: int = 1
    of: int = 1


class ClassAnswer(StudyValue):
    """The choice in `classify` and `classify-box`."""

    kind: Literal["choice"] = "choice"
    choice: Annotated[str, Field(max_length=200)]


class BoxesAnswer(StudyValue):
    """The boxes drawn in `localise`, in the order drawn."""

    kind: Literal["boxes"] = "boxes"
    boxes: Annotated[tuple[StudyBox, ...], Field(max_length=100)]


class Stroke(StudyValue):
    """One stroke of a brush. radius: in pixels of the picture."""

    points: Annotated[tuple[Corner, ...], Field(min_length=1, max_length=2_000)]
    radius: Annotated[float, Field(gt=0, le=500, allow_inf_nan=False)]
    erases: bool = False


class OutlineAnswer(StudyValue):
    """The outline drawn in `segment`: polygons, or strokes of a brush.

    strokes: lines of points painted with a round brush; an erasing stroke removes what earlier
    ones painted.
    """

    kind: Literal["outline"] = "outline"
    polygons: Annotated[
        tuple[Annotated[tuple[Corner, ...], Field(min_length=3, max_length=500)], ...],
        Field(max_length=20),
    ] = ()
    strokes: Annotated[tuple[Stroke, ...], Field(max_length=500)] = ()


class RankAnswer(StudyValue):
    """The pictures of `rank` by name, the most natural first."""

    kind: Literal["order"] = "order"
    order: Annotated[
        tuple[Annotated[str, Field(max_length=64)], ...], Field(min_length=2, max_length=12)
    ]


StudyAnswer: TypeAlias = Annotated[
    ClassAnswer | BoxesAnswer | OutlineAnswer | RankAnswer, Field(discriminator="kind")
]

Milliseconds: TypeAlias = Annotated[float, Field(ge=0, le=86_400_000, allow_inf_nan=False)]


class Exposure(StudyValue):
    """How long the picture was really visible, by the timestamps of frames in the browser.

    shown_ms: from the frame that first showed the picture to the frame that first showed the mask.
    frame_ms: the median time between frames. hidden: whether the page lost focus or visibility
    during the trial.
    """

    shown_ms: Milliseconds | None = None
    frame_ms: Milliseconds | None = None
    hidden: bool = False


class Recorded(StudyValue):
    """What is said after an answer.

    correct, solution: only in practice; the right choice, or a sentence about what was expected.
    """

    correct: bool | None = None
    solution: str | None = None


class Progress(StudyValue):
    """How far a participant is. done, of: trials of this stage; share: of the whole session."""

    stage: Stage
    task: StudyTask | None = None
    done: int = 0
    of: int = 0
    share: Annotated[float, Field(ge=0, le=1)] = 0.0


class AnswerBin(StudyValue):
    """Answers so far in one bin of visual change."""

    delta_v: float
    share: float
    answers: int


class StudyCurve(StudyValue):
    """Human performance so far for one task, class and corruption.

    threshold: value, low, high of the fitted curve; None while it cannot be fitted. wanted: the
    length of interval that the study aims at, and how many more answers it would take.
    """

    task: StudyTask
    label: str
    transformation: str
    bins: tuple[AnswerBin, ...]
    threshold: tuple[float, float, float] | None = None
    more_answers: int | None = None


class Overview(StudyValue):
    """The state of a study, for its owner.

    stages: participants in each. answers: by task. exposures: share of flashes within one frame
    of the target, and how many were measured.
    """

    name: str
    running: bool
    stages: Mapping[Stage, int]
    answers: Mapping[StudyTask, int]
    expected: Mapping[StudyTask, int]
    exposures: tuple[float, int] | None
    curves: tuple[StudyCurve, ...]
