"""Evidence with a known truth: subjects whose subtasks hold or break as configured."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import special

from snellen.methods.human.people import ThresholdSource
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.vision.arrays import F64, AnyArray, Ints
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes

Rate = Callable[[F64], F64]
SUBTASKS = ("localise", "classify", "segment")
CLASSES = ("person", "bus")
LIKENESS = 0.2
SCORE = 0.3


def steady(rate: float) -> Rate:
    return lambda delta_v: np.full(delta_v.shape, rate)


def falling(rate: float, start: float, by: float) -> Rate:
    return lambda delta_v: np.where(delta_v > start, rate - by, rate)


RATES = (steady(0.75), steady(0.93), steady(0.9))
"""Detection has a recall of 0.7 and a precision of 0.8 with these and as many false ones."""
FALSE = steady(0.36)


def simulated(
    rng: np.random.Generator,
    scenes: int = 1000,
    cases: int = 1,
    *,
    rates: tuple[Rate, Rate, Rate] = RATES,
    false: Rate = FALSE,
    redrawn: bool = False,
    most: float = 0.9,
    kind: str = "correctness",
) -> RunEvidence:
    """Scenes as they are and `cases` of each with frost.

    rates: how often an object is localised, classified, segmented, by visual change. false: false
    detections in an image. redrawn: images are independent, else the same objects are found as
    far as the rates are the same. Objects of one scene are alike. Both labels behave alike.
    """
    blocks = cases + 1
    delta_v = np.zeros((blocks, scenes))
    delta_v[1:] = (np.arange(cases)[:, None] + rng.random((cases, scenes))) * most / cases
    owner = np.repeat(np.arange(scenes), 1 + rng.poisson(1.5, scenes))
    truth = rng.integers(0, 4, len(owner)) // 3
    change = delta_v[:, owner]
    passed = np.ones(change.shape, dtype=bool)
    stage = np.zeros(change.shape, dtype=np.int64)
    for rate in rates:
        passed = passed & (_alike(rng, owner, blocks, redrawn) < rate(change))
        stage += passed
    label = np.where(stage == 1, 1 - truth, truth)
    score = _scores(rng, 5, 2, blocks, len(owner), redrawn)
    seen = stage > 0
    where = (np.arange(blocks)[:, None] * scenes + owner)[seen]
    truths = np.broadcast_to(truth, change.shape)[seen]
    first = np.searchsorted(owner, np.arange(scenes))
    place = np.broadcast_to(np.arange(len(owner)) - first[owner], change.shape)[seen]
    hits = (where, score[seen], label[seen], truths, stage[seen], place)
    misses = _false(rng, delta_v, false, redrawn)
    columns = [np.concatenate(pair) for pair in zip(hits, misses, strict=True)]
    objects = _pieces(truth, owner, scenes)
    outcomes = _split(columns, blocks * scenes, objects * blocks)
    names = np.repeat(np.array([CLEAN, "frost"]), [scenes, cases * scenes])
    scene = np.tile(np.arange(scenes), blocks)
    return RunEvidence(
        kind, SUBTASKS, scene, names, delta_v.ravel(), outcomes, SCORE, CLASSES
    )  # fmt: skip


def requirement(**values: Any) -> Requirement:
    """One for person under frost up to 0.9, with whatever is said otherwise."""
    common: dict[str, Any] = {
        "name": "one",
        "task": "segmentation",
        "subtask": "localise",
        "label": "person",
        "transformation": "frost",
        "measure": "vifp(sigma_nsq=2.0)",
        "threshold": 0.9,
        "source": ThresholdSource(study="made up"),
    }
    made = {**common, **values}
    made.setdefault("thresholds", (made["threshold"],))
    return Requirement(**made)


def _alike(rng: np.random.Generator, owner: Ints, blocks: int, redrawn: bool) -> F64:
    """(blocks, M) uniform numbers, alike for objects of one scene."""
    rows = blocks if redrawn else 1
    scenes = int(owner[-1]) + 1
    z = np.sqrt(LIKENESS) * rng.standard_normal((rows, scenes))[:, owner]
    z = z + np.sqrt(1 - LIKENESS) * rng.standard_normal((rows, len(owner)))
    return np.broadcast_to(special.ndtr(z), (blocks, len(owner)))


def _scores(
    rng: np.random.Generator, a: float, b: float, blocks: int, count: int, redrawn: bool
) -> F64:
    drawn = SCORE + (1 - SCORE) * rng.beta(a, b, (blocks if redrawn else 1, count))
    return np.broadcast_to(drawn, (blocks, count))


def _false(
    rng: np.random.Generator, delta_v: F64, rate: Rate, redrawn: bool
) -> tuple[AnyArray, ...]:
    """Case, score, label, truth, stage and object of false detections."""
    blocks, scenes = delta_v.shape
    limit = 6
    draws = np.broadcast_to(
        rng.random((blocks if redrawn else 1, scenes, limit)), (blocks, scenes, limit)
    )
    there = draws < (rate(delta_v) / limit)[:, :, None]
    case = np.arange(blocks * scenes).reshape(blocks, scenes, 1)
    label = np.broadcast_to(rng.integers(0, 4, (scenes, limit)) // 3, there.shape)
    score = _scores(rng, 2, 4, blocks, scenes * limit, redrawn).reshape(there.shape)
    none = np.zeros(int(there.sum()), dtype=np.int64)
    return (
        np.broadcast_to(case, there.shape)[there], score[there], label[there], none - 1, none,
        none - 1,
    )  # fmt: skip


def _pieces(values: AnyArray, owner: Ints, count: int) -> list[AnyArray]:
    """The values of each of `count` owners, which rise."""
    bounds = np.searchsorted(owner, np.arange(count + 1)).tolist()
    return [values[low:high] for low, high in pairwise(bounds)]


def _split(columns: list[AnyArray], cases: int, objects: list[Ints]) -> tuple[SubtaskOutcomes, ...]:
    order = np.argsort(columns[0], kind="stable")
    case, score, *rest = (one[order] for one in columns)
    parts = [_pieces(one, case, cases) for one in (score.astype(np.float32), *rest)]
    *most, places = parts
    return tuple(SubtaskOutcomes(*row) for row in zip(*most, objects, places, strict=True))
