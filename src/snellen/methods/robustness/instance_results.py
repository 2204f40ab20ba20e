"""The results of one base instance: failure rate, distances, clusters."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from snellen.contract.verdict import Case, Status
from snellen.methods.robustness.base_contours import BaseContour
from snellen.methods.robustness.base_instances import BaseInstance
from snellen.methods.robustness.options import ClusterOptions, RobustnessOptions
from snellen.statistics.clustering import failure_clusters
from snellen.statistics.intervals import wilson_rate
from snellen.vision.arrays import F32
from snellen.vision.uncertainty import Uncertainty

HEAT_SIDE = 64
"""The longer side of a stored heat map in pixels."""


@dataclass(frozen=True, eq=False)
class InstanceResult:
    """A base instance with its results. why: the reason it has no tests, or ""."""

    base: BaseInstance
    outline: BaseContour
    uncertainty: Uncertainty | None
    truth_iou: float | None
    start: float | None = None
    reach: float | None = None
    why: str = ""


def instance_note(
    found: InstanceResult, cases: Sequence[Case], options: RobustnessOptions, rng: Generator
) -> dict[str, Any]:
    """The results as plain values; cases: its judged tests."""
    base, outline = found.base, found.outline
    return {
        "base": base.index,
        "label": base.label,
        "name": base.name,
        "score": base.score,
        "box": [round(side, 2) for side in base.box],
        "contour": str(outline.kind),
        "contour_wanted": outline.wanted,
        "points": np.round(outline.points, 1).tolist(),
        "heat": None if outline.heat is None else heat_text(outline.heat),
        "start": _rounded(found.start),
        "reach": _rounded(found.reach),
        "why": found.why,
        "uncertainty": None if found.uncertainty is None else _plain(found.uncertainty),
        "truth_iou": found.truth_iou,
        **_rate(cases),
        "as_published": sum(bool(case.events) for case in cases),
        "levels": levels_of(cases, options),
        **distances_of(cases),
        "clusters": clusters_of(base, cases, options.clusters, rng),
    }


def _rate(cases: Sequence[Case]) -> dict[str, Any]:
    """Failing over all tests, with Wilson's interval."""
    failing = sum(case.status == Status.FAILING for case in cases)
    rate = wilson_rate(failing, len(cases)).to_json()
    shares = {key: rate[key] for key in ("value", "low", "high")}
    return {"tests": len(cases), "failing": failing, "rate": _rounded_all(shares)}


def levels_of(cases: Sequence[Case], options: RobustnessOptions) -> list[dict[str, Any]]:
    """The failure rate at each level, nearest first, including levels without a test."""
    return [
        {
            "level": level,
            "share": share,
            **_rate([case for case in cases if case.measurements["level"] == level]),
        }
        for level, share in enumerate(options.shares, 1)
    ]


def distances_of(cases: Sequence[Case]) -> dict[str, float | None]:
    """Pixels to the contour of the nearest and farthest failing and the nearest passing test.

    The nearest passing and the farthest failing one bracket the distance where failures start.
    """
    failing, sound = (
        [case.measurements["distance"] for case in cases if (case.status == Status.FAILING) == bad]
        for bad in (True, False)
    )
    return {
        "smallest_failing_distance": min(failing, default=None),
        "largest_failing_distance": max(failing, default=None),
        "smallest_holding_distance": min(sound, default=None),
    }


def clusters_of(
    base: BaseInstance, cases: Sequence[Case], options: ClusterOptions, rng: Generator
) -> dict[str, Any]:
    """The clusters of failing places, tested against failures spread at random over the tests.

    sizes: failing places in each cluster, largest first. centres: of the clusters, x and y.
    of: the cluster of each failing test, in the order of tests, -1 for none.
    """
    places = np.array([[case.measurements["x"], case.measurements["y"]] for case in cases])
    bad = np.array([case.status == Status.FAILING for case in cases], dtype=bool)
    failing = places.reshape(-1, 2)[bad]
    if len(failing) < options.neighbours:
        return {"clusterable": False, "share": 0.0, "p_value": None, "sizes": [], "centres": [],
                "of": [-1] * len(failing)}  # fmt: skip
    found = failure_clusters(
        failing,
        base.diagonal,
        rng,
        places,
        radius=options.radius,
        neighbours=options.neighbours,
        share=options.share,
    )
    each = [failing[found.labels == number] for number in range(found.count)]
    return {
        "clusterable": bool(found.clusterable),
        "share": round(found.share, 4),
        "p_value": round(found.p_value, 4),
        "sizes": [len(one) for one in each],
        "centres": [one.mean(axis=0).round(1).tolist() for one in each],
        "of": found.labels.tolist(),
    }


def heat_text(heat: F32) -> str:
    """A heat map (H, W) in [0, 1] as a small grey PNG file in Base64, aspect ratio preserved."""
    import cv2

    height, width = heat.shape
    scale = min(1.0, HEAT_SIDE / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = cv2.resize(heat, size, interpolation=cv2.INTER_AREA)
    done, data = cv2.imencode(".png", np.rint(255 * np.clip(small, 0, 1)).astype(np.uint8))
    assert done
    return base64.b64encode(np.asarray(data).tobytes()).decode()


def _plain(unsure: Uncertainty) -> dict[str, float]:
    return {name: round(value, 4) for name, value in unsure.to_json().items()}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 2)


def _rounded_all(values: dict[str, Any]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 6) for name, value in values.items()}
