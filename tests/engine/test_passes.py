"""A pass reaches the subject with its number, is cached by it, and mixes with plain questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.contract.method import Unit
from snellen.contract.questions import Question, Questions
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.engine.prediction_cache import open_predictions
from snellen.subjects.passes import Draws, Pass
from snellen.subjects.subject import Input, Task
from snellen.vision.detections import Detections
from tests.engine.probe_method import Probing
from tests.engine.test_same_rows import SCENES, probe

PASSES = 3


@dataclass
class Drawing:
    """Finds one box whose place encodes the pass; 0 for none."""

    name: str = "drawing"
    task: Task = Task.DETECTION
    classes: tuple[str, ...] = ("thing",)
    fingerprint: str = "drawing"
    score: float = 0.5
    batch: int = 4
    deterministic: bool = True
    tolerance: float = 0.0
    draws: bool = True
    asked: list[int] = field(default_factory=list)

    def predict(self, images: Sequence[Input]) -> list[Detections]:
        numbers = [one.number if isinstance(one, Pass) else 0 for one in images]
        self.asked += numbers
        label, score = np.zeros(1, np.int64), np.full(1, 0.9, np.float32)
        boxes = [np.array([[n, 0, n + 5, 5]], np.float32) for n in numbers]
        return [Detections(box, label, score) for box in boxes]

    def close(self) -> None:
        pass


class Passing(Probing):
    """Asks about each unchanged scene, then for each of its passes."""

    def examine(self, unit: Unit, rng: Generator) -> Questions:
        answers = yield [Question(unit.scene, Identity(), draw=n) for n in range(PASSES + 1)]
        cases = [Case(Identity(), TEST, Status.HOLDS, one.prediction) for one in answers]
        return Verdict(tuple(cases))


def firsts(journal: Any) -> list[list[float]]:
    from snellen.store.codec import prediction_from_text

    rows = journal.rows(
        'SELECT c.unit, p.value FROM cases c JOIN predictions p ON p.number = c."after" '
        "ORDER BY c.unit, c.number"
    )
    boxes = [prediction_from_text(text).boxes[0, 0] for _, text in rows]  # type: ignore[union-attr]
    return np.array(boxes).reshape(-1, PASSES + 1).tolist()


def test_each_pass_gets_its_own_answer_and_no_other(tmp_path: Path) -> None:
    subject = Drawing()
    assert isinstance(subject, Draws)
    _, _, journal = probe(tmp_path, subject, method=Passing(SCENES))
    assert firsts(journal) == [[0, 1, 2, 3]] * len(SCENES)


def test_a_stored_pass_is_not_taken_for_another_or_for_the_plain_answer(tmp_path: Path) -> None:
    store = tmp_path / "cache"
    store.mkdir()
    first, again = Drawing(), Drawing()
    probe(tmp_path / "a", first, open_predictions(store, "drawing"), Passing(SCENES))
    _, tally, journal = probe(
        tmp_path / "b", again, open_predictions(store, "drawing"), Passing(SCENES)
    )
    assert sorted(first.asked) == sorted([0, 1, 2, 3] * len(SCENES))
    assert again.asked == []
    assert tally.cache_hits == 4 * len(SCENES)
    assert firsts(journal) == [[0, 1, 2, 3]] * len(SCENES)
