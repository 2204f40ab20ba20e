"""Bootstrap intervals of average precision: scenes are re-weighted, matches are reused.

A bootstrap replicate is a row of weights: how often each scene was drawn. Its AP is computed from
the stored matches as if each scene occurred that often in the set; the matcher does not run again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.vision.arrays import F64, AnyArray, Ints8, Ints32
from snellen.vision.compilation import worth_compiling
from snellen.vision.precision.average_precision import AVERAGES, average_precision
from snellen.vision.precision.matched_set import MatchedSet

BLOCK = 128
REPLICATES = 1000


def reweighted(
    matched: MatchedSet, weights: npt.ArrayLike, *, average: str = "coco101", area: str = "all"
) -> F64:
    """Average precision under each row of weights, by class and IoU threshold, (R, K, T).

    weights: (R, images), integers: how often each image occurs in the set. NaN for classes without
    objects to find. Equal to evaluating the set with its images repeated that often, one copy after
    another.
    """
    rows = np.asarray(weights)
    if rows.ndim != 2 or rows.shape[1] != matched.images:
        raise ValueError(f"found weights of shape {rows.shape} for {matched.images} images")
    place = matched.range(area)
    outcome = np.ascontiguousarray(matched.outcome[:, place].T)
    counts = np.ascontiguousarray(matched.counts[:, place])
    found = matched.detections
    truth = matched.truth_bounds, matched.truths.image, counts
    points = _recall_points(average)
    if _is_small(matched, outcome, len(rows)):
        from snellen.statistics import ap_bootstrap_arrays

        columns = np.ascontiguousarray(rows.T, dtype=np.int32)
        return ap_bootstrap_arrays.reweighted_precision(
            matched.bounds, found.image, outcome, *truth, columns, *points
        )
    from snellen.statistics.ap_bootstrap_kernels import reweighted_precision

    values = reweighted_precision(
        matched.bounds, found.image, found.score, outcome, *truth, _blocks(rows), *points
    )
    return values[: len(rows)]


def _is_small(matched: MatchedSet, outcome: Ints8, replicates: int) -> bool:
    """Whether whole arrays take less time than compiling the loops."""
    from snellen.statistics.ap_bootstrap_arrays import has_mixed_runs
    from snellen.vision.boxes.match_kernels import FALSE

    steps = int((outcome != FALSE).sum()) * (2 + replicates // 500)
    if worth_compiling("reweighted_precision", steps):
        return False
    found = matched.detections
    return not has_mixed_runs(matched.bounds, found.image, found.score, outcome)


def mean_over_classes(values: F64) -> F64:
    """Mean over the last two axes (class, threshold), ignoring NaN; NaN if all are."""
    known = ~np.isnan(values)
    count = known.sum(axis=(-2, -1))
    total = np.where(known, values, 0.0).sum(axis=(-2, -1))
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def precision_interval(
    matched: MatchedSet,
    rng: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    confidence: float = CONFIDENCE,
    average: str = "coco101",
    area: str = "all",
) -> Interval:
    """Mean average precision over classes and thresholds, with its bootstrap interval by scene.

    >>> from snellen.vision.annotations import Annotations
    >>> from snellen.vision.detections import Detections
    >>> from snellen.vision.precision.set_matching import match_set
    >>> known = [Annotations([[0, 0, 9, 9]], [0])] * 20
    >>> seen = [Detections([[0, 0, 9, 9]], [0], [0.9])] * 10 + [Detections.empty()] * 10
    >>> found = precision_interval(match_set(seen, known), np.random.default_rng(1))
    >>> round(found.value, 2), found.low < 0.4, found.high > 0.6
    (0.5, True, True)
    """
    found = _replicates((matched,), rng, replicates, average, area)
    return _interval(*found, matched.images, confidence, 0)


def paired_difference(
    before: MatchedSet,
    after: MatchedSet,
    rng: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    confidence: float = CONFIDENCE,
    average: str = "coco101",
    area: str = "all",
) -> Interval:
    """Mean average precision after minus before, of two subjects on the same scenes.

    Both are re-weighted alike, so that the difficulty of a scene for both cancels out.
    """
    found = _replicates((before, after), rng, replicates, average, area)
    return _interval(*found, before.images, confidence, -1)


def mean_over_sets(
    sets: Sequence[Sequence[MatchedSet]],
    rng: np.random.Generator,
    *,
    replicates: int = REPLICATES,
    confidence: float = CONFIDENCE,
    average: str = "coco101",
    area: str = "all",
) -> Interval:
    """The mean over several sets of scenes, each weighted by its number of scenes.

    sets: for each, the matches of one subject, or of two (before, after) for their difference. For
    sets that each had their own subject, as in cross-validation: a common ranking would compare
    scores of different subjects, which costs precision (Forman and Scholz 2010). Scenes are drawn
    within their sets. With sets of about 60 scenes a nominal 95% is about 93%.
    """
    shares = np.array([one[0].images for one in sets], dtype=np.float64)
    shares /= shares.sum()
    drawn = [_replicates(one, rng, replicates, average, area) for one in sets]
    value = float(sum(share * one[0] for share, one in zip(shares, drawn, strict=True)))
    values = sum(share * one[1] for share, one in zip(shares, drawn, strict=True))
    fewest = min(one[0].images for one in sets)
    return _interval(value, np.asarray(values), fewest, confidence, -float(len(sets[0]) > 1))


def _replicates(
    sides: Sequence[MatchedSet],
    rng: np.random.Generator,
    replicates: int,
    average: str,
    area: str,
) -> tuple[float, F64]:
    """The value of one side, or the second minus the first, and the same for each replicate."""
    if len({side.images for side in sides}) > 1:
        raise ValueError(
            f"images must be the same: found {sides[0].images} before and {sides[1].images} after"
        )
    weights = scene_weights(sides[0].images, replicates, rng)
    values = [_value(side, average, area) for side in sides]
    drawn = [
        mean_over_classes(reweighted(side, weights, average=average, area=area)) for side in sides
    ]
    if len(sides) == 1:
        return values[0], drawn[0]
    return values[1] - values[0], drawn[1] - drawn[0]


def _value(matched: MatchedSet, average: str, area: str) -> float:
    return average_precision(matched, average=average).value(area=area)


def _interval(
    value: float, replicates: F64, images: int, confidence: float, lowest: float
) -> Interval:
    """The symmetric bootstrap interval around the value minus its estimated bias.

    Interpolated precision is a maximum, so the AP of a replicate is biased upwards, and that of the
    set by about as much: percentiles would count the bias twice. The half-width is the `confidence`
    quantile of the replicates' distances to the value, widened because a set drawn from n images
    varies as if there were n - 1.
    """
    known = replicates[np.isfinite(replicates)]
    low, high = np.nan, np.nan
    if known.size:
        half = np.quantile(np.abs(known - value), confidence, method="higher")
        half *= np.sqrt(images / max(images - 1, 1))
        centre = 2 * value - known.mean()
        low, high = np.clip([centre - half, centre + half], lowest, 1)
    return Interval(
        value, float(low), float(high), "bias-corrected symmetric bootstrap by scene", confidence
    )


def _blocks(weights: AnyArray) -> Ints32:
    """Weights as (blocks, images, replicates in a block), the last block padded with zeros."""
    count, images = weights.shape
    size = min(BLOCK, max(count, 1))
    padded = np.zeros((-(-count // size) * size, images), dtype=np.int32)
    padded[:count] = weights
    return np.ascontiguousarray(padded.reshape(-1, size, images).transpose(0, 2, 1))


def _recall_points(average: str) -> tuple[F64, int]:
    """The recall points of an average for the compiled loop; see its `reached`."""
    points = AVERAGES[average]
    if not len(points):
        return np.zeros(1), 0
    zero = int(points[0] == 0)
    steps = len(points) - zero
    whole = np.arange(steps + 1)
    grid = points if zero else np.concatenate([[0.0], points])
    return np.where(grid > whole / steps, whole + 1e-9, whole - 1e-9), zero
