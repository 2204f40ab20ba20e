"""The numbers of a camera+LiDAR run in words."""

from __future__ import annotations

from collections.abc import Mapping

from snellen.methods.fusion.own_numbers import (
    DistanceBand,
    FusionNumbers,
    RatedCases,
    SearchNumbers,
)
from snellen.store.findings import Finding

ENOUGH = 2
"""The minimum failing cases of a band or kind to be named the worst."""


def fusion_rows(found: FusionNumbers, failing: int) -> dict[str, str]:
    """Rows of the terminal table; found: the method's own numbers. failing: cases."""
    solid = _errors({name: one.solid for name, one in found.errors.items()})
    image = _errors({name: one.image for name, one in found.errors.items()})
    rows = {"errors": f"in 3D {solid}; in the image {image}"}
    if failing:
        worst = [_worst(_bands(found)), _worst(found.by_kind)]
        rows["most at"] = ", ".join(filter(None, worst)) or "too few cases to say"
    rows["search"] = search_words(found.search)
    return rows


def band_words(band: DistanceBand) -> str:
    """The distances of a band."""
    return f"{band.low} to {band.high} m"


def _bands(found: FusionNumbers) -> dict[str, DistanceBand]:
    return {band_words(one): one for one in found.by_distance}


def _errors(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"


def _worst(groups: Mapping[str, RatedCases]) -> str:
    """The group with the highest lower bound of its failure rate."""
    known = {name: one for name, one in groups.items() if one.failing >= ENOUGH}
    sure = {name: (round(one.rate.low, 6), one.failing) for name, one in known.items()}
    name = max(sure, key=lambda one: sure[one], default=None)
    return "" if name is None else f"{name} ({known[name].failing} of {known[name].cases})"


def search_words(search: SearchNumbers) -> str:
    """The search in one sentence.

    >>> search_words(SearchNumbers(insertions=45, kept=9, chains=5, chains_with_kept=3,
    ...                            failing_ends=2, longest=3, frames_full=0))
    '45 insertions in 5 chains, 9 accepted; 2 of 3 chains end in a failing case'
    """
    text = (
        f"{search.insertions} insertions in {search.chains} chains, "
        f"{search.kept} accepted; {search.failing_ends} of "
        f"{search.chains_with_kept} chains end in a failing case"
    )
    full = search.frames_full
    return f"{text}; {full} frame{'s' if full > 1 else ''} had no room for more" if full else text


def fusion_steps(found: FusionNumbers, tests: int, failing: int) -> list[str]:
    """What to do next; tests, failing: how many cases there are, and how many fail."""
    if not tests:
        return [
            "nothing was inserted: widen fusion.sector_degrees or the distances fusion.nearest and "
            "fusion.farthest, or check with `snellen insert3d` what fits"
        ]
    if not failing:
        return [
            "no failure was found; raise fusion.objects or fusion.tries to search longer, or set "
            "fusion.behind=only to insert objects where others hide them"
        ]
    where = _worst(_bands(found))
    if where:
        return [f"it fails most with insertions at {where}; look at these findings first"]
    return []


def case_facts(finding: Finding) -> tuple[str, ...]:
    """Lines that the caption of a case adds: distance, points, fitness."""
    measured, facts = finding.measurements, []
    if "distance" in measured:
        last = "the last of them " if len(finding.recipe.get("objects") or ()) > 1 else ""
        facts.append(f"{last}{measured['distance']:.0f} m away")
    if "visibility.points_added" in measured:
        facts.append(
            f"{measured['visibility.points_added']:,.0f} LiDAR points added, "
            f"{measured['visibility.points_removed']:,.0f} hidden"
        )
    if "fitness" in measured:
        kept = "accepted by the search" if measured.get("kept") else "rejected by the search"
        facts.append(f"fitness {measured['fitness']:.3f}, {kept}")
    if finding.recipe.get("sensors", "both") != "both":
        facts.append(f"visible to the {finding.recipe['sensors']} only: inconsistent sensors")
    return tuple(facts)
