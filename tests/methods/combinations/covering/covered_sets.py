"""The sets of labels that rows cover, by definition."""

from itertools import combinations

import numpy as np


def covered_sets(rows: np.ndarray, size: int) -> set[tuple[int, ...]]:
    """Every set of `size` labels that is in some row of members."""
    return {one for row in rows.tolist() for one in combinations(sorted(set(row) - {-1}), size)}
