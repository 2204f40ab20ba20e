"""The counterfactual questions about a finding, by name."""

from __future__ import annotations

from enum import StrEnum


class RungName(StrEnum):
    """The counterfactual questions about a finding."""

    IMAGE = "only the image changed"
    CLOUD = "only the cloud changed"
    NULL = "background in the same silhouette"
    SLIGHT = "1 to 2 cm and 1 degree off"
    WITHOUT = "with fewer inserted objects"
    OTHER = "another mesh of the class at the same pose"
    OTHER_CLASS = "a mesh of another class at the same pose"
    ASIDE = "moved aside at the same range"
    BEHIND = "behind the struck object"
    FARTHER = "farther along the same bearing"
    ELSEWHERE = "at another place"
    OTHER_ELSEWHERE = "a mesh of another class at that other place"
    SMALLER = "with a smaller mesh"


OTHERS = (RungName.OTHER, RungName.OTHER_CLASS)
"""Another object at the same pose."""
MOVED = (RungName.ASIDE, RungName.BEHIND, RungName.FARTHER, RungName.ELSEWHERE)
"""The same object at another pose."""
FOUND_ONCE = (
    *OTHERS,
    RungName.ASIDE,
    RungName.ELSEWHERE,
    RungName.OTHER_ELSEWHERE,
    RungName.IMAGE,
    RungName.CLOUD,
)
"""Rungs in which an inserted object may be found that is missed otherwise."""
