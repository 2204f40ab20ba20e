"""How much several predictions of one object differ: entropies of its boxes and its class.

All entropies are in nats. Definitions follow BayesOD (Harakeh et al. 2020): a normal distribution
of a box's four sides, a categorical one of the classes, each with a weak prior.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools

FLOOR = 1 / 12
"""Square pixels added to each variance for the entropy of a box: the variance of a uniform position
in a pixel. It keeps the entropy of equal boxes finite."""
WIDEST = 1e5
"""Square pixels: the prior variance of a side."""
PRIOR = float(2 * np.log(2 * np.pi * np.e * WIDEST))
"""Nats: the prior entropy of a box."""
DRAWS = 30
"""Categorical draws that one prediction of the class counts as, against one for the prior."""


def box_trace_and_entropy(boxes: npt.ArrayLike) -> tuple[float, float]:
    """The trace in square pixels of the covariance of n boxes (n, 4) xyxy, and its entropy.

    With fewer than 2 boxes both are those of the prior.

    >>> box_trace_and_entropy([[0, 0, 9, 9]])[0]
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
    """The covariance of `count` boxes, shrunk by 1 / count towards sides of equal variance.

    The trace is preserved. Fewer than five boxes have no spread in some of the four directions, so
    without shrinkage the entropy would fall with fewer passes that found the object.

    >>> shrunk_covariance([[8, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4], 2).diagonal().tolist()
    [5.0, 1.0, 1.0, 1.0]
    """
    given = np.asarray(covariance, dtype=np.float64)
    even = np.trace(given) / 4 * np.eye(4)
    return np.asarray((1 - 1 / count) * given + even / count)


def box_entropy(covariance: npt.ArrayLike) -> float:
    """The entropy of a normal distribution of boxes, 0.5 ln det(2 pi e S).

    S: the covariance, 4 x 4 square pixels, plus `FLOOR` on its diagonal, combined with the prior of
    variance `WIDEST` (precisions add up).
    """
    spread = np.linalg.eigvalsh(np.asarray(covariance, dtype=np.float64)).clip(0) + FLOOR
    narrowed = 1 / (1 / spread + 1 / WIDEST)
    return float(0.5 * np.log(2 * np.pi * np.e * narrowed).sum())


def below_prior(entropy: npt.ArrayLike) -> Bools:
    """Whether a box entropy is below the prior's: the object was found in at least 2 passes.

    >>> below_prior([box_entropy(np.eye(4)), PRIOR]).tolist()
    [True, False]
    """
    return np.asarray(np.asarray(entropy, dtype=np.float64) < PRIOR - 1e-3)


def scale_free_entropy(entropy: float, box: npt.ArrayLike) -> float:
    """The entropy of boxes in units of the object's diagonal; box: of the object, (4,) xyxy.

    An object twice as large whose sides spread twice as far has the same value; in pixels its
    entropy is larger, and mostly reflects size. The prior's entropy is returned unchanged.

    >>> twice = box_entropy(4 * np.eye(4)), box_entropy(16 * np.eye(4))
    >>> [round(scale_free_entropy(twice[n], [0, 0, 30 * (n + 1), 40 * (n + 1)]), 2) for n in (0, 1)]
    [-7.16, -7.19]
    """
    if not below_prior(entropy):
        return entropy
    x1, y1, x2, y2 = np.asarray(box, dtype=np.float64)
    return float(entropy - 4 * np.log(max(np.hypot(x2 - x1, y2 - y1), 1.0)))


def class_probabilities(labels: npt.ArrayLike, scores: npt.ArrayLike, classes: int) -> F64:
    """(n, classes) probabilities from the best class and its score; the rest is spread evenly.

    With a single class there is a second column, "no object".

    >>> class_probabilities([2], [0.8], 3).round(1).tolist()
    [[0.1, 0.1, 0.8]]
    """
    best = np.asarray(labels, dtype=np.int64).reshape(-1)
    score = np.clip(np.asarray(scores, dtype=np.float64).reshape(-1), 0.0, 1.0)
    if best.size and not 0 <= best.min() <= best.max() < classes:
        raise ValueError(f"labels are 0 to {classes - 1}; found {best.min()} to {best.max()}")
    columns = max(classes, 2)
    probabilities = np.repeat((1 - score)[:, None] / (columns - 1), columns, axis=1)
    probabilities[np.arange(len(best)), best] = score
    return probabilities


def entropy(probabilities: npt.ArrayLike) -> F64:
    """The entropy of each distribution along the last axis.

    >>> round(float(entropy([0.5, 0.5])), 4)
    0.6931
    """
    p = np.asarray(probabilities, dtype=np.float64)
    return np.asarray(-(p * np.log(np.where(p > 0, p, 1.0))).sum(axis=-1))


def class_entropy(probabilities: F64) -> float:
    """The entropy of the mean of n predictions (n, C), with a Dirichlet prior of 1/C per class.

    A prediction counts as `DRAWS` draws and the prior as one; without predictions it is ln C.
    """
    predictions, classes = probabilities.shape
    counts = DRAWS * probabilities.sum(axis=0) + 1 / classes
    return float(entropy(counts / (DRAWS * predictions + 1)))


def mutual_information(probabilities: F64) -> float:
    """The entropy of the mean of n predictions (n, C) minus the mean of their entropies, >= 0.

    It is 0 if all predictions agree, however uncertain each is.
    """
    if not len(probabilities):
        return 0.0
    return max(float(entropy(probabilities.mean(axis=0)) - entropy(probabilities).mean()), 0.0)
