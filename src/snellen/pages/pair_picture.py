"""`overlay.png`: before and after side by side, with marks and a caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.pages.focus import focus
from snellen.pages.marks import KEPT, LEGEND, NAMED, UNNAMED, Mark, Sides
from snellen.pages.overlay import INK, PAPER, Colour, tag_size, write_tag
from snellen.pages.tag_places import tag_places
from snellen.store.findings import Box
from snellen.vision.arrays import Image

Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

# Of Okabe and Ito's colours, as in the report.
COLOURS: dict[str, Colour] = {
    "inserted": (0, 158, 115),
    "lost": (213, 94, 0),
    "appeared": (204, 121, 167),
    "relabelled": (240, 228, 66),
    "moved": (86, 180, 233),
    "inserted-missed": (230, 159, 0),
    NAMED: (0, 114, 178),
    UNNAMED: (213, 94, 0),
    KEPT: (225, 225, 225),
}
PANEL = 640
"""Width of each of the two panels in pixels."""
GAP = 12
TEXT = 32
"""Font size, legible on a picture shown 390 pixels wide."""
LINE = TEXT + 12
DASH = 14


def draw_pair(before: Image, after: Image, marked: Sides, lines: Sequence[str]) -> Image:
    """One picture: the relevant part before and after, a caption and a legend.

    before, after: H x W x 3 uint8 RGB of one size. lines: the events in words.
    """
    window = focus(marked, (before.shape[0], before.shape[1]))
    panels = {
        "before": marked_panel(before, window, marked.before),
        "after": marked_panel(after, window, marked.after),
    }
    return captioned_sheet(panels, [*lines, *legend_lines(marked)])


def captioned_sheet(
    panels: Mapping[str, Pillow.Image], lines: Sequence[str | tuple[str, str]]
) -> Image:
    """Panels with their titles, side by side, with lines below; a legend line is (kind, words)."""
    tall = max(panel.height for panel in panels.values())
    rows = 1 + len(lines)
    sheet = Pillow.new("RGB", (2 * PANEL + 3 * GAP, tall + rows * LINE + 2 * GAP), PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(size=TEXT)
    for place, (title, panel) in enumerate(panels.items()):
        left = GAP + place * (PANEL + GAP)
        draw.text((left, GAP // 2), title, fill=INK, font=font)
        sheet.paste(panel, (left, LINE))
    for row, line in enumerate(lines):
        _write_line(draw, line, LINE + tall + GAP + row * LINE, font)
    return np.asarray(sheet)


def legend_lines(marked: Sides) -> list[tuple[str, str]]:
    """Each kind of mark that occurs, with its words."""
    return [(kind, LEGEND[kind]) for kind in marked.kinds]


def _write_line(
    draw: ImageDraw.ImageDraw, line: str | tuple[str, str], top: int, font: Font
) -> None:
    left = GAP
    if isinstance(line, tuple):
        kind, line = line
        middle = top + TEXT // 2 + 4
        draw.rectangle((left, middle - 12, left + 36, middle + 12), COLOURS[kind], INK)
        left += 50
    draw.text((left, top), fitted(line, font, 2 * PANEL - left), fill=INK, font=font)


def fitted(line: str, font: Font, width: float) -> str:
    """The line, cut to a width in pixels.

    >>> font = ImageFont.load_default(size=20)
    >>> fitted("a short line", font, 500), fitted("a long line", font, 1)
    ('a short line', '…')
    """
    if font.getlength(line) <= width:
        return line
    while line and font.getlength(line + "…") > width:
        line = line[:-1]
    return line + "…"


def marked_panel(
    image: Image, window: tuple[int, int, int, int], marks: Sequence[Mark], width: int = PANEL
) -> Pillow.Image:
    """A window (xyxy pixels) of an image, scaled to a width, with marks."""
    x1, y1, x2, y2 = window
    scale = width / (x2 - x1)
    size = (width, max(1, round((y2 - y1) * scale)))
    panel = Pillow.fromarray(np.ascontiguousarray(image[y1:y2, x1:x2])).resize(
        size, Pillow.Resampling.BICUBIC
    )
    draw, font = ImageDraw.Draw(panel), ImageFont.load_default(size=TEXT - 8)
    placed = [(mark, _scaled(mark.box, window, scale)) for mark in marks]
    for mark, box in placed:
        _outline(draw, box, mark)
    _write_tags(draw, [one for one in placed if one[0].kind != KEPT], font)
    return panel


def _scaled(box: Box, window: tuple[int, int, int, int], scale: float) -> Box:
    """The box in pixels of a panel that shows a window."""
    left, top, right, bottom = box
    x, y = window[:2]
    return (left - x) * scale, (top - y) * scale, (right - x) * scale, (bottom - y) * scale


def _write_tags(draw: ImageDraw.ImageDraw, placed: Sequence[tuple[Mark, Box]], font: Font) -> None:
    """Write the texts of marks beside their boxes, none over another where there is room."""
    sizes = [tag_size(mark.text, font) for mark, _ in placed]
    places = tag_places([box for _, box in placed], sizes, draw.im.size)
    for (mark, _), (left, _, _, bottom) in zip(placed, places, strict=True):
        write_tag(draw, (left, bottom), mark.text, COLOURS[mark.kind], font)


def _outline(draw: ImageDraw.ImageDraw, box: Box, mark: Mark) -> None:
    colour = COLOURS[mark.kind]
    if not mark.dashed:
        draw.rectangle(box, outline=colour, width=2 if mark.kind == KEPT else 5)
        return
    x1, y1, x2, y2 = box
    for start in np.arange(x1, x2, 2 * DASH).tolist():
        end = min(start + DASH, x2)
        for y in (y1, y2):
            draw.line((start, y, end, y), fill=colour, width=5)
    for start in np.arange(y1, y2, 2 * DASH).tolist():
        end = min(start + DASH, y2)
        for x in (x1, x2):
            draw.line((x, start, x, end), fill=colour, width=5)
