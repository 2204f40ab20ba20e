"""Whether an answer fits the trial it was given to."""

from __future__ import annotations

from collections.abc import Iterable

from snellen.study.participation import InvalidAnswerError
from snellen.study.record import PlannedTrial
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    RankAnswer,
    ShownPicture,
    StudyAnswer,
    StudyTask,
)

KINDS: dict[StudyTask, type] = {
    StudyTask.CLASSIFY: ClassAnswer,
    StudyTask.LOCALISE: BoxesAnswer,
    StudyTask.CLASSIFY_BOX: ClassAnswer,
    StudyTask.SEGMENT: OutlineAnswer,
    StudyTask.RANK: RankAnswer,
}


def check_answer(trial: PlannedTrial, picture: ShownPicture, answer: StudyAnswer) -> None:
    """Raise unless an answer is one that the trial's page can give. picture: its stimulus."""
    if not isinstance(answer, KINDS[trial.task]):
        raise InvalidAnswerError(f"An answer of another kind than '{trial.task}' takes.")
    if isinstance(answer, ClassAnswer) and answer.choice not in trial.choices:
        raise InvalidAnswerError("This choice was not offered.")
    if isinstance(answer, BoxesAnswer):
        for box in answer.boxes:
            _check_box(box, picture)
    if isinstance(answer, OutlineAnswer):
        _check_points(answer, picture)
    if isinstance(answer, RankAnswer) and sorted(answer.order) != sorted(trial.samples):
        raise InvalidAnswerError("The order must have each picture once.")


def _check_box(box: tuple[float, float, float, float], picture: ShownPicture) -> None:
    x1, y1, x2, y2 = box
    if not (x1 < x2 and y1 < y2):
        raise InvalidAnswerError("A box must have a width and a height.")
    _check_inside([(x1, y1), (x2, y2)], picture)


def _check_points(answer: OutlineAnswer, picture: ShownPicture) -> None:
    for polygon in answer.polygons:
        _check_inside(polygon, picture)
    for stroke in answer.strokes:
        _check_inside(stroke.points, picture)


def _check_inside(points: Iterable[tuple[float, float]], picture: ShownPicture) -> None:
    if any(x > picture.width or y > picture.height for x, y in points):  # never below 0
        raise InvalidAnswerError("A point is outside the picture.")
