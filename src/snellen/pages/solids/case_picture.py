"""`overlay.png` of a camera+LiDAR case: before, after, and from above, with what happened."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.pages.finding_pictures import Pictured
from snellen.pages.focus import focus
from snellen.pages.overlay import INK, PAPER, Image
from snellen.pages.pair_picture import COLOURS, GAP, marked_panel
from snellen.pages.solids.birds_eye import WORDS
from snellen.pages.solids.solid_words import case_facts

WIDTH = 1280
TITLE = 34
LETTERS = 24


def draw_case(pictured: Pictured, lines: Sequence[str]) -> Image:
    """One picture: the image before and after, the view from above, and beside it the words.

    lines: what happened. A frame without an image is only shown from above.
    """
    assert pictured.solid is not None
    above = Pillow.fromarray(pictured.solid.above)
    panels = _panels(pictured) if pictured.solid.case.image else {}
    tall = sum(TITLE + panel.height for panel in panels.values())
    sheet = Pillow.new("RGB", (WIDTH + 2 * GAP, tall + TITLE + above.height + 2 * GAP), PAPER)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=LETTERS)
    top = GAP // 2
    for title, panel in [*panels.items(), ("from above", above)]:
        draw.text((GAP, top), title, fill=INK, font=font)
        sheet.paste(panel, (GAP, top + TITLE))
        top += TITLE + panel.height
    _write(draw, pictured, lines, (2 * GAP + above.width, tall + TITLE + GAP))
    return np.asarray(sheet)


def _panels(pictured: Pictured) -> dict[str, Pillow.Image]:
    assert pictured.before is not None
    height, width = pictured.after.shape[:2]
    window = focus(pictured.marks, (height, width))
    return {
        "before": marked_panel(pictured.before, window, pictured.marks.before, WIDTH),
        "after": marked_panel(pictured.after, window, pictured.marks.after, WIDTH),
    }


def _write(
    draw: ImageDraw.ImageDraw, pictured: Pictured, lines: Sequence[str], at: tuple[int, int]
) -> None:
    font = ImageFont.load_default(size=LETTERS)
    left, top = at
    what = f"put in: {pictured.label}" if pictured.label else "nothing was put in"
    told = [what, *case_facts(pictured.finding)]
    for line in [*lines, *told]:
        for part in wrap(line, 36):
            draw.text((left, top), part, fill=INK, font=font)
            top += LETTERS + 8
        top += 10
    for kind in pictured.marks.kinds:
        draw.rectangle((left, top + 8, left + 26, top + 22), COLOURS[kind], INK)
        for part in wrap(WORDS[kind], 33):
            draw.text((left + 38, top), part, fill=INK, font=font)
            top += LETTERS + 8
