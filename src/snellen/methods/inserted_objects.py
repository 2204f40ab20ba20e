"""Inserted objects: how often each made others fail, and how often it was itself missed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from snellen.pages.markup import Markup, tag
from snellen.pages.page_section import Tile
from snellen.pages.tables import SHOWN, section, table
from snellen.store.estimate import percent
from snellen.store.rates import JudgedCases, Rates

INSERTED = "inserted"
"""The key of a method's own numbers."""


def inserted_numbers(tests: JudgedCases, rates: Rates) -> dict[str, Any] | None:
    """How often the inserted object itself was not found, in all and for each object."""
    missed = tests.measured("inserted_missed")
    known = ~np.isnan(missed)
    if not known.any():
        return None
    rate = rates.among(tests.scenes[known], missed[known] > 0)
    objects: dict[str, dict[str, int]] = defaultdict(
        lambda: {"cases": 0, "missed": 0, "failing": 0}
    )
    for recipe, gone, failing in zip(tests.recipes, missed, tests.failing, strict=True):
        count = objects[str(recipe.get("object", "?"))]
        count["cases"] += 1
        count["missed"] += int(gone > 0)
        count["failing"] += int(failing)
    return {
        "cases": int(rate.cases),
        "missed": int(rate.failing),
        "rate": rate.to_json(),
        "objects": dict(sorted(objects.items(), key=lambda one: (-one[1]["failing"], one[0]))),
    }


def inserted_tiles(found: Mapping[str, Any] | None) -> list[Tile]:
    """How many inserted objects were missed; found: from `inserted_numbers`."""
    if found is None:
        return []
    return [Tile(f"{found['missed']}", f"of {found['cases']} inserted objects not found", 2)]


def inserted_rows(found: Mapping[str, Any] | None) -> dict[str, str]:
    """The same as a row of the terminal table."""
    if found is None:
        return {}
    text = f"{found['missed']} of {found['cases']} not found themselves"
    return {INSERTED: f"{text}, {percent(found['rate'])}"}


def inserted_section(found: Mapping[str, Any] | None, labels: Mapping[str, str]) -> Markup | None:
    """Each inserted object: how often it made others fail, and how often it was itself missed.

    labels: by object id, where known.
    """
    if found is None:
        return None
    rows = [
        [
            tag("span", labels.get(id, "object"), tag("small", id)),
            one["cases"],
            f"{one['failing']} ({100 * one['failing'] / one['cases']:.0f}%)",
            f"{one['missed']} ({100 * one['missed'] / one['cases']:.0f}%)",
        ]
        for id, one in found["objects"].items()
    ]
    heads = ["inserted object", "cases", "made others fail", "not found itself"]
    first, rest = rows[:SHOWN], rows[SHOWN:]
    return section(
        "Inserted objects",
        tag("p", f"Not found by the subject: {percent(found['rate'])}. Counted separately."),
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
