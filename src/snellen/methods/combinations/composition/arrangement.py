"""The layout options of compositions, and the recipe of one object alone."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from snellen.changes.compose.compose import Compose
from snellen.errors import UserError, nearest
from snellen.objects.library.library import Entry

WHITE = "#ffffff"
SIZINGS = ("equal", "own")
BACKGROUNDS = ("white", "colours", "gradients", "photographs")
SHORTEST = 32
"""The minimum longest side of a canvas in pixels."""
FILLED = 0.35
"""The share of a square of the room inside the border that the objects of a composition cover: 0.26
for ragged shapes, 0.49 for squares."""

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Arrangement:
    """The layout options of compositions.

    scale: range of the factor that objects are scaled by. overlap: the share of an object over or
    under others stays below this. longest: pixels of the canvas's longest side. margin: free
    border, as a share of that. sizing: "equal" brings objects to one area before they are
    scaled (long thin ones to less, see `drawing`), "own" leaves them the pixels they have.
    background: "white", "colours" or "gradients" drawn for each composition, "photographs" from
    those whose digests are given, or one colour as "#rrggbb". feather: see `Compose`. enlarged: the
    largest factor by which an object's own pixels are scaled; objects that stay small on their own
    canvas get a smaller one.
    """

    scale: tuple[float, float] = (0.5, 1.5)
    overlap: float = 0.3
    longest: int = 640
    margin: float = 0.05
    sizing: str = "equal"
    background: str = "white"
    photographs: tuple[str, ...] = ()
    feather: float = 1.0
    enlarged: float = math.inf

    def __post_init__(self) -> None:
        low, high = self.scale
        _require(0 < low <= high, "scale", self.scale, "two factors above 0, the smaller first")
        _require(0 <= self.overlap <= 1, "overlap", self.overlap, "a share from 0 to 1")
        _require(self.longest >= SHORTEST, "longest", self.longest, f"at least {SHORTEST} pixels")
        _require(0 <= self.margin <= 0.4, "margin", self.margin, "a share from 0 to 0.4")
        _require(self.feather >= 0, "feather", self.feather, "pixels, 0 or more")
        _require(self.enlarged > 0, "enlarged", self.enlarged, "a factor above 0")
        if self.sizing not in SIZINGS:
            raise UserError(f"unknown sizing '{self.sizing}'{nearest(self.sizing, SIZINGS)}")
        if self.background not in BACKGROUNDS and not _COLOUR.fullmatch(self.background):
            clause = nearest(self.background, (*BACKGROUNDS, "#rrggbb"))
            raise UserError(f"unknown background '{self.background}'{clause}")
        if self.background == "photographs" and not self.photographs:
            raise UserError(
                "background is 'photographs', but none are given. Give some without labels, or "
                "choose another background."
            )

    @property
    def border(self) -> int:
        """Pixels of free border on each side."""
        return round(self.margin * self.longest)

    @property
    def room(self) -> int:
        """Pixels of the longest side inside the border."""
        return self.longest - 2 * self.border

    @property
    def plain(self) -> str:
        """The canvas colour for an object alone."""
        return self.background if self.background.startswith("#") else WHITE


def alone_recipe(entry: Entry, arrangement: Arrangement) -> Compose:
    """One object on its own tight canvas, white unless the arrangement has a plain colour.

    >>> bus = Entry("b1", "bus", width=200, height=100, area=15_000, hash=0)
    >>> alone_recipe(bus, Arrangement()).placed
    (('b1', 32, 32, 576, 288),)
    >>> alone_recipe(bus, Arrangement(enlarged=1.5)).placed
    (('b1', 32, 32, 300, 150),)
    """
    width, height = filling(entry, arrangement.room, arrangement.enlarged)
    border = arrangement.border
    return Compose(
        width + 2 * border,
        height + 2 * border,
        ((entry.id, border, border, width, height),),
        arrangement.plain,
        arrangement.feather,
    )


def among_recipe(entry: Entry, arrangement: Arrangement, together: int) -> Compose:
    """One object in the middle of a square canvas, as large as it typically is among others.

    together: the number of objects of a full composition; the object has its share of the area that
    they cover.

    >>> bus = Entry("b1", "bus", width=200, height=100, area=20_000, hash=0)
    >>> among_recipe(bus, Arrangement(), 4).placed
    (('b1', 199, 260, 241, 120),)
    """
    side = arrangement.longest
    area = entry.area or entry.width * entry.height
    scale = math.sqrt(FILLED * arrangement.room**2 / (together * area))
    scale = min(scale, arrangement.enlarged, arrangement.room / max(entry.width, entry.height))
    width, height = (max(1, round(scale * one)) for one in (entry.width, entry.height))
    placed = ((entry.id, (side - width) // 2, (side - height) // 2, width, height),)
    return Compose(side, side, placed, arrangement.plain, arrangement.feather)


def filling(entry: Entry, room: int, enlarged: float = math.inf) -> tuple[int, int]:
    """The size at which the longer side of an object is `room` pixels, if not enlarged beyond."""
    scale = min(room / max(entry.width, entry.height), enlarged)
    return max(1, round(entry.width * scale)), max(1, round(entry.height * scale))


def _require(holds: bool, field: str, found: object, expected: str) -> None:
    if not holds:
        raise UserError(f"{field}: found {found}, expected {expected}.")
