"""Inserted objects: how often each made others fail, and how often it was itself missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from pydantic import Field

from snellen.objects.library.library import BOXES
from snellen.objects.library.relaxation import relaxed_words
from snellen.pages.markup import Child, Markup, tag
from snellen.pages.page_section import Tile
from snellen.pages.tables import SHOWN, section, table
from snellen.store.estimate import Estimate, percent
from snellen.store.number_model import NumberModel
from snellen.store.rates import JudgedCases, Rates
from snellen.store.summary import OwnNumbers
from snellen.vision.arrays import Bools

INSERTED = "inserted"
"""The key of a method's own numbers."""
BOXES_ONLY = "cut out by box alone (GrabCut), the last resort; masks give better objects"


class ObjectCounts(NumberModel):
    """Of one object: cases, those in which it was missed, and those in which others failed."""

    cases: int
    missed: int
    failing: int


class InsertedNumbers(NumberModel):
    """How often inserted objects were missed; objects: by id, most harmful first.

    boxes_only: whether they were cut out by their boxes alone, as no masks were known. relaxed: how
    many the library has that break a quality rule, by the rule, since few passed all.
    """

    cases: int
    missed: int
    rate: Estimate
    objects: dict[str, ObjectCounts]
    boxes_only: bool = False
    relaxed: dict[str, int] = Field(default_factory=dict)

    @classmethod
    def read(cls, own: OwnNumbers) -> InsertedNumbers | None:
        """Those among a method's own numbers, None without any."""
        found = own.get(INSERTED)
        return None if found is None else cls.model_validate(found)


def inserted_numbers(
    tests: JudgedCases, rates: Rates, facts: Mapping[str, Any]
) -> InsertedNumbers | None:
    """How often the inserted object itself was not found, in all and for each object.

    facts: those of the method, with how the objects were cut out.
    """
    missed = tests.measured("inserted_missed")
    known = ~np.isnan(missed)
    if not known.any():
        return None
    origin = facts.get("objects", {})
    rate = rates.among(tests.scenes[known], missed[known] > 0)
    return InsertedNumbers(
        cases=int(rate.cases),
        missed=int(rate.failing),
        rate=Estimate.of(rate),
        objects=_by_object(tests, missed > 0),
        boxes_only=origin.get("cut") == BOXES,
        relaxed=origin.get("relaxed", {}),
    )


def _by_object(tests: JudgedCases, missed: Bools) -> dict[str, ObjectCounts]:
    """The counts of each object; missed: (N,) cases in which it was not found."""
    ids = [str(recipe.get("object", "?")) for recipe in tests.recipes]
    cases = Counter(ids)
    lost = Counter(id for id, gone in zip(ids, missed, strict=True) if gone)
    failing = Counter(id for id, fails in zip(ids, tests.failing, strict=True) if fails)
    return {
        id: ObjectCounts(cases=cases[id], missed=lost[id], failing=failing[id])
        for id in sorted(cases, key=lambda id: (-failing[id], id))
    }


def inserted_tiles(found: InsertedNumbers | None) -> list[Tile]:
    """How many inserted objects were missed; found: from `inserted_numbers`."""
    if found is None:
        return []
    return [Tile(f"{found.missed}", f"of {found.cases} inserted objects not found", 2)]


def inserted_rows(found: InsertedNumbers | None) -> dict[str, str]:
    """The same as a row of the terminal table."""
    if found is None:
        return {}
    text = f"{found.missed} of {found.cases} not found themselves"
    rows = {INSERTED: f"{text}, {percent(found.rate)}"}
    rows |= {"outlines": BOXES_ONLY} if found.boxes_only else {}
    return rows | ({"objects": relaxed_words(found.relaxed)} if found.relaxed else {})


def inserted_section(found: InsertedNumbers | None, labels: Mapping[str, str]) -> Markup | None:
    """Each inserted object: how often it made others fail, and how often it was itself missed.

    labels: by object id, where known.
    """
    if found is None:
        return None
    rows: list[list[Child]] = [
        [
            tag("span", labels.get(id, "object"), tag("small", id)),
            one.cases,
            f"{one.failing} ({100 * one.failing / one.cases:.0f}%)",
            f"{one.missed} ({100 * one.missed / one.cases:.0f}%)",
        ]
        for id, one in found.objects.items()
    ]
    heads = ["inserted object", "cases", "made others fail", "not found itself"]
    first, rest = rows[:SHOWN], rows[SHOWN:]
    return section(
        "Inserted objects",
        tag("p", f"Not found by the subject: {percent(found.rate)}. Counted separately."),
        tag("p", f"Outlines: {BOXES_ONLY}.") if found.boxes_only else None,
        tag("p", f"Objects: {relaxed_words(found.relaxed)}.") if found.relaxed else None,
        table(heads, first, "Inserted objects, most harmful first"),
        tag(
            "details",
            tag("summary", f"{len(rest)} more"),
            table(heads, rest, "Further inserted objects"),
        )
        if rest
        else None,
        id="objects",
    )
