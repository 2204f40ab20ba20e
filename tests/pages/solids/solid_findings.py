"""Findings of camera+LiDAR systems made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.pages.solids.solid_case import SolidCase
from snellen.store.findings import EventRow, Finding
from tests.store.test_findings import event, finding

CAR = (20.0, 3.0, -0.9, 4.0, 1.7, 1.5, 0.0)
NEW = (12.0, -2.0, -0.9, 4.2, 1.8, 1.6, 0.3)
HIDDEN = (40.0, 6.0, -0.9, 4.2, 1.8, 1.6, 0.0)
CLASSES = ("Car", "Cyclist")


def solid_event(kind: str = "lost", **more: Any) -> EventRow:
    values = {"name": "Car", "solid": CAR, "box": (100.0, 100.0, 150.0, 140.0)}
    return event(kind, **{**values, **more})


def solid_finding(*events: EventRow, **more: Any) -> Finding:
    objects = [["sedan-3", 12.0, -2.0, -1.7, 0.3], ["van-0", 40.0, 6.0, -1.7, 0.0]]
    recipe = {"kind": "insert3d", "objects": objects, "seed": 1, "sensors": "both"}
    return finding("ab12", "000003", *events, **{"recipe": recipe, **more})


def solid_case(seed: int = 0, count: int = 3000) -> SolidCase:
    """Points on a plain ground, and some on the nearer of two things that were put in."""
    rng = np.random.default_rng(seed)
    ground = rng.uniform((-5, -30, -1.8), (70, 30, -1.7), (count, 3))
    on = rng.uniform(-0.5, 0.5, (200, 3)) * NEW[3:6] + NEW[:3]
    points = np.concatenate([ground, on]).astype(np.float32)
    new = np.arange(len(points)) >= count
    return SolidCase(
        points,
        new,
        labelled=np.array([CAR]),
        inserted=np.array([NEW, HIDDEN]),
        inserted_image=np.array([[300, 100, 420, 200], [0, 0, 0, 0]], np.float32),
    )
