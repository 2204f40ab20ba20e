"""The fall-back where few objects pass the rules: the softest rules are relaxed, in a stated order.

A run on a handful of photographs then has something to insert, and says what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from snellen.objects.cutouts.recognition import NOT_RECOGNISED
from snellen.objects.library.object_record import ObjectRecord
from snellen.objects.library.prune_rules import CUT_OFF, LITTLE_DETAIL, OCCLUDED

SOFT = (NOT_RECOGNISED, OCCLUDED, CUT_OFF, LITTLE_DETAIL)
"""The rules that may be relaxed, in this order. An object is pruned by the hardest rule that it
breaks, so one that is pruned by the first breaks no other."""


def relax(
    records: Sequence[ObjectRecord], enough: int
) -> tuple[list[ObjectRecord], dict[str, int]]:
    """The records with soft rules relaxed until `enough` objects are kept, and what was taken back.

    A rule is relaxed for all objects or none. The counts are by reason; empty if all rules hold.
    """
    kept = sum(not record.why for record in records)
    there = Counter(record.why for record in records if record.file)
    taken: dict[str, int] = {}
    for why in SOFT:
        if kept < enough and there[why]:
            taken[why] = there[why]
            kept += there[why]
    return [replace(one, why="") if one.why in taken else one for one in records], taken


def relaxed_words(taken: Mapping[str, int]) -> str:
    """What was taken back, as one line; "" if nothing.

    >>> relaxed_words({"occluded": 3, "looks cut off": 1})
    'few passed the quality rules, so these are used, too: occluded 3, looks cut off 1'
    """
    some = ", ".join(f"{why} {count}" for why, count in taken.items())
    return f"few passed the quality rules, so these are used, too: {some}" if some else ""
