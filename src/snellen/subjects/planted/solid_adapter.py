"""`kind: planted-3d`: opens a planted fusion subject."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from snellen.configuration import Options
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.reader import TYPES
from snellen.subjects.planted.perfect_solids import PerfectSolids
from snellen.subjects.planted.solid_faults import FAULTS, SolidFault, Strength
from snellen.subjects.registry import Adapter
from snellen.subjects.subject import Subject
from snellen.subjects.wrapper import Wrapper
from snellen.vision.detections3d import Detections3D


class SolidOptions(Options):
    """Options of a planted fusion subject."""

    kind: Literal["planted-3d"] = "planted-3d"
    fault: Literal["none"] | SolidFault = Field(
        default="none", description=" | ".join(["none", *SolidFault])
    )
    beyond: float = Field(default=25.0, gt=0, description="misses-beyond: range in metres")
    gap: float = Field(default=1.0, ge=0, description="hallucinates-beside: metres to the phantom")
    shift: float = Field(default=2.0, gt=0, description="shifts: distance in metres")
    noise: float = Field(default=0.05, ge=0, description="jitters: maximum metres per coordinate")
    seed: int = Field(default=0, ge=0, description="jitters: seed of the noise")
    points: int = Field(default=5, ge=0, description="minimum returns of a reported object")
    share: float = Field(default=0.1, ge=0, le=1, description="minimum visible share of its pixels")
    score: float = Field(default=0.5, ge=0, le=1, description="operating threshold")
    confidence: float = Field(default=0.9, ge=0, le=1, description="score of every object")
    classes: tuple[str, ...] = Field(
        default=TYPES, min_length=1, description="types of labels that it reports"
    )
    batch: int = Field(default=8, ge=1, description="frames per call")


class FaultySolids(Wrapper):
    """A correct subject with one fault, which depends only on the frame and the seed."""

    def __init__(self, right: PerfectSolids, fault: SolidFault, options: SolidOptions) -> None:
        strengths = (options.beyond, options.gap, options.shift, options.noise, options.seed)
        super().__init__(right, fault, *strengths)
        self._right, self._fault, self._options = right, fault, options

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        """The correct detections of each frame, with the fault."""
        return [self._faulty(frame) for frame in images]

    def _faulty(self, frame: Frame) -> Detections3D:
        options = self._options
        strength = Strength(
            options.beyond,
            options.gap,
            options.shift,
            options.noise,
            tuple(i for i, name in enumerate(self.classes) if name in ("Car", "Van", "Truck")),
            _frame_rng(frame, options.seed),
        )
        return FAULTS[self._fault](self._right.true_detections(frame), frame, strength)


def open_planted_solids(options: SolidOptions | None = None) -> Subject:
    """A correct fusion subject, with the fault of the options, if any.

    >>> open_planted_solids(SolidOptions(fault="loses-behind")).name
    'perfect in 3D, loses-behind'
    """
    options = options or SolidOptions()
    right = PerfectSolids(
        options.classes,
        options.score,
        options.confidence,
        options.points,
        options.share,
        options.batch,
    )
    return right if options.fault == "none" else FaultySolids(right, options.fault, options)


def _frame_rng(frame: Frame, seed: int) -> np.random.Generator:
    state = hashlib.blake2b(repr(seed).encode(), digest_size=16)
    state.update(np.ascontiguousarray(frame.points).data)
    return np.random.default_rng(int.from_bytes(state.digest(), "big"))


def _open(options: SolidOptions, folder: Path) -> Subject:  # noqa: ARG001
    return open_planted_solids(options)


ADAPTER = Adapter(SolidOptions, _open, runs=())
