"""What the index of a library keeps of every object it was built from, kept or pruned."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.objects.library.library import Entry


@dataclass(frozen=True)
class CutoutQuality:
    """How good a cut-out is.

    touches_border: it reaches the border of its image, so a part may be missing. fragments: parts
    that do not hang together. holes: share of its filled outline that is not its own. occluded:
    share of its outline along which another object stands in front of it. sharpness: how much of
    its contrast is in fine detail, at a common size; low if it is blurred. filled: share of its
    box. contrast: how much its edge stands out from its surroundings, 0 to 1. fit: overlap (IoU)
    of its box with the box it was given by. recognised: the subject's score of the cut-out alone
    under its label, or None if it was not asked.
    """

    touches_border: bool
    fragments: int
    holes: float
    occluded: float
    sharpness: float
    filled: float
    contrast: float
    fit: float
    recognised: float | None = None


@dataclass(frozen=True)
class ObjectRecord:
    """One object of the scenes: its entry, its quality, how it was cut, and its fate.

    cut: `masks`, `subject` or `boxes`. why: the reason it was pruned, or "" if it is kept.
    file: of the cut-out in the library's folder, or "" if it was pruned.
    """

    entry: Entry
    quality: CutoutQuality
    cut: str
    why: str = ""
    file: str = ""
