"""NanoDet: each side of a box is the mean of a distribution over whole cells (reg_max 7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders.candidates import Candidates, Decoder, classes_above_floor, softmax
from snellen.subjects.decoders.grids import FOUR_LEVELS, THREE_LEVELS, cells, grid, levels
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs, last_axes, rank
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.vision.arrays import F32

BINS = 8
SIDES = 4 * BINS
MEAN = (103.53, 116.28, 123.675)
STD = (57.375, 57.12, 58.395)


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from (A, C + 32), or one (A_level, C) and one (A_level, 32) per level.

    Sides are distances from a cell's centre; in NanoDet-Plus, from its corner.
    """
    scores, sides = _merged(outputs)
    strides = _strides(len(scores), settings)
    places, steps = grid(settings.size, strides)
    kept, labels = classes_above_floor(scores, settings)
    shares = softmax(sides[kept].reshape(-1, 4, BINS))
    reach = (shares @ np.arange(BINS, dtype=np.float32)) * steps[kept]
    centres = (places[kept] + np.float32(settings.cell_offset)) * steps[kept]
    boxes = np.concatenate([centres - reach[:, :2], centres + reach[:, 2:]], axis=1)
    return Candidates(boxes, labels, scores[kept, labels])


def _merged(outputs: Outputs) -> tuple[F32, F32]:
    """Class scores (A, C) and side distributions (A, 32), whatever the outputs' names."""
    tables = _tables(outputs)
    if len(tables) == 1:
        return tables[0][:, :-SIDES], tables[0][:, -SIDES:]
    scores, sides = _halves(tables)
    finest_first = sorted(range(len(scores)), key=lambda level: -len(scores[level]))
    return (
        np.concatenate([scores[level] for level in finest_first]),
        np.concatenate([sides[level] for level in finest_first]),
    )


def _tables(outputs: Outputs) -> list[F32]:
    """The outputs as 2-D arrays, a level with a single cell included."""
    return [last_axes(array, 2) for array in outputs.arrays if array.ndim >= 2 >= rank(array)]


def _halves(tables: list[F32]) -> tuple[list[F32], list[F32]]:
    """The scores and the sides of each level, in the same order.

    Some exporters swap the names, so the widths identify them; with 32 classes the order does (all
    scores first, or scores and sides alternating).
    """
    if any(table.shape[1] != SIDES for table in tables):
        scores = [table for table in tables if table.shape[1] != SIDES]
        sides = [table for table in tables if table.shape[1] == SIDES]
    elif len(tables[0]) == len(tables[1]):
        scores, sides = tables[0::2], tables[1::2]
    else:
        scores, sides = tables[: len(tables) // 2], tables[len(tables) // 2 :]
    by_length = {len(side): side for side in sides}
    return scores, [by_length[len(score)] for score in scores]


def _strides(rows: int, settings: DecoderSettings) -> tuple[int, ...]:
    return THREE_LEVELS if rows == cells(settings.size, THREE_LEVELS) else FOUR_LEVELS


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:  # noqa: ARG001
    return Numbering(_merged(outputs)[0].shape[1])


def _is_merged(outputs: Outputs, settings: DecoderSettings, strides: tuple[int, ...]) -> bool:
    if len(outputs.arrays) != 1 or not outputs.tables():
        return False
    rows, columns = outputs.tables()[0].shape
    expected = {112} if settings.classes is None else {settings.classes + SIDES}
    return rows == cells(settings.size, strides) and columns in expected


def has_level_pairs(outputs: Outputs, settings: DecoderSettings, strides: tuple[int, ...]) -> bool:
    """Whether the outputs are one table of scores and one of sides per level."""
    tables = _tables(outputs)
    lengths = sorted(len(table) for table in tables)
    expected = sorted(2 * [rows * columns for rows, columns in levels(settings.size, strides)])
    return lengths == expected and sum(table.shape[1] == SIDES for table in tables) >= len(strides)


DECODER = Decoder(
    name="nanodet",
    version=1,
    recognises=lambda outputs, settings: (
        _is_merged(outputs, settings, THREE_LEVELS)
        or has_level_pairs(outputs, settings, THREE_LEVELS)
    ),
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(
        fit=InputFit.CENTRE, channels="bgr", scale=1.0, mean=MEAN, std=STD, pad=0
    ),
    nms=0.6,
    cell_offset=0.5,
)

PLUS = replace(
    DECODER,
    name="nanodet-plus",
    recognises=lambda outputs, settings: _is_merged(outputs, settings, FOUR_LEVELS),
    preprocessing=Preprocessing(channels="bgr", scale=1.0, mean=MEAN, std=STD),
    cell_offset=0.0,
)
