"""Misses that ignore company get no verdict about combinations, however many objects there are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.combinations.own_numbers import CombinationNumbers
from snellen.report.summary import write_summary
from snellen.store.summary import Summary
from snellen.store.verdict_summary import VerdictStatus
from snellen.subjects.planted.chance import chance, image_digest
from snellen.subjects.planted.perfect_classifier import PerfectClassifier
from snellen.vision.arrays import Image
from snellen.vision.label_vector import LabelVector

NAMES = tuple(f"c{number:02d}" for number in range(8))
MISSED = 0.15


def forgetful(images: Sequence[Image]) -> list[LabelVector]:
    """Each label is missed in 15% of the pictures that show it, by a hash of the pixels."""
    found = []
    for image, one in zip(images, PerfectClassifier(classes=NAMES).predict(images), strict=True):
        digest, scores = image_digest(image), one.scores.copy()
        for label in range(len(scores)):
            scores[label] *= chance(digest, label) >= MISSED
        found.append(LabelVector(scores))
    return found


def shy(images: Sequence[Image]) -> list[LabelVector]:
    """c00 is missed beside anything, and never alone."""
    found = []
    for one in PerfectClassifier(classes=NAMES).predict(images):
        scores = one.scores.copy()
        scores[0] *= (scores > 0.5).sum() < 2
        found.append(LabelVector(scores))
    return found


def examined(subject: str, seed: int, folder: Path, patch: pytest.MonkeyPatch) -> Summary:
    patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
    target = f"{__name__}:{subject}"
    campaign = campaign_from(
        {
            "method": "combinations",
            "seed": seed,
            "subject": {
                "kind": "python",
                "target": target,
                "task": "labels",
                "classes": NAMES,
                "deterministic": True,
            },
            "objects": {"kind": "synthetic", "count": 24, "seed": 3, "classes": NAMES}
            | {"prune": "none"},
            "combinations": {"images": 4, "longest": 160, "validated": False, "effort": "quick"},
            "engine": {"workers": 0, "cache": False},
            "out": "run",
        },
        folder / "c.yaml",
    )
    run_campaign(campaign)
    return write_summary(campaign.out_folder)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(2, 21))]
)
def test_misses_that_ignore_labels_get_no_verdict_about_combinations(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = examined("forgetful", seed, tmp_path, monkeypatch)
    assert not summary.errors
    assert summary.failure_rate.value is not None
    assert summary.failure_rate.value > MISSED, "a composition has several chances"
    assert summary.verdict.status != VerdictStatus.FAILURES
    own = CombinationNumbers.model_validate(summary.own)
    assert own.interaction.images <= 0.05 * own.images
    assert summary.faults.proven == 0


def test_a_label_that_company_hides_is_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = examined("shy", 1, tmp_path, monkeypatch)
    assert not summary.errors
    own = CombinationNumbers.model_validate(summary.own)
    assert own.interaction.images == summary.failing_cases > 5
    assert summary.control.failing == 0
    assert summary.faults.proven == 1
    assert summary.verdict.status != VerdictStatus.NO_MORE
