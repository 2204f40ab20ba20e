"""The section on distance: the failure rate by distance, and how far failures can be moved."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.methods.insertion.distance_plots import how_far, rates_by_distance
from snellen.methods.insertion.numbers import GapBin, InsertionNumbers, RelocationNumbers
from snellen.pages.markup import Markup, tag
from snellen.pages.tables import section
from snellen.store.estimate import Estimate


def distance_section(
    found: InsertionNumbers, progress: Sequence[float], control: Estimate | None
) -> Markup | None:
    """Both plots, where the run has their numbers; progress: of each relocation, 0 to 1."""
    shown = [_near(found.by_gap, control), _far(found.relocation, progress)]
    if not any(shown):
        return None
    return section("Distance", tag("div", shown, class_="plots"), id="distance")


def _near(bins: Sequence[GapBin] | None, control: Estimate | None) -> Markup | None:
    if not bins:
        return None
    caption = (
        "Failure rate by distance from the inserted object to the nearest one, with intervals by "
        "scene."
    )
    return _figure("Failure rate by distance", rates_by_distance(bins, control), caption)


def _far(moves: RelocationNumbers | None, progress: Sequence[float]) -> Markup | None:
    if moves is None:
        return None
    caption = (
        f"Of {moves.started} failing insertions, {moves.moved} still fail closer to the "
        f"target and {moves.reached_target} at it, in {moves.unique} different cases."
    )
    return _figure("How far a failure can be moved", how_far(progress), caption)


def _figure(title: str, plot: Markup, caption: str) -> Markup:
    return tag(
        "figure", tag("figcaption", tag("h3", title)), plot, tag("p", caption, class_="facts")
    )
