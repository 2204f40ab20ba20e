"""Two pictures of a camera+LiDAR case: the image with labels, and the points from above."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from snellen.vision.arrays import F32, F64, Bytes

if TYPE_CHECKING:
    from snellen.changes.insert3d.frame_change import FrameChange
    from snellen.vision.arrays import Image

AHEAD = (-5.0, 70.0)
ASIDE = (-32.0, 32.0)
SCALE = 12
"""Pixels per metre."""
NEW, OLD, IGNORED, GONE = (230, 159, 0), (86, 180, 233), (150, 150, 150), (213, 94, 0)


def overlay(image: Image, changed: FrameChange) -> Image:
    """A copy of the image with the 2D boxes of all labels: inserted ones orange and thick."""
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    from snellen.pages.overlay import write_tag

    canvas = Pillow.fromarray(image)
    draw, font = ImageDraw.Draw(canvas), ImageFont.load_default(size=12)
    for one in changed.labelled_objects:
        new, ignored = one.inserted is not None, not one.row.solid
        colour = NEW if new else IGNORED if ignored else OLD
        draw.rectangle(one.row.box, outline=colour, width=3 if new else 1)
        if new or not ignored:
            write_tag(draw, one.row.box[:2], one.row.type, colour, font)
    return np.asarray(canvas)


def birds_eye(changed: FrameChange) -> Image:
    """The points from above, with forward up: new returns orange, hidden points red.

    Labelled boxes are blue, inserted ones orange, with a line from the centre to the front. It
    covers 70 m ahead and 32 m to either side.
    """
    from PIL import Image as Pillow
    from PIL import ImageDraw

    from snellen.vision.solids.boxes3d import corners

    canvas = _scatter(changed)
    drawn = Pillow.fromarray(canvas)
    draw = ImageDraw.Draw(drawn)
    boxes = [(box, OLD) for box in changed.seed.boxes]
    for box, colour in [*boxes, *((thing.box, NEW) for thing in changed.meshes)]:
        foot = corners(box[None])[0, :4, :2]
        front = (foot[0] + foot[3]) / 2
        draw.polygon([_at(place) for place in foot], outline=colour, width=2)
        draw.line([_at(box[:2]), _at(front)], fill=colour, width=2)
    return np.asarray(drawn)


def _scatter(changed: FrameChange) -> Image:
    seed, cloud = changed.seed, changed.cloud
    canvas = np.full((_pixels(AHEAD), _pixels(ASIDE), 3), 18, dtype=np.uint8)
    height = np.clip((seed.points[:, 2] + 2.0) / 3.0, 0.0, 1.0)
    grey = (70 + 150 * height).astype(np.uint8)
    _dots(canvas, seed.points, np.repeat(grey[:, None], 3, axis=1))
    hidden = seed.points[~cloud.remaining(len(seed.points))]
    _dots(canvas, hidden, np.array(GONE, dtype=np.uint8))
    _dots(canvas, cloud.points[cloud.source < 0], np.array(NEW, dtype=np.uint8))
    return canvas


def _dots(canvas: Image, points: F32, colours: Bytes) -> None:
    columns = ((ASIDE[1] - points[:, 1]) * SCALE).astype(int)
    rows = ((AHEAD[1] - points[:, 0]) * SCALE).astype(int)
    there = (columns >= 0) & (columns < canvas.shape[1]) & (rows >= 0) & (rows < canvas.shape[0])
    canvas[rows[there], columns[there]] = colours[there] if colours.ndim == 2 else colours


def _at(place: F64) -> tuple[float, float]:
    return (ASIDE[1] - float(place[1])) * SCALE, (AHEAD[1] - float(place[0])) * SCALE


def _pixels(span: tuple[float, float]) -> int:
    return round((span[1] - span[0]) * SCALE)
