"""Networks of tasks that are not tested, recognised so that they are refused by their name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from snellen.errors import UserError
from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.vision.arrays import F32, Bools

POSE = "a pose head (keypoints)"
ORIENTED = "an oriented-box head (OBB)"
SEMANTIC = "a semantic segmentation head (one class per pixel)"
DECLARED = {"pose": POSE, "obb": ORIENTED, "semantic": SEMANTIC}
NEXT = {
    POSE: "Use the detection model of the same family, or `kind: python` to return its boxes alone",
    ORIENTED: "Use a model with upright boxes, or `kind: python` to return upright ones",
    SEMANTIC: "Use a detector or an instance segmenter, or `kind: python` to return objects",
}
TOLERANCE = 0.01
"""How far a quantised class score may leave 0 to 1."""


def refuse_declared_task(metadata: Mapping[str, str], where: str) -> None:
    """Raise a `UserError` if the exporter's metadata name a task that is not tested."""
    head = DECLARED.get(metadata.get("task", ""))
    if head is not None:
        raise UserError(
            f"{where}: the model has {head}, by its metadata (task: {metadata['task']}); this is "
            f"not supported. {NEXT[head]}."
        )


def refuse_foreign_head(outputs: Outputs, settings: DecoderSettings, where: str) -> None:
    """Raise a `UserError` if the outputs are those of a task that is not tested."""
    head = foreign_head(outputs, settings)
    if head is not None:
        raise UserError(
            f"{where}: the model seems to have {head}, by its outputs: {outputs}; this is not "
            f"supported. {NEXT[head]}. If it is a detector, set `decoder`."
        )


def foreign_head(outputs: Outputs, settings: DecoderSettings) -> str | None:
    """The head that the outputs show, or None if they may be a detector's or a classifier's."""
    if len(outputs.arrays) != 1:
        return None
    if _covers_input(outputs, settings):
        return SEMANTIC
    tables = outputs.tables()
    rows = _rows(tables[0], settings) if tables else None
    return None if rows is None else _head_of_scores(rows)


def _rows(table: F32, settings: DecoderSettings) -> F32 | None:
    """What stands beside the boxes, one row each: class scores in a detector of the YOLOv8 layout.

    None for other layouts.
    """
    every = {cells(settings.size, strides) for strides in (THREE_LEVELS, FOUR_LEVELS)}
    if table.shape[1] in every and 5 <= len(table) < table.shape[1]:
        return table[4:].T
    finished = len(table) == 300 and table.shape[1] > 6
    if finished and _are_ids(table[:, 5]):  # score, class and the extra of YOLOv10-like heads
        return np.concatenate([table[:, 4:5], table[:, 6:]], axis=1)
    return None


def _are_ids(values: F32) -> bool:
    return bool((values == np.round(values)).all() and values.min() >= 0)


def _head_of_scores(rows: F32) -> str | None:
    """The head whose extra numbers leave the range of class scores."""
    beyond = (rows < -TOLERANCE) | (rows > 1 + TOLERANCE)
    outside: Bools = np.asarray(beyond.any(axis=0))
    if not outside.any() or outside[0]:
        return None
    return ORIENTED if outside[-1] and outside.sum() == 1 and rows.max() < np.pi else POSE


def _covers_input(outputs: Outputs, settings: DecoderSettings) -> bool:
    """Whether the only output is a stack of maps, or one map of ids, in the input's proportions."""
    array = outputs.arrays[0]
    shape = tuple(side for side in array.shape if side != 1)
    if len(shape) == 2:
        return shape == settings.size
    if len(shape) != 3:
        return False
    places = (shape[1:], shape[:2])
    return any(_is_fraction(place, settings.size) for place in places)


def _is_fraction(place: tuple[int, ...], size: tuple[int, int]) -> bool:
    """Whether a map is the input's size divided by 1, 2, 4 or 8."""
    return any(place == (-(-size[0] // part), -(-size[1] // part)) for part in (1, 2, 4, 8))
