"""`birds_eye.png`: a camera+LiDAR case from above, with marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.pages.marks import INSERTED, KEPT, LEGEND
from snellen.pages.overlay import Colour, write_tag
from snellen.pages.pair_picture import COLOURS
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import LABELLED, SolidMark
from snellen.vision.arrays import F64, Floating, Image
from snellen.vision.solids.boxes3d import corners

SIDE = 800
"""The side of the square view in pixels; the legend is below it."""
FINE = 2
"""Supersampling factor, which smooths lines."""
NIGHT: Colour = (16, 18, 24)
LOW: Colour = (74, 94, 142)
HIGH: Colour = (226, 234, 246)
HEIGHTS = (-2.0, 1.5)
"""Metres of z in the LiDAR frame from the darkest points to the brightest."""
RING = 10
"""Metres between rings."""
SLANT = 0.34
"""The sine of the bearing of ring labels, to the right, where lanes are rare."""
ROOM = 9.0
"""Margin around the marks in metres."""
LEAST, MOST = 26.0, 92.0
"""Metres that the view is wide."""
QUIET = (LABELLED, KEPT)
Strip = tuple[float, float, float]
"""The place of a text: its left and right end and its bottom, in pixels."""
SHADES: dict[str, Colour] = {**COLOURS, LABELLED: (128, 134, 148), KEPT: (214, 214, 214)}
WORDS = {**LEGEND, LABELLED: "labelled in the data", KEPT: "found as before, or inserted and found"}
LETTERS, LINE = 20, 32
"""Font size and line height of the legend in pixels; pages show the picture at half size."""


@dataclass(frozen=True)
class GroundView:
    """A square piece of ground. top: x of its upper edge; left: y of its left edge; metres."""

    top: float
    left: float
    side: float

    @classmethod
    def around(cls, marks: Sequence[SolidMark]) -> GroundView:
        """The view with the LiDAR at the bottom and all marks but the quiet ones."""
        boxes = [mark.box for mark in marks if mark.kind not in QUIET]
        places = np.array([(0.0, 0.0), *((box[0], box[1]) for box in boxes)])
        low, high = places.min(axis=0), places.max(axis=0)
        behind = 4.0 if low[0] > -1.0 else ROOM - low[0]
        ahead, wide = high[0] + ROOM + behind, high[1] - low[1] + 2 * ROOM
        side = float(np.clip(max(ahead, wide), LEAST, MOST))
        return cls(side - behind, float(low[1] + high[1] + side) / 2, side)

    def pixels(self, places: Floating, size: int) -> F64:
        """(N, 2) columns and rows of places (N, 2 or more) x, y in the LiDAR frame."""
        scale = size / self.side
        values = np.asarray(places, dtype=np.float64)
        return np.column_stack([self.left - values[:, 1], self.top - values[:, 0]]) * scale


def birds_eye(case: SolidCase, marks: Sequence[SolidMark]) -> Image:
    """The points coloured by height, boxes, rings every 10 m, the LiDAR below, and a legend.

    It ends beyond the farthest mark.
    """
    view, size = GroundView.around(marks), SIDE * FINE
    canvas = Pillow.fromarray(_points(case, view, size))
    draw = ImageDraw.Draw(canvas)
    _rings(draw, view, size)
    for mark in marks:
        _box(draw, mark, view, size)
    taken: list[Strip] = []
    for mark in marks:
        if mark.kind not in QUIET:
            taken.append(_word(draw, mark, view, size, taken))
    small = canvas.resize((SIDE, SIDE), Pillow.Resampling.LANCZOS)
    return _with_legend(small, marks, case)


def height_shares(z: Floating) -> F64:
    """(N,) 0 for points at the ground and below to 1 for high ones, from z in the LiDAR frame."""
    low, high = HEIGHTS
    return np.clip((np.asarray(z, dtype=np.float64) - low) / (high - low), 0.0, 1.0)


def _points(case: SolidCase, view: GroundView, size: int) -> Image:
    """The ground with the points, higher ones on top of lower ones and new returns on top."""
    canvas = np.empty((size, size, 3), dtype=np.uint8)
    canvas[:] = NIGHT
    places = view.pixels(case.points, size)
    rows = np.flatnonzero(((places >= 0) & (places < size - FINE)).all(axis=1))
    rows = rows[np.lexsort((case.points[rows, 2], case.new[rows]))]
    share = height_shares(case.points[rows, 2])[:, None]
    colours = (np.array(LOW) * (1 - share) + np.array(HIGH) * share).astype(np.uint8)
    colours[case.new[rows]] = SHADES[INSERTED]
    column, row = places[rows].astype(np.int64).T
    for dx in range(FINE):
        for dy in range(FINE):
            canvas[row + dy, column + dx] = colours
    return canvas


def _rings(draw: ImageDraw.ImageDraw, view: GroundView, size: int) -> None:
    font = ImageFont.load_default(size=(LETTERS - 2) * FINE)
    [(x, y)] = view.pixels(np.zeros((1, 2)), size).tolist()
    for metres in range(RING, int(MOST) + 2 * RING, RING):
        radius = metres * size / view.side
        around = (x - radius, y - radius, x + radius, y + radius)
        draw.ellipse(around, outline=(74, 78, 90), width=2)
        at = (x + SLANT * radius + 8, y - np.sqrt(1 - SLANT**2) * radius - 6)
        draw.text(at, f"{metres} m", fill=(160, 166, 178), font=font)
    up, down = 10 * FINE, 7 * FINE
    draw.polygon([(x, y - up), (x - down, y + down), (x + down, y + down)], fill=(255, 255, 255))


def _box(draw: ImageDraw.ImageDraw, mark: SolidMark, view: GroundView, size: int) -> None:
    foot = corners(np.array([mark.box]))[0, :4, :2]
    front = (foot[0] + foot[3]) / 2
    ends = view.pixels(np.array([*foot, mark.box[:2], front]), size)
    colour, width = SHADES[mark.kind], (2 if mark.kind in QUIET else 4) * FINE // 2 + 1
    for place in range(4):
        _line(draw, ends[place], ends[(place + 1) % 4], colour, width, dashed=mark.dashed)
    _line(draw, ends[4], ends[5], colour, width, dashed=False)


def _line(
    draw: ImageDraw.ImageDraw,
    start: F64,
    end: F64,
    colour: Colour,
    width: int,
    *,
    dashed: bool,
) -> None:
    parts = max(1, int(np.hypot(*(end - start)) / (8 * FINE))) | 1 if dashed else 1
    cuts = [start + (end - start) * share for share in np.linspace(0, 1, parts + 1)]
    for place in range(0, parts, 2):
        draw.line([*cuts[place].tolist(), *cuts[place + 1].tolist()], fill=colour, width=width)


def _word(
    draw: ImageDraw.ImageDraw, mark: SolidMark, view: GroundView, size: int, taken: Sequence[Strip]
) -> Strip:
    """Write a text above its box, below an inserted one, avoiding other texts."""
    foot = view.pixels(corners(np.array([mark.box]))[0, :4, :2], size)
    font = ImageFont.load_default(size=LETTERS * FINE)
    tall, wide = (LETTERS + 6) * FINE, font.getlength(mark.text) + 6
    below = mark.kind in (INSERTED, "inserted-missed")
    x = float(foot[:, 0].min())
    y = float(foot[:, 1].max() + tall if below else foot[:, 1].min()) + (FINE if below else -FINE)
    step = tall if below else -tall
    while any(x < right and left < x + wide and abs(y - row) < tall for left, right, row in taken):
        y += step
    write_tag(draw, (x, y), mark.text, SHADES[mark.kind], font)
    return x, x + wide, y


def _with_legend(view: Pillow.Image, marks: Sequence[SolidMark], case: SolidCase) -> Image:
    there = {mark.kind for mark in marks}
    rows = [(SHADES[kind], words) for kind, words in WORDS.items() if kind in there]
    key = "LiDAR points, brighter when higher" + (
        "; green: returns of inserted objects" if case.new.any() else ""
    )
    font = ImageFont.load_default(size=LETTERS)
    sheet = Pillow.new("RGB", (SIDE, SIDE + LINE * (len(rows) + 1) + 12), NIGHT)
    sheet.paste(view, (0, 0))
    draw = ImageDraw.Draw(sheet)
    for place, (colour, words) in enumerate([*rows, (HIGH, key)]):
        top = SIDE + 8 + place * LINE
        draw.rectangle((12, top + 6, 36, top + 20), fill=colour)
        draw.text((44, top), words, fill=(230, 232, 238), font=font)
    return np.asarray(sheet)
