"""The ways in which pasted pixels can meet the scene's."""

from __future__ import annotations

from enum import StrEnum


class Blending(StrEnum):
    """How the object's pixels meet the scene's.

    feather: mixed by alpha, the edge fading over some pixels. hard: a pixel is the object's or the
    scene's. poisson: the object's gradients in the scene's light. matched: feathered, with the
    object's colours moved some way towards those around it.
    """

    FEATHER = "feather"
    HARD = "hard"
    POISSON = "poisson"
    MATCHED = "matched"
