"""How much several guesses at one object differ: its boxes, and the chances of its classes.

All entropies are in nats. Definitions follow BayesOD (Harakeh et al. 2020): a normal distribution
of a box's four borders, a categorical one of the classes, each with a weak prior.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools

FLOOR = 1 / 12
"""Square pixels that are added to each variance for the entropy of a box: the variance of a place
somewhere in a pixel. It keeps the entropy of equal boxes finite."""
WIDEST = 1e5
"""Square pixels: the prior variance of a border, which nothing is known of yet."""
PRIOR = float(2 * np.log(2 * np.pi * np.e * WIDEST))
"""Nats: the entropy of a box that nothing is known of."""
DRAWS = 30
"""Categorical draws that one guess at the class counts as, against one for the prior."""


def box_numbers(boxes: npt.ArrayLike) -> tuple[float, float]:
    """The trace in square pixels of the covariance of n boxes (n, 4) xyxy, and its entropy.

    With fewer than 2 boxes nothing is known but the prior, and both are the prior's.

    >>> box_numbers([[0, 0, 9, 9]])[0]
    400000.0
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    if len(corners) < 2:
        return 4 * WIDEST, PRIOR
    covariance = box_covariance(corners)
    return float(np.trace(covariance)), box_entropy(shrunk_covariance(covariance, len(corners)))


def box_covariance(boxes: npt.ArrayLike) -> F64:
    """The unbiased covariance of n boxes (n, 4) xyxy, n >= 2: 4 x 4 square pixels.

    >>> float(box_covariance([[0, 0, 9, 9], [2, 0, 9, 9]])[0, 0])
    2.0
    """
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    apart = corners - corners.mean(axis=0)
    return np.asarray(apart.T @ apart / (len(corners) - 1))


def shrunk_covariance(covariance: npt.ArrayLike, count: int) -> F64:
    """The covariance of `count` boxes, drawn towards borders of equal variance by 1 / count.

    Its trace stays. Fewer than five boxes leave some of the four directions without any spread, so
    that the entropy would be lower the fewer passes found an object, as if it were surer.

    >>> shrunk_covariance([[8, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4], 2).diagonal().tolist()
    [5.0, 1.0, 1.0, 1.0]
    """
    given = np.asarray(covariance, dtype=np.float64)
    even = np.trace(given) / 4 * np.eye(4)
    return np.asarray((1 - 1 / count) * given + even / count)


def box_entropy(covariance: npt.ArrayLike) -> float:
    """The entropy of a normal distribution of boxes, 0.5 ln det(2 pi e S).

    S: the covariance, 4 x 4 square pixels, plus `FLOOR` on its diagonal; then narrowed by the prior
    of variance `WIDEST`, since precisions add up.
    """
    spread = np.linalg.eigvalsh(np.asarray(covariance, dtype=np.float64)).clip(0) + FLOOR
    narrowed = 1 / (1 / spread + 1 / WIDEST)
    return float(0.5 * np.log(2 * np.pi * np.e * narrowed).sum())


def found_again(entropy: npt.ArrayLike) -> Bools:
    """Whether a box's entropy is more than the prior alone: the object was found in more passes.

    >>> found_again([box_entropy(np.eye(4)), PRIOR]).tolist()
    [True, False]
    """
    return np.asarray(np.asarray(entropy, dtype=np.float64) < PRIOR - 1e-3)


def scale_free_entropy(entropy: float, box: npt.ArrayLike) -> float:
    """The entropy of boxes in pixels as one in diagonals of the object; box: its own, (4,) xyxy.

    An object twice as large whose borders spread twice as far is as uncertain by it; in pixels it
    is more so, and the entropy tells little but size. The prior's, of an object that was not found
    again, stays as it is.

    >>> twice = box_entropy(4 * np.eye(4)), box_entropy(16 * np.eye(4))
    >>> [round(scale_free_entropy(twice[n], [0, 0, 30 * (n + 1), 40 * (n + 1)]), 2) for n in (0, 1)]
    [-7.16, -7.19]
    """
    if not found_again(entropy):
        return entropy
    x1, y1, x2, y2 = np.asarray(box, dtype=np.float64)
    return float(entropy - 4 * np.log(max(np.hypot(x2 - x1, y2 - y1), 1.0)))


def class_chances(labels: npt.ArrayLike, scores: npt.ArrayLike, classes: int) -> F64:
    """(n, classes) chances from the best class and its score alone: the rest is spread evenly.

    With a single class there is a second column, "no object".

    >>> class_chances([2], [0.8], 3).round(1).tolist()
    [[0.1, 0.1, 0.8]]
    """
    best = np.asarray(labels, dtype=np.int64).reshape(-1)
    score = np.clip(np.asarray(scores, dtype=np.float64).reshape(-1), 0.0, 1.0)
    if best.size and not 0 <= best.min() <= best.max() < classes:
        raise ValueError(f"labels are 0 to {classes - 1}; found {best.min()} to {best.max()}")
    columns = max(classes, 2)
    chances = np.repeat((1 - score)[:, None] / (columns - 1), columns, axis=1)
    chances[np.arange(len(best)), best] = score
    return chances


def entropy(chances: npt.ArrayLike) -> F64:
    """The entropy of each distribution along the last axis.

    >>> round(float(entropy([0.5, 0.5])), 4)
    0.6931
    """
    p = np.asarray(chances, dtype=np.float64)
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1))


def class_entropy(chances: F64) -> float:
    """The entropy of the mean of n guesses (n, C), with a Dirichlet prior of 1/C for each class.

    A guess counts as `DRAWS` draws and the prior as one; with no guess it is the prior's, ln C.
    """
    guesses, classes = chances.shape
    counts = DRAWS * chances.sum(axis=0) + 1 / classes
    return float(entropy(counts / (DRAWS * guesses + 1)))


def mutual_information(chances: F64) -> float:
    """The entropy of the mean of n guesses (n, C), less the mean of their entropies; at least 0.

    It is 0 where all guesses agree, however unsure each is.
    """
    if not len(chances):
        return 0.0
    return max(float(entropy(chances.mean(axis=0)) - entropy(chances).mean()), 0.0)
