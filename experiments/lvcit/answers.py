"""The answers of a subject on labelled images, and measures of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from snellen.contract.verdict import TEST
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import SceneSet
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL
from snellen.subjects.subject import Subject
from snellen.vision.events import HYSTERESIS, Severity
from snellen.vision.label_events import judge_labels
from snellen.vision.label_pairs import interaction_accuracy, present_accuracy
from snellen.vision.label_vector import LabelVector

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Answers:
    """truth: (N, n) bool, labels present. scores: (N, n). score: the threshold."""

    truth: Flags
    scores: npt.NDArray[np.float32]
    score: float

    @property
    def predicted(self) -> Flags:
        """(N, n): labels at or above the threshold."""
        return np.asarray(self.scores >= np.float32(self.score))

    @property
    def wrong(self) -> Flags:
        """(N,): any difference, as published."""
        return np.asarray((self.truth != self.predicted).any(axis=1))

    @property
    def failing(self) -> Flags:
        """(N,): a hard difference."""
        pairs = zip(self.truth, self.scores, strict=True)
        return np.array(
            [
                any(
                    event.severity == Severity.HARD
                    for event in judge_labels(
                        truth, LabelVector(scores), score=self.score, hysteresis=HYSTERESIS
                    )
                )
                for truth, scores in pairs
            ],
            dtype=bool,
        )

    def accuracy(self) -> tuple[float, float]:
        """Mean interaction accuracy, and that of pairs with a label present."""
        whole = interaction_accuracy(self.truth, self.predicted)
        present = present_accuracy(self.truth, self.predicted)
        return float(whole.mean()), float(np.nanmean(present))


def photograph_answers(subject: Subject, scenes: SceneSet) -> Answers:
    """The subject's answers on annotated photographs; labels of crowds are present too."""
    known = {plain_name(name): label for label, name in enumerate(subject.classes)}
    own = [known[plain_name(name)] for name in scenes.classes]
    truth = np.zeros((len(scenes), len(subject.classes)), dtype=bool)
    vectors: list[LabelVector] = []
    for place, scene in enumerate(scenes):
        assert scene.annotations is not None
        truth[place, [own[label] for label in scene.annotations.labels]] = True
        vectors += _vectors(subject.predict([scene.pixels()]))
    return Answers(truth, np.array([one.rounded().scores for one in vectors]), subject.score)


def composition_answers(folder: Path) -> Answers:
    """The answers on the compositions of a run."""
    with closing(Journal(folder / JOURNAL)) as journal:
        rows = journal.rows(
            "SELECT b.value, a.value FROM cases c JOIN predictions b ON b.number = c.before "
            "JOIN predictions a ON a.number = c.after WHERE c.role = ? ORDER BY c.unit, c.number",
            (TEST,),
        )
        score = float(journal.get("subject")["score"])
    read = [_vectors([prediction_from_text(text) for text in row]) for row in rows]
    truth = np.array([before.scores > 0 for before, _ in read])
    return Answers(truth, np.array([after.scores for _, after in read]), score)


def _vectors(predictions: Sequence[object]) -> list[LabelVector]:
    found = [one for one in predictions if isinstance(one, LabelVector)]
    assert len(found) == len(predictions)
    return found
