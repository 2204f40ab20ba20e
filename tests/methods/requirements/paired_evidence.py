"""Evidence on the same objects before and after a change, with a known loss."""

from __future__ import annotations

import numpy as np
from scipy import special

from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes

WRONG = 0.2
"""The share of objects that are missed before the change."""
LIKENESS = 0.3
"""The correlation of objects of one scene."""


def paired_evidence(
    rng: np.random.Generator,
    scenes: int,
    objects: int,
    *,
    alike: float = 1.0,
    lost: float = 0.0,
    false: float = 0.0,
) -> RunEvidence:
    """Scenes unchanged and with frost, each with `objects`, and false detections.

    alike: how similar the two answers are, 1 for the same answer. lost: points of recall. false:
    further false detections in each changed image; there are 2 in each unchanged one.
    """
    drawn = rng.standard_normal((2, scenes, objects + 1))
    drawn[1] = alike * drawn[0] + np.sqrt(1 - alike**2) * drawn[1]
    latent = np.sqrt(LIKENESS) * drawn[..., :1] + np.sqrt(1 - LIKENESS) * drawn[..., 1:]
    found = special.ndtr(latent) >= WRONG + np.array([0.0, lost])[:, None, None]
    wrong = np.full((2, scenes), rng.poisson(2, scenes))
    wrong[1] = rng.binomial(wrong[0], alike) + rng.poisson(2 * (1 - alike), scenes)
    wrong[1] += rng.poisson(false, scenes)
    outcomes = [
        _outcomes(found[side, scene], int(wrong[side, scene]))
        for side in range(2)
        for scene in range(scenes)
    ]
    return RunEvidence(
        "correctness",
        ("localise", "classify"),
        np.tile(np.arange(scenes), 2),
        np.repeat(np.array([CLEAN, "frost"]), scenes),
        np.concatenate([np.zeros(scenes), rng.uniform(0, 0.9, scenes)]),
        tuple(outcomes),
        0.3,
        ("person",),
    )


def _outcomes(found: np.ndarray, wrong: int) -> SubtaskOutcomes:
    """An answer that has some objects, and false detections."""
    places = np.flatnonzero(found)
    none = np.full(wrong, -1)
    total = len(places) + wrong
    return SubtaskOutcomes(
        np.full(total, 0.9, np.float32),
        np.zeros(total, np.int64),
        np.concatenate([np.zeros(len(places), np.int64), none]),
        np.concatenate([np.full(len(places), 2), np.zeros(wrong, np.int64)]),
        np.zeros(len(found), np.int64),
        np.concatenate([places, none]),
    )
