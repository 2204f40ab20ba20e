"""The labels of a picture: the scene's own and those of inserted objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.alpha_composite import window
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.stencil_cache import stencil_for
from snellen.changes.recipe import Materials, Recipe
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.scenes.polygon_masks import PolygonMasks
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import area, clip
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import runs_of

OPAQUE = 128
"""The least alpha at which a pixel belongs to the object."""


@dataclass(frozen=True, eq=False)
class InsertedShape:
    """The visible part of an inserted object: its class and its mask, (H, W) bool."""

    label: int
    mask: Bools


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
    detections: Detections, names: Sequence[str], vocabulary: Vocabulary, size: tuple[int, int]
) -> Annotations:
    """The detections as annotations; boxes are clipped at the picture's borders."""
    boxes = clip(detections.boxes, size)
    there = np.flatnonzero(area(boxes) > 0)
    labels = [vocabulary.label(names[label]) for label in detections.labels[there].tolist()]
    masks = None if detections.masks is None else detections.masks[there]
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
    annotations: Annotations,
    shapes: Sequence[InsertedShape],
    size: tuple[int, int],
    *,
    masked: bool,
) -> Annotations:
    """The annotations followed by the inserted objects, each with the box around its pixels.

    masked: whether the data set has masks; they are kept if every object in the picture has one.
    """
    if not shapes:
        return annotations
    new = Masks(size, tuple(runs_of(shape.mask) for shape in shapes))
    boxes = new.boxes()
    masks = _joined(annotations, new) if masked else None
    none = np.zeros(len(shapes), dtype=np.bool_)
    own_areas = area(boxes) if masks is None else new.areas().astype(np.float64)
    return Annotations(
        np.concatenate([annotations.boxes, boxes]),
        np.concatenate([annotations.labels, [shape.label for shape in shapes]]),
        masks,
        np.concatenate([annotations.crowd, none]),
        np.concatenate([annotations.ignore, none]),
        np.concatenate([annotations.areas, own_areas]),
    )


def _joined(annotations: Annotations, new: Masks) -> Masks | None:
    masks = annotations.masks
    if len(annotations) == 0:
        return new
    if masks is None:
        return None
    if isinstance(masks, PolygonMasks):
        return PolygonMasks(new.size, [*masks.outlines, *new.runs])
    return Masks(new.size, (*masks.runs, *new.runs))
