"""A heat map of label pairs: how often one label is wrong where another is present."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from snellen.methods.combinations.cases import KINDS, Outcomes
from snellen.methods.combinations.numbers import directed, training_pairs
from snellen.methods.combinations.pairs.pair_tests import difficult_labels
from snellen.pages.markup import Markup, joined, tag
from snellen.vision.arrays import Ints

MOST = 120
"""Maximum labels per side; of more, those with the most errors are shown."""
VIEWS = {
    "attributed": "smallest failing part",
    "any": "any error",
    "missing": "missing",
    "extra": "extra",
    "mismatch": "mismatch",
}
ORDERS = {"errors": "most errors first", "name": "by name", "subject": "as the subject lists them"}


Counts = list[list[int]]
"""A table of images, rows by columns."""


class PairMap(BaseModel):
    """The numbers of the map, as plain values.

    rows: labels that were shown. columns: labels shown or output. present: images with each
    row's label. `missed`, `added`, `swapped` and `blamed` have the present label as row and the
    wrong one as column, the other tables are per pair. stands: 1 where the pair stands out and its
    errors are in this direction. difficult: labels that are missed more often than others, whatever
    is beside them. training: None if unknown.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rows: list[str]
    columns: list[str]
    present: list[int]
    both: Counts
    missed: Counts
    added: Counts
    swapped: Counts
    blamed: Counts
    stands: Counts
    difficult: list[str]
    passed: Counts
    missing: Counts
    extra: Counts
    mismatch: Counts
    training: Counts | None


def map_data(found: Outcomes, facts: Mapping[str, Any]) -> PairMap:
    """The numbers of the map. facts: of the run."""
    counts = found.counts
    errors = counts.missing + counts.extra + counts.mismatch
    shown, said = (np.asarray(one.any(axis=0)) for one in (found.truth, found.said))
    rows, columns = _most(shown, errors), _most(shown | said, errors)
    place = np.ix_(rows, columns)
    training = training_pairs(facts)
    blamed = sum((found.attributed[kind] for kind in KINDS), np.zeros_like(counts.both))
    return PairMap(
        rows=[found.classes[one] for one in rows],
        columns=[found.classes[one] for one in columns],
        present=counts.both.diagonal()[rows].tolist(),
        both=counts.both[place].tolist(),
        missed=counts.missed[place].tolist(),
        added=counts.added[place].tolist(),
        swapped=counts.swapped[place].tolist(),
        blamed=blamed[place].tolist(),
        stands=_standing(found)[place].tolist(),
        difficult=[found.classes[one] for one in np.flatnonzero(difficult_labels(counts))],
        passed=counts.passed[place].tolist(),
        missing=counts.missing[place].tolist(),
        extra=counts.extra[place].tolist(),
        mismatch=counts.mismatch[place].tolist(),
        training=None if training is None else training[place].tolist(),
    )


def _standing(found: Outcomes) -> Ints:
    """(n, n): 1 where a pair stands out by errors on the column's label."""
    marked = np.zeros_like(found.counts.both)
    for kind in KINDS:
        errors = found.attributed[kind] + directed(found.counts, kind) * ~found.attributed_pairs[
            kind
        ].astype(bool)
        marked |= found.tests.stands_out(kind) & (errors > 0)
    return marked


def _most(shown: np.ndarray[Any, np.dtype[np.bool_]], errors: Ints) -> list[int]:
    """The labels to show, in the subject's order: those with most errors if too many."""
    places = np.flatnonzero(shown)
    struck = errors.sum(axis=1)[places]
    kept: list[int] = sorted(places[np.argsort(-struck, kind="stable")[:MOST]].tolist())
    return kept


def heatmap(data: PairMap) -> Markup | None:
    """The map, drawn by the script from its numbers; without it, a pointer to the tables."""
    if not data.rows:
        return None
    return joined(
        tag("p", NOTE),
        tag(
            "div",
            tag(
                "div",
                _choice("view", VIEWS, "What is shown"),
                _select("map-order", ORDERS, "Order of labels"),
                class_="filters",
            ),
            tag("p", id="map-says", class_="facts"),
            tag("div", tag("svg"), id="map-chart", class_="map-scroll"),
            tag("div", id="map-tip", role="status", hidden=True),
            id="map",
            data_numbers=json.dumps(data.model_dump(exclude_none=True), separators=(",", ":")),
            hidden=True,
        ),
        tag(
            "p",
            "The map needs JavaScript; the worst combinations are in the tables below.",
            id="map-without",
            class_="facts",
        ),
    )


NOTE = (
    "Each row is a label in the image, each column a label that is wrong there: present but not "
    "output (missing), output but not present (extra), or output in place of the row's label "
    "(mismatch). Framed cells belong to pairs that stand out from all others, with the false "
    "discovery rate controlled at 5%. Point at a cell, or use the arrow keys, for its "
    "numbers. A label with a dagger (\u2020) is missed more often than labels on average, whatever "
    "is beside it (same test): its row and column are dark for that reason alone."
)


def _choice(name: str, options: Mapping[str, str], label: str) -> Markup:
    buttons = [
        tag("button", words, type="button", data_view=key, aria_pressed=_flag(place == 0))
        for place, (key, words) in enumerate(options.items())
    ]
    return tag("span", buttons, role="group", aria_label=label, class_="choice", id=f"map-{name}")


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _select(id: str, options: Mapping[str, str], label: str) -> Markup:
    made: Sequence[Markup] = [tag("option", words, value=key) for key, words in options.items()]
    return tag("select", made, id=id, aria_label=label)
