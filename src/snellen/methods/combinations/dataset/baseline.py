"""Random photographs of a data set, asked as they are: what compositions are compared with.

The paper selects as many images of the data set at random as there are compositions, and compares
what both reveal. Their answers are measured beside the tests and are in no rate of the run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.contract.verdict import BASELINE
from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.scenes.scene import Scene, SceneSet
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.vision.arrays import F32, Bools, Ints
from snellen.vision.label_vector import LabelVector

COMPARED = "were photographs to compare with"
"""Why no composition was tested in such a unit."""


@dataclass(frozen=True, eq=False)
class LabelledPhotograph:
    """A photograph and the class ids of what is in it."""

    scene: Scene
    shown: frozenset[int]


def labelled_photographs(
    scenes: SceneSet, classes: Sequence[str], count: int, seed: int
) -> tuple[LabelledPhotograph, ...]:
    """Up to `count` annotated scenes, drawn at random without replacement.

    Labels of crowds are present, too; labels that the subject does not have are left out.
    """
    known = {plain_name(name): id for id, name in enumerate(classes)}
    own = [known.get(plain_name(name)) for name in scenes.classes]
    if not any(one is not None for one in own):
        raise UserError(
            "combinations.baseline: the scenes and the subject share no label. Give scenes that "
            "are annotated with the subject's labels."
        )
    annotated = [scene for scene in scenes if scene.annotations is not None]
    rng = np.random.default_rng([seed, len(annotated)])
    chosen = sorted(rng.permutation(len(annotated))[:count].tolist())
    return tuple(_labelled(annotated[place], own) for place in chosen)


def _labelled(scene: Scene, own: Sequence[int | None]) -> LabelledPhotograph:
    assert scene.annotations is not None
    ids = {own[label] for label in scene.annotations.labels.tolist()}
    return LabelledPhotograph(scene, frozenset(one for one in ids if one is not None))


@dataclass(frozen=True, eq=False)
class BaselineAnswers:
    """truth: (N, n) labels present. scores: (N, n). failing: (N,) hard errors. places: (N,)."""

    truth: Bools
    scores: F32
    failing: Bools
    places: Ints


def baseline_answers(journal: Journal) -> BaselineAnswers | None:
    """The answers on the photographs of a run; None without any."""
    rows = journal.rows(
        "SELECT b.value, a.value, c.status = 'failing', c.unit FROM cases c "
        "JOIN predictions b ON b.number = c.before JOIN predictions a ON a.number = c.after "
        "WHERE c.role = ? ORDER BY c.unit, c.number",
        (BASELINE,),
    )
    if not rows:
        return None
    truth, scores = (np.array([_scores(row[side]) for row in rows]) for side in (0, 1))
    return BaselineAnswers(
        truth > 0,
        scores,
        np.array([row[2] for row in rows], dtype=bool),
        np.array([row[3] for row in rows], dtype=np.int64),
    )


def _scores(text: str) -> F32:
    found = prediction_from_text(text)
    assert isinstance(found, LabelVector)
    return found.scores
