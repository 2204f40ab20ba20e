"""RTMDet: per level, a map of class logits and a map of distances in pixels from cell corners."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from snellen.subjects.decoders import plain_outputs
from snellen.subjects.decoders.candidates import Candidates, Decoder, classes_above_floor, sigmoid
from snellen.subjects.decoders.grids import THREE_LEVELS, grid, levels
from snellen.subjects.decoders.nanodet import MEAN, STD
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.model_file.class_table import Numbering
from snellen.subjects.model_file.letterbox import InputFit
from snellen.subjects.model_file.preprocessing import Preprocessing
from snellen.vision.arrays import F32

SIDES = 4


def decode(outputs: Outputs, settings: DecoderSettings) -> Candidates:
    """Candidates from a (C, h, w) and a (4, h, w) map per level: logits; left, top, right, bottom.

    Maps may also have their channels last.
    """
    logits, sides = _tables(outputs, settings)
    scores = logits if settings.activation == "none" else sigmoid(logits)
    places, steps = grid(settings.size, THREE_LEVELS)
    kept, labels = classes_above_floor(scores, settings)
    points = (places[kept] + np.float32(settings.cell_offset)) * steps[kept]
    boxes = np.concatenate([points - sides[kept, :2], points + sides[kept, 2:]], axis=1)
    return Candidates(boxes, labels, scores[kept, labels])


def _tables(outputs: Outputs, settings: DecoderSettings) -> tuple[F32, F32]:
    """Logits (A, C) and sides (A, 4) of all cells, finest level first."""
    pairs = [_pair(outputs, cells) for cells in levels(settings.size, THREE_LEVELS)]
    logits, sides = zip(*pairs, strict=True)
    return np.concatenate(logits), np.concatenate(sides)


def _pair(outputs: Outputs, cells: tuple[int, int]) -> tuple[F32, F32]:
    """One level's logits (A, C) and sides (A, 4); with four classes, the logits come first."""
    found = [table for map_ in outputs.volumes() if (table := _table(map_, cells)) is not None]
    if len(found) != 2 or SIDES not in (found[0].shape[1], found[1].shape[1]):
        raise ValueError(f"expected class and box maps of {cells[0]} x {cells[1]} cells")
    logits, sides = found if found[1].shape[1] == SIDES else found[::-1]
    return logits, sides


def _table(volume: F32, cells: tuple[int, int]) -> F32 | None:
    """A level's map as (A, channels), or None if it has another size."""
    if volume.shape[1:] == cells:
        return np.asarray(volume.reshape(len(volume), -1).T, dtype=np.float32)
    if volume.shape[:2] == cells:
        return np.asarray(volume.reshape(-1, volume.shape[2]), dtype=np.float32)
    return None


def _recognises(outputs: Outputs, settings: DecoderSettings) -> bool:
    if not len(outputs.volumes()) == len(outputs.arrays) == 2 * len(THREE_LEVELS):
        return False
    try:
        _tables(outputs, settings)
    except ValueError:
        return False
    return True


def _numbering(outputs: Outputs, settings: DecoderSettings) -> Numbering:
    return Numbering(_tables(outputs, settings)[0].shape[1])


DECODER = Decoder(
    name="rtmdet",
    version=1,
    recognises=_recognises,
    numbering=_numbering,
    decode=decode,
    preprocessing=Preprocessing(fit=InputFit.CORNER, channels="bgr", scale=1.0, mean=MEAN, std=STD),
    nms=0.65,
    cell_offset=0.0,
)


def _is_finished(outputs: Outputs, settings: DecoderSettings) -> bool:
    """Whether there are MMDeploy's two outputs: boxes with scores, and labels."""
    named = outputs.named("dets") is not None and outputs.named("labels") is not None
    return (
        named and len(outputs.arrays) == 2 and plain_outputs.DECODER.recognises(outputs, settings)
    )


FINISHED = replace(
    plain_outputs.DECODER,
    name="rtmdet-finished",
    recognises=_is_finished,
    preprocessing=DECODER.preprocessing,
)
