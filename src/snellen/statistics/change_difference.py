"""How much more one subject changes than another, both asked on the same scenes."""

from __future__ import annotations

import numpy as np

from snellen.statistics.confidence_curve import ConfidenceCurve, Side
from snellen.statistics.discordant_pairs import DiscordantPairs
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.statistics.scene_counts import SceneCounts
from snellen.statistics.scene_curves import Clustering, no_data, paired_curve
from snellen.vision.arrays import F64

METHOD = "clustered difference of changes"


def change_difference(
    first: DiscordantPairs,
    second: DiscordantPairs,
    *,
    scales: tuple[float, float] = (1.0, 1.0),
    confidence: float = CONFIDENCE,
    side: Side = "two-sided",
    null: float = 0.0,
    clustering: Clustering | None = None,
) -> Interval:
    """The change of the first minus the change of the second, each a paired difference.

    first, second: pairs of one subject's answers, over the same scenes in the same order; their
    cases need not be the same. scales: factor of each change. p: as of `difference`.

    >>> from snellen.statistics.discordant_pairs import discordant_pairs
    >>> worse = discordant_pairs([4, 3, 5, 4, 3, 4, 5, 4], [1] * 8, [10] * 8)
    >>> found = change_difference(worse, discordant_pairs([1] * 8, [1] * 8, [10] * 8))
    >>> round(found.value, 2), found.low > 0
    (0.3, True)
    """
    found = change_difference_curve(first, second, scales, clustering)
    return found.interval(confidence, side, null)


def change_difference_curve(
    first: DiscordantPairs,
    second: DiscordantPairs,
    scales: tuple[float, float] = (1.0, 1.0),
    clustering: Clustering | None = None,
) -> ConfidenceCurve:
    """The confidence curve of the change of the first minus that of the second.

    What both change alike in a scene cancels there. What is left is a paired difference: cases
    that only the first makes worse, or only the second better, against the others.
    """
    totals = first.first.total, second.first.total
    if len(first.first.cases) != len(second.first.cases):
        raise ValueError(
            f"both changes need one count per scene, in the same order; found "
            f"{len(first.first.cases)} scenes and {len(second.first.cases)}"
        )
    if not min(totals):
        return no_data(-1.0, METHOD).scaled(sum(scales), METHOD)
    unit = sum(scales) / sum(totals)
    one, other = (scale / total / unit for scale, total in zip(scales, totals, strict=True))
    net = one * _net(first) - other * _net(second)
    cases = np.maximum((one * first.first.cases + other * second.first.cases) / 2, np.abs(net))
    changed = one * first.either.events.sum() + other * second.either.events.sum()
    worse, better = (SceneCounts(np.maximum(part, 0), cases) for part in (net, -net))
    pairs = DiscordantPairs(worse, better, float(changed), known=False)
    return paired_curve(pairs, clustering).scaled(unit * worse.total, METHOD)


def _net(pairs: DiscordantPairs) -> F64:
    """(scenes,) how many more get worse than better."""
    return np.asarray(pairs.first.events - pairs.second.events)
