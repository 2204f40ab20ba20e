"""The labels of a picture: what was in the scene, and what was put in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.changes.paste.alpha_composite import window
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.scenes.polygon_masks import PolygonMasks
from snellen.vision.annotations import Annotations
from snellen.vision.boxes.box_geometry import area, clip
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of

OPAQUE = 128
"""The alpha from which on a pixel shows the object more than the scene."""


@dataclass(frozen=True, eq=False)
class InsertedShape:
    """What is seen of an inserted object: a class and a mask, (H, W) bool of the picture."""

    label: int
    mask: npt.NDArray[np.bool_]


def shape_of(
    recipe: Insert, label: int, size: tuple[int, int], materials: Materials
) -> InsertedShape:
    """The pixels of a picture of `size` that show the inserted object."""
    alpha = stencil_for(recipe, materials).alpha
    place = window(size, (alpha.shape[0], alpha.shape[1]), recipe.x, recipe.y)
    own = alpha[place.own_rows, place.own_columns]
    mask = np.zeros(size, dtype=np.bool_)
    mask[place.rows, place.columns] = own >= min(OPAQUE, max(1, int(own.max())))
    return InsertedShape(label, mask)


def pseudo_labels(
    seen: Detections, names: Sequence[str], words: Vocabulary, size: tuple[int, int]
) -> Annotations:
    """What the subject saw, taken for the truth; boxes are cut at the picture's borders."""
    boxes = clip(seen.boxes, size)
    there = np.flatnonzero(area(boxes) > 0)
    labels = [words.label(names[label]) for label in seen.labels[there].tolist()]
    masks = None if seen.masks is None else seen.masks[there]
    return Annotations(boxes[there], np.array(labels, dtype=np.int64), masks)


def moved_annotations(known: Annotations, recipe: Recipe, size: tuple[int, int]) -> Annotations:
    """What is known of a scene, where a recipe moves it; the same object where nothing moves.

    What leaves the picture is left out, and boxes are cut at its borders. Masks are left out, since
    a recipe says only where boxes go.
    """
    moved = recipe.moved_boxes(known.boxes, size)
    if np.array_equal(moved, known.boxes):
        return known
    boxes = clip(moved, size)
    there = area(boxes) > 0
    return Annotations(
        boxes[there], known.labels[there], None, known.crowd[there], known.ignore[there]
    )


def with_shapes(
    known: Annotations, shapes: Sequence[InsertedShape], size: tuple[int, int], *, masked: bool
) -> Annotations:
    """What is known and the inserted objects after it, each with the box around its pixels.

    masked: whether the data set has masks; they are kept where everything in the picture has one.
    """
    if not shapes:
        return known
    new = Masks(size, tuple(runs_of(shape.mask) for shape in shapes))
    boxes = new.boxes()
    masks = _joined(known, new) if masked else None
    none = np.zeros(len(shapes), dtype=np.bool_)
    own_areas = area(boxes) if masks is None else new.areas().astype(np.float64)
    return Annotations(
        np.concatenate([known.boxes, boxes]),
        np.concatenate([known.labels, [shape.label for shape in shapes]]),
        masks,
        np.concatenate([known.crowd, none]),
        np.concatenate([known.ignore, none]),
        np.concatenate([known.areas, own_areas]),
    )


def _joined(known: Annotations, new: Masks) -> Masks | None:
    if len(known) == 0:
        return new
    if known.masks is None:
        return None
    if isinstance(known.masks, PolygonMasks):
        return PolygonMasks(new.size, [*known.masks.outlines, *new.runs])
    return Masks(new.size, (*known.masks.runs, *new.runs))
