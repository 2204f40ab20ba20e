"""PicoDet: like NanoDet-Plus on four levels, but from cell centres, in RGB, one pair per level."""

from __future__ import annotations

from dataclasses import replace

from snellen.subjects.decoders.grids import FOUR_LEVELS
from snellen.subjects.decoders.nanodet import DECODER as NANODET
from snellen.subjects.decoders.nanodet import has_level_pairs
from snellen.subjects.model_file.preprocessing import IMAGENET

DECODER = replace(
    NANODET,
    name="picodet",
    recognises=lambda outputs, settings: has_level_pairs(outputs, settings, FOUR_LEVELS),
    preprocessing=IMAGENET,
    cell_offset=0.5,
)
