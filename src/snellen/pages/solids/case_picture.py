"""`overlay.png` of a camera+LiDAR case: before, after, and from above, with the events."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.pages.focus import focus
from snellen.pages.marks import Sides
from snellen.pages.overlay import INK, PAPER
from snellen.pages.pair_picture import COLOURS, GAP, marked_panel
from snellen.pages.solids.birds_eye import WORDS
from snellen.vision.arrays import Image

WIDTH = 1280
TITLE = 34
LETTERS = 24


def draw_case(
    pair: tuple[Image, Image] | None, marks: Sides, above: Image, lines: Sequence[str]
) -> Image:
    """One picture: the image before and after, the view from above, and the text beside it.

    pair: before and after, None for a frame without an image. lines: events and facts.
    """
    view = Pillow.fromarray(above)
    panels = _panels(pair, marks) if pair is not None else {}
    tall = sum(TITLE + panel.height for panel in panels.values())
    sheet = Pillow.new("RGB", (WIDTH + 2 * GAP, tall + TITLE + view.height + 2 * GAP), PAPER)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=LETTERS)
    top = GAP // 2
    for title, panel in [*panels.items(), ("from above", view)]:
        draw.text((GAP, top), title, fill=INK, font=font)
        sheet.paste(panel, (GAP, top + TITLE))
        top += TITLE + panel.height
    _write(draw, marks, lines, (2 * GAP + view.width, tall + TITLE + GAP))
    return np.asarray(sheet)


def _panels(pair: tuple[Image, Image], marks: Sides) -> dict[str, Pillow.Image]:
    before, after = pair
    window = focus(marks, (after.shape[0], after.shape[1]))
    return {
        "before": marked_panel(before, window, marks.before, WIDTH),
        "after": marked_panel(after, window, marks.after, WIDTH),
    }


def _write(
    draw: ImageDraw.ImageDraw, marks: Sides, lines: Sequence[str], at: tuple[int, int]
) -> None:
    font = ImageFont.load_default(size=LETTERS)
    left, top = at
    for line in lines:
        for part in wrap(line, 36):
            draw.text((left, top), part, fill=INK, font=font)
            top += LETTERS + 8
        top += 10
    for kind in marks.kinds:
        draw.rectangle((left, top + 8, left + 26, top + 22), COLOURS[kind], INK)
        for part in wrap(WORDS[kind], 33):
            draw.text((left + 38, top), part, fill=INK, font=font)
            top += LETTERS + 8
