"""Checks: cases that hold if the tool is correct. They are never compared with.

zero: an insertion of nothing, which changes neither sensor. reencode: the image compressed once
more. identity: the same question again. out-of-view: an object behind the vehicle, which the
camera cannot see; a subject that reads the whole sweep may react to it, but at another place than
any test, so it is no control.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.measures.registry import VISIBILITY
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.questions import Question
from snellen.contract.verdict import CHECK
from snellen.methods.fusion.placing.pose import GroundPose
from snellen.methods.fusion.prepared_frame import SEEDS, MeshInsertion, PreparedFrame
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import NoPicture

KINDS = ("zero", "out-of-view", "reencode", "identity")
"""In turn."""
BEHIND = (8.0, 25.0)
"""Metres behind the vehicle of an out-of-view object."""
CLEAR = 4.0
"""Minimum metres from it to any labelled object."""
TRIES = 20


def frame_checks(frame: PreparedFrame, count: int, rng: Generator) -> list[PlannedCase]:
    """At most `count` checks, their kinds in turn from a random first one."""
    first = int(rng.integers(len(KINDS)))
    made = (_check(KINDS[(first + turn) % len(KINDS)], turn, frame, rng) for turn in range(count))
    return [check for check in made if check is not None]


def _check(kind: str, turn: int, frame: PreparedFrame, rng: Generator) -> PlannedCase | None:
    scene = frame.scene
    if kind == "identity" or (kind == "reencode" and isinstance(scene.picture, NoPicture)):
        repeated = Question(scene, Identity(), repeat=turn + 1)
        return PlannedCase(repeated, f"{CHECK}identity")
    if kind == "reencode":
        return PlannedCase(Question(scene, Reencode(*scene_encoding(scene))), f"{CHECK}{kind}")
    placed = None if kind == "zero" else _out_of_view(frame, rng)
    if kind != "zero" and placed is None:
        return None
    seed = int(rng.integers(SEEDS))
    recipe = Insert3D((), seed) if placed is None else frame.recipe([placed], seed)
    return PlannedCase(Question(scene, recipe, (VISIBILITY,)), f"{CHECK}{kind}")


def _out_of_view(frame: PreparedFrame, rng: Generator) -> MeshInsertion | None:
    """An object behind the vehicle, clear of labelled ones; None where no place is free.

    The ground there is known only by its height directly below the LiDAR, which is enough for an
    object that only the LiDAR can detect.
    """
    choice = frame.choices[int(rng.integers(len(frame.choices)))]
    for _ in range(TRIES):
        x, y = -rng.uniform(*BEHIND), rng.uniform(-6.0, 6.0)
        apart = np.hypot(frame.truth.boxes[:, 0] - x, frame.truth.boxes[:, 1] - y)
        if (apart > CLEAR + choice.size[0]).all():
            height = float(frame.placing.ground_height(x, y))
            return MeshInsertion.of(choice, GroundPose(float(x), float(y), height, 0.0))
    return None
