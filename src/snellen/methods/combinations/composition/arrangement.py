"""The layout options of compositions, and the recipe of one object alone."""

from __future__ import annotations

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

_COLOUR = re.compile("#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class Arrangement:
    """The layout options of compositions.

    scale: range of the factor that objects are scaled by. overlap: the share of an object over or
    under others stays below this. longest: pixels of the canvas's longest side. margin: free
    border, as a share of that. sizing: "equal" brings objects to one area before they are
    scaled (long thin ones to less, see `drawing`), "own" leaves them the pixels they have.
    background: "white", "colours" or "gradients" drawn for each composition, "photographs" from
    those whose digests are given, or one colour as "#rrggbb". feather: see `Compose`.
    """

    scale: tuple[float, float] = (0.5, 1.5)
    overlap: float = 0.3
    longest: int = 640
    margin: float = 0.05
    sizing: str = "equal"
    background: str = "white"
    photographs: tuple[str, ...] = ()
    feather: float = 1.0

    def __post_init__(self) -> None:
        low, high = self.scale
        _require(0 < low <= high, "scale", self.scale, "two factors above 0, the smaller first")
        _require(0 <= self.overlap <= 1, "overlap", self.overlap, "a share from 0 to 1")
        _require(self.longest >= SHORTEST, "longest", self.longest, f"at least {SHORTEST} pixels")
        _require(0 <= self.margin <= 0.4, "margin", self.margin, "a share from 0 to 0.4")
        _require(self.feather >= 0, "feather", self.feather, "pixels, 0 or more")
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
    """
    width, height = filling(entry, arrangement.room)
    border = arrangement.border
    return Compose(
        width + 2 * border,
        height + 2 * border,
        ((entry.id, border, border, width, height),),
        arrangement.plain,
        arrangement.feather,
    )


def filling(entry: Entry, room: int) -> tuple[int, int]:
    """The width and height at which the longer side of an object is `room` pixels."""
    longer = max(entry.width, entry.height)
    return max(1, round(entry.width * room / longer)), max(1, round(entry.height * room / longer))


def _require(holds: bool, field: str, found: object, expected: str) -> None:
    if not holds:
        raise UserError(f"{field}: found {found}, expected {expected}.")
