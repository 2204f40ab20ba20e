"""Shrinking: the smallest part of a failing composition in which a symptom persists."""

from __future__ import annotations

from itertools import combinations

from snellen.methods.combinations.explanation.ladder import CompositionLadder, Inquiry, Places
from snellen.methods.combinations.explanation.symptom import Symptom

REPEATS = slice(2)
"""The tiny variations by which a part is confirmed."""


def smallest_part(ladder: CompositionLadder, symptom: Symptom) -> Inquiry[Places]:
    """The objects without which the symptom is gone: removing any one ends it.

    The bare background (for an extra label) and single objects come first, then pairs. A smaller
    part counts only if the symptom persists in one of two tiny variations of it as well.
    """
    single = yield from _first(ladder, symptom, _least(ladder, symptom))
    if single is not None:
        return single
    whole = ladder.everything
    if len(whole) <= 2:
        return whole
    pairs = pairs_in(ladder, symptom, whole)
    if len(pairs) <= len(whole):
        pair = yield from _first(ladder, symptom, pairs)
        if pair is not None:
            return pair
    return (yield from _reduced(ladder, symptom))


def pairs_in(ladder: CompositionLadder, symptom: Symptom, places: Places) -> list[Places]:
    """The pairs of these objects that can show the symptom."""
    pairs = (frozenset(pair) for pair in combinations(sorted(places), 2))
    return [pair for pair in pairs if _fits(ladder, symptom, pair)]


def _least(ladder: CompositionLadder, symptom: Symptom) -> list[Places]:
    """The bare background and the single objects that can show the symptom."""
    parts = [frozenset[int](), *(frozenset([place]) for place in sorted(ladder.everything))]
    return [part for part in parts if _fits(ladder, symptom, part)]


def _fits(ladder: CompositionLadder, symptom: Symptom, places: Places) -> bool:
    return symptom.gone is None or symptom.gone in ladder.shown(places)


def _first(
    ladder: CompositionLadder, symptom: Symptom, parts: list[Places]
) -> Inquiry[Places | None]:
    """The first of these parts in which the symptom is confirmed."""
    for part in parts:
        if (yield from _confirmed(ladder, symptom, part)):
            return part
    return None


def _confirmed(ladder: CompositionLadder, symptom: Symptom, part: Places) -> Inquiry[bool]:
    [persists] = yield from ladder.persisting(symptom, [ladder.part(part)])
    if not persists or part == ladder.everything:
        return persists
    return any((yield from ladder.persisting(symptom, ladder.tiny(part, REPEATS))))


def _reduced(ladder: CompositionLadder, symptom: Symptom) -> Inquiry[Places]:
    """What remains if objects are removed one after the other while the symptom persists."""
    kept, before = ladder.everything, frozenset[int]()
    while kept != before:
        before = kept
        for place in sorted(before):
            kept = yield from _without(ladder, symptom, kept, place)
    return kept if (yield from _confirmed(ladder, symptom, kept)) else ladder.everything


def _without(
    ladder: CompositionLadder, symptom: Symptom, kept: Places, place: int
) -> Inquiry[Places]:
    """The part without one object if the symptom persists, else the same part."""
    smaller = kept - {place}
    if not _fits(ladder, symptom, smaller):
        return kept
    [persists] = yield from ladder.persisting(symptom, [ladder.part(smaller)])
    return smaller if persists else kept
