"""The record of an object in the index of a library, whether kept or pruned."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.objects.library.library import Entry


@dataclass(frozen=True)
class CutoutQuality:
    """The quality of a cut-out.

    touches_border: it reaches the border of its image, so a part may be missing. fragments: number
    of its connected parts. holes: share of holes in its filled outline. occluded: share occluded by
    objects in front. sharpness: share of its contrast in fine detail, at a common size; low if it
    is blurred. filled: share of its box. contrast: of its edge against the surroundings, 0 to 1.
    fit: IoU of its box with the given box. recognised: the subject's score of the cut-out alone for
    its label, or None if it was not asked.
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
    """One object of the scenes.

    cut: by `masks`, `subject` or `boxes`. why: the reason it was pruned, or "" if it is kept. file:
    of the cut-out in the folder of the library, or "" if it was pruned.
    """

    entry: Entry
    quality: CutoutQuality
    cut: str
    why: str = ""
    file: str = ""
