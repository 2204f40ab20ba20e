"""How pasted pixels are blended with those of the scene."""

from __future__ import annotations

from enum import StrEnum


class Blending(StrEnum):
    """How the object's pixels are blended with the scene's.

    feather: by alpha, which fades over a few pixels along the edge. hard: a pixel is the object's
    or the scene's. poisson: the object's gradients, solved for the scene's colours. matched:
    feathered, with the object's colours moved part of the way towards those around it. natural:
    matched, and blurred as its surroundings are.
    """

    FEATHER = "feather"
    HARD = "hard"
    POISSON = "poisson"
    MATCHED = "matched"
    NATURAL = "natural"


def blending_version(blending: str) -> int:
    """The version of what pastes with a blending build; see `Recipe.version`.

    natural: 2 since the blur of noisy surroundings is measured by a coarser pair of blurs.
    """
    return 2 if blending == Blending.NATURAL else 1
