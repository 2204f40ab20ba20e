"""An answer, or a part of one, that is right or wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from snellen.study.record import ORIGINAL
from snellen.study.trial import OutlineAnswer, StudyTask, TrialKind


class ScoredUnit(StrEnum):
    """What is right or wrong: a whole answer, an object to be found, or a box that was drawn."""

    ANSWER = "answer"
    OBJECT = "object"
    BOX = "box"


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer to one trial; of `localise`, one for each object to find and each box drawn.

    label: the class asked about, or of the object; empty where there is none. object: the annotated
    object, None for none. chance: of being right by guessing. choice: of `classify` and
    `classify-box`. outline: of `segment`. place: its rank among the participant's answers.
    """

    participant: str
    trial: str
    place: int
    kind: TrialKind
    task: StudyTask
    scene: str
    transformation: str
    delta_v: float
    label: str
    object: str | None
    unit: ScoredUnit
    right: bool
    chance: float
    response_ms: float
    choice: str = ""
    outline: OutlineAnswer | None = None

    @property
    def unchanged(self) -> bool:
        """Whether the picture was an original."""
        return self.transformation == ORIGINAL
