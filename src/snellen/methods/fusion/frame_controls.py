"""Controls: cases that must not fail. Their rate is the noise floor of a failure rate.

zero: an insertion of nothing, which changes neither sensor. reencode: the image compressed once
more. identity: the same question again. out-of-view: an object behind the vehicle, which the
camera cannot see; everything in view must be detected as before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from snellen.changes.identity import Identity
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.reencode import Reencode, scene_encoding
from snellen.contract.questions import Question
from snellen.contract.verdict import CONTROL
from snellen.methods.fusion.placing.pose import GroundPose
from snellen.methods.fusion.prepared_frame import MeshInsertion, PreparedFrame
from snellen.methods.fusion.search.chain_search import MEASURES, SEEDS
from snellen.methods.planned_case import PlannedCase
from snellen.scenes.scene import NoPicture

KINDS = ("zero", "out-of-view", "reencode", "identity")
"""In turn."""
BEHIND = (8.0, 25.0)
"""Metres behind the vehicle of an out-of-view object."""
CLEAR = 4.0
"""Minimum metres from it to any labelled object."""
TRIES = 20


@dataclass(frozen=True)
class FrameControl:
    """A planned control."""

    name: str
    question: Question

    def case(self) -> PlannedCase:
        """The planned case."""
        return PlannedCase(self.question, f"{CONTROL}{self.name}")


def frame_controls(frame: PreparedFrame, count: int, rng: Generator) -> list[FrameControl]:
    """`count` controls, their kinds in turn from a random first one."""
    first = int(rng.integers(len(KINDS)))
    made = (_control(KINDS[(first + turn) % len(KINDS)], turn, frame, rng) for turn in range(count))
    return [control for control in made if control is not None]


def _control(kind: str, turn: int, frame: PreparedFrame, rng: Generator) -> FrameControl | None:
    scene = frame.scene
    if kind == "identity" or (kind == "reencode" and isinstance(scene.picture, NoPicture)):
        return FrameControl("identity", Question(scene, Identity(), repeat=turn + 1))
    if kind == "reencode":
        return FrameControl(kind, Question(scene, Reencode(*scene_encoding(scene))))
    seed = int(rng.integers(SEEDS))
    if kind == "zero":
        return FrameControl(kind, Question(scene, Insert3D((), seed), MEASURES))
    placed = _out_of_view(frame, rng)
    if placed is None:
        return None
    return FrameControl(kind, Question(scene, frame.recipe([placed], seed), MEASURES))


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
