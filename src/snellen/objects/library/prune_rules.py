"""Which cut-outs are good enough to be inserted, and why the others are pruned."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.objects.cutouts.completeness import looks_cut_off
from snellen.objects.cutouts.quality import detail
from snellen.objects.cutouts.scene_cutouts import Piece
from snellen.objects.library.library import BOXES
from snellen.objects.library.object_record import ObjectRecord

Share = Annotated[float, Field(ge=0, le=1)]

NOT_CUT = "not cut out"
UNWANTED = "another label"
DUPLICATE = "the same as another"
NOT_LARGEST = "not among the largest of its label"
OVER_LIMIT = "over the limit of its label"
OCCLUDED = "occluded"
CUT_OFF = "looks cut off"
LITTLE_DETAIL = "too little detail"
PUBLISHED_SHARE = 0.1


class PruneOptions(Options):
    """What is pruned.

    by: `quality`, with the limits below; `published`, which keeps the largest tenth of each label
    regardless of quality; `none`. A limit is the worst quality that is kept.
    """

    by: Literal["quality", "published", "none"] = "quality"
    largest: Share | None = Field(
        None, description="Share of each label to keep; default: 1 by quality, 0.1 as published."
    )
    few: int = Field(6, ge=0, description="Labels with fewer objects are not pruned by size.")
    border: bool = Field(False, description="Keep objects that touch the border of their image.")
    side: int = Field(20, ge=1, description="Minimum length of the shorter side in pixels.")
    fragments: int = Field(1, ge=1, description="Maximum number of separate parts.")
    holes: Share = Field(0.1, description="Maximum share of holes inside the outline.")
    occluded: Share = Field(0.15, description="Maximum share occluded by other objects.")
    flat: Share = Field(
        0.5,
        description="Maximum share of a side of its box that the outline of a person or an animal "
        "follows; more looks cut off, as does a person who is not upright.",
    )
    sharpness: float = Field(0.12, ge=0, description="Minimum sharpness; lower is blurred.")
    detail: float = Field(
        70,
        ge=0,
        description="Minimum number of details across: the side of a square of the object's area "
        "over the width of its sharpest edges.",
    )
    filled: tuple[Share, Share] = Field(
        (0.3, 0.92),
        description="Minimum and maximum share of the box that is filled, if cut by boxes.",
    )
    contrast: Share = Field(0.06, description="Minimum contrast of the edge, if cut by boxes.")
    fit: Share = Field(0.65, description="Minimum IoU with the given box, if cut by boxes.")
    recognised: Share = Field(
        0.5,
        description="Minimum score of the cut-out alone; at least the threshold of the subject.",
    )
    enough: int = Field(
        12,
        ge=0,
        description="Number of objects below which rules are relaxed, the softest first: "
        "recognised, occluded, flat, detail. Not if cut by boxes.",
    )

    @model_validator(mode="before")
    @classmethod
    def _text_is_by(cls, value: Any) -> Any:
        return {"by": value} if isinstance(value, str) else value

    def share(self) -> float:
        """The share of each label to keep."""
        if self.largest is not None:
            return self.largest
        return PUBLISHED_SHARE if self.by == "published" else 1.0


def prune_reason(piece: Piece, options: PruneOptions, cut: str, *, photograph: bool = True) -> str:
    """Why a piece is pruned for its own quality, or "" if it is good enough.

    Rules come in the order in which they are relaxed, the last first (`relaxation.py`). photograph:
    whether its picture is one; a generated picture is as detailed as it is meant to be.
    """
    if piece.cutout is None:
        return NOT_CUT
    if options.by != "quality":
        return ""
    quality = piece.quality
    faults = {
        "smaller than the shortest side": min(piece.cutout.size) < options.side,
        "touches the border": quality.touches_border and not options.border,
        "in fragments": quality.fragments > options.fragments,
        "has holes": quality.holes > options.holes,
        "blurred": quality.sharpness < options.sharpness,
    }
    if cut == BOXES:
        low, high = options.filled
        faults["fills too little or too much of its box"] = not low <= quality.filled <= high
        faults["edge without contrast"] = quality.contrast < options.contrast
        faults["does not reach the sides of its box"] = quality.fit < options.fit
    else:
        pixels, label = piece.cutout.pixels, piece.entry.label
        faults[LITTLE_DETAIL] = photograph and detail(pixels) < options.detail
        faults[CUT_OFF] = looks_cut_off(label, pixels[..., 3], options.flat)
    faults[OCCLUDED] = quality.occluded > options.occluded
    return next((why for why, wrong in faults.items() if wrong), "")


def pruned(
    records: Sequence[ObjectRecord], options: PruneOptions, limit: int | None
) -> list[ObjectRecord]:
    """The records after pruning duplicates, objects too small for their label, and too many.

    As published, the smallest int((1 - share) * n) of the n objects of a label are pruned by area,
    unless n is less than `few`; objects pruned before do not count.
    """
    records = _prune_duplicates(records)
    by_label: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        if not record.why:
            by_label[record.entry.label].append(place)
    reasons: dict[int, str] = {}
    for places in by_label.values():
        order = sorted(places, key=lambda place: -records[place].entry.area)
        drop = int((1 - options.share()) * len(order) + 1e-9) if len(order) >= options.few else 0
        stay = len(order) - drop
        reasons.update(dict.fromkeys(order[stay:], NOT_LARGEST))
        if limit is not None:
            reasons.update(dict.fromkeys(order[limit:stay], OVER_LIMIT))
    return [
        replace(record, why=reasons[place]) if place in reasons else record
        for place, record in enumerate(records)
    ]


def _prune_duplicates(records: Sequence[ObjectRecord]) -> list[ObjectRecord]:
    seen: set[str] = set()
    out = []
    for record in records:
        twice = not record.why and record.entry.id in seen
        out.append(replace(record, why=DUPLICATE) if twice else record)
        if not record.why:
            seen.add(record.entry.id)
    return out


def counts(records: Sequence[ObjectRecord]) -> tuple[dict[str, int], dict[str, int]]:
    """Numbers of objects kept by label, and of objects pruned by reason."""
    kept = Counter(record.entry.label for record in records if not record.why)
    gone = Counter(record.why for record in records if record.why)
    return dict(sorted(kept.items())), dict(sorted(gone.items()))
