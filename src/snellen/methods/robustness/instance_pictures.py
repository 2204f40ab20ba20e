"""Pictures of base instances: heat map, contour, and where insertions broke them."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.methods.robustness.instance_notes import InstanceNote, instances_of, ranked
from snellen.scenes.image_files.opened_image import opened_image
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.vision.arrays import F64, Image

SHOWN = 12
WARMTH = 0.55
"""The opacity of the hottest colour."""
MARGIN = 12
Part = tuple[int, int, int, int]


@dataclass(frozen=True)
class Spot:
    """A test: x, y of the inserted object's centre in the picture; status as in the journal."""

    x: float
    y: float
    status: str
    level: int
    distance: float
    label: str | None


@dataclass(frozen=True, eq=False)
class InstancePicture:
    """A base instance in its scene. image: the part of the scene around it, heat blended in.

    note: its note in the run. box, points, spots: in the picture's pixels.
    """

    note: InstanceNote
    image: Image
    box: tuple[float, ...]
    points: F64
    spots: tuple[Spot, ...]


def instance_pictures(
    journal: Journal, run: OpenedRun | None, count: int = SHOWN
) -> list[InstancePicture]:
    """The least robust instances, one per scene first; none where scenes are gone."""
    if run is None:
        return []
    tested = ranked([one for one in instances_of(journal) if one.tests])
    return [_picture(journal, run, one) for one in _spread(tested, count)]


def _spread(instances: Sequence[InstanceNote], count: int) -> list[InstanceNote]:
    """At most `count`, the first of every scene before the second of any, in their order."""
    seen: dict[str, int] = {}
    turns = []
    for place, one in enumerate(instances):
        turns.append((seen.get(one.scene, 0), place))
        seen[one.scene] = turns[-1][0] + 1
    return [instances[place] for _, place in sorted(sorted(turns)[:count], key=lambda t: t[1])]


def _picture(journal: Journal, run: OpenedRun, note: InstanceNote) -> InstancePicture:
    rows = journal.rows(
        "SELECT cases.status, recipe, measurements FROM cases JOIN units ON units.number = unit "
        "WHERE role = ? AND scene = ? AND json_extract(measurements, '$.base') = ? "
        "ORDER BY cases.number",
        (TEST, note.scene, note.base),
    )
    tests = [
        (status, json.loads(recipe), json.loads(measured)) for status, recipe, measured in rows
    ]
    pixels = heated(run.scene(note.scene).pixels(), note.heat)
    left, top, right, bottom = part_around(note, [recipe for _, recipe, _ in tests], pixels)
    shift = np.array([left, top], dtype=np.float64)
    return InstancePicture(
        note,
        pixels[top:bottom, left:right],
        tuple((np.array(note.box) - np.tile(shift, 2)).tolist()),
        np.array(note.points, dtype=np.float64) - shift,
        tuple(
            Spot(
                measured["x"] - left,
                measured["y"] - top,
                status,
                int(measured["level"]),
                measured["distance"],
                run.label(recipe),
            )
            for status, recipe, measured in tests
        ),
    )


def heated(pixels: Image, heat: str | None) -> Image:
    """A scene with a heat map from the journal blended over it, more opaque where hotter."""
    import cv2

    if heat is None:
        return pixels
    with opened_image(io.BytesIO(base64.b64decode(heat))) as image:
        small = np.asarray(image.convert("L"))
    height, width = pixels.shape[:2]
    warm = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR))
    colours = cv2.applyColorMap(warm, cv2.COLORMAP_TURBO)[..., ::-1].astype(np.float32)
    share = WARMTH * warm[..., None].astype(np.float32) / 255
    return np.asarray(np.rint(share * colours + (1 - share) * pixels), dtype=np.uint8)


def part_around(note: InstanceNote, recipes: Sequence[dict[str, Any]], pixels: Image) -> Part:
    """The part of the scene with the instance and all insertions around it, xyxy."""
    boxes = np.array(
        [
            note.box,
            *(
                [one["x"], one["y"], one["x"] + one["width"], one["y"] + one["height"]]
                for one in recipes
            ),
        ],
        dtype=np.float64,
    )
    height, width = pixels.shape[:2]
    left, top = np.maximum(boxes[:, :2].min(axis=0) - MARGIN, 0).astype(int).tolist()
    right, bottom = np.ceil(boxes[:, 2:].max(axis=0) + MARGIN).astype(int).tolist()
    return left, top, min(width, right), min(height, bottom)
