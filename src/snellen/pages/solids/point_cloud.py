"""The part of a card that shows a camera+LiDAR case from above and in 3D."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.pages.embedded_pictures import Album, thumbnail
from snellen.pages.markup import Markup, tag
from snellen.pages.solids.birds_eye import QUIET
from snellen.pages.solids.drawn_space import DrawnSpace
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import SolidMark
from snellen.vision.arrays import F32, Bools, Ints, Ints16
from snellen.vision.solids.boxes3d import corners

FEWEST, MOST = 5_000, 20_000
"""Maximum points of one case in the page: 6 bytes each, 8 in Base64."""
SHARE = 0.3
"""The share of a card's bytes for its points."""
NEAR = 12.0
"""Metres around marks within which points have priority."""
FAR_SHARE = 0.35
"""The share of points reserved for the rest."""
PICTURE = 720
"""The width of the picture from above in pixels."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """A case in 3D as the page shows it.

    above: a JPEG. shape: its height and width in pixels. steps: (N, 3) int16 centimetres, returns
    of inserted objects last. new: the number of these.
    """

    above: bytes
    shape: tuple[int, int]
    steps: Ints16
    new: int
    marks: tuple[SolidMark, ...]

    @property
    def size(self) -> int:
        """Total bytes."""
        return len(self.above) + self.steps.nbytes


def cloud_of(solid: DrawnSpace, limit: int) -> Cloud:
    """The point cloud of a case for the page; limit: maximum bytes of its whole card."""
    picture = solid.above
    most = min(MOST, max(FEWEST, int(SHARE * limit / 6)))
    rows = chosen(solid.case, solid.marks, most)
    return Cloud(
        thumbnail(picture, PICTURE),
        (picture.shape[0], picture.shape[1]),
        solid.case.steps[rows],
        int(solid.case.new[rows].sum()),
        solid.marks,
    )


def chosen(case: SolidCase, marks: Sequence[SolidMark], most: int) -> Ints:
    """At most `most` rows of points, new returns last, with priority for those near marks.

    If there are too many, they are thinned evenly in the order of the sweep, so that rings stay
    visible; distant points keep their share.
    """
    old, new = np.flatnonzero(~case.new), np.flatnonzero(case.new)
    new = _thinned(new, most // 2)
    left = most - len(new)
    close = _close(case.points[old], marks)
    near, far = old[close], old[~close]
    few = max(left - len(far), round(left * (1 - FAR_SHARE)))
    near = _thinned(near, few)
    far = _thinned(far, left - len(near))
    return np.concatenate([np.sort(np.concatenate([near, far])), new])


def _close(points: F32, marks: Sequence[SolidMark]) -> Bools:
    close = np.zeros(len(points), dtype=np.bool_)
    for mark in marks:
        if mark.kind not in QUIET:
            apart = np.hypot(points[:, 0] - mark.box[0], points[:, 1] - mark.box[1])
            close |= apart < NEAR
    return close


def _thinned(rows: Ints, most: int) -> Ints:
    if len(rows) <= most:
        return rows
    return rows[np.linspace(0, len(rows) - 1, most).round().astype(np.int64)] if most else rows[:0]


def space(cloud: Cloud, id: str, album: Album, *, above: bool = True) -> Markup:
    """The view from above, and next to it the rotatable one, which the script draws."""
    height, width = cloud.shape
    content = "; ".join(mark.text for mark in cloud.marks if mark.kind not in QUIET)
    picture = tag(
        "span",
        class_=f"above picture {album.add(cloud.above)}",
        role="img",
        aria_label=f"from above: {content}",
        style=f"aspect-ratio:{width}/{height}",
    )
    shown = (picture, _view(cloud, id, content)) if above else (_view(cloud, id, content),)
    return tag("div", shown, class_="space" if above else "space alone")


def _view(cloud: Cloud, id: str, content: str) -> Markup:
    def button(what: str, text: str, label: str) -> Markup:
        return tag("button", text, type="button", data_do=what, aria_label=label)

    return tag(
        "div",
        tag(
            "canvas",
            tabindex=0,
            role="img",
            aria_label=f"Points and boxes of finding {id} in 3D: {content}. Arrow keys rotate it, "
            "plus and minus zoom, Shift and arrow keys move it, 0 resets it.",
        ),
        tag(
            "div",
            button("near", "+", "Nearer"),
            button("far", "−", "Farther"),
            button("above", "from above", "View from above"),
            button("reset", "reset", "Reset to the view from behind the LiDAR"),
            tag("span", "drag to rotate; click, then scroll to zoom", class_="hint"),
            class_="filters",
        ),
        class_="cloud",
        data_points=base64.b64encode(cloud.steps.astype("<i2").tobytes()).decode(),
        data_new=cloud.new,
        data_boxes=json.dumps([_box(mark) for mark in cloud.marks], separators=(",", ":")),
        hidden=True,
    )


def _box(mark: SolidMark) -> dict[str, object]:
    """A box for the script: kind, 8 corners in metres, the text unless it is a quiet one."""
    ends = corners(np.array([mark.box]))[0].round(2).tolist()
    loud = mark.kind not in QUIET
    return {"kind": mark.kind, "ends": ends, "text": mark.text if loud else "", "loud": loud,
            "dashed": mark.dashed}  # fmt: skip
