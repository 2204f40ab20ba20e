"""Completeness by its definition."""

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray


def brute_missing(
    rows: NDArray, strength: int, most: int, forbidden: tuple = (), labels: tuple | None = None
) -> set[tuple]:
    columns = range(rows.shape[1]) if labels is None else labels
    missing = set()
    for some in combinations(columns, strength):
        shown = {tuple(int(v) for v in row) for row in np.asarray(rows)[:, list(some)]}
        for values in product((0, 1), repeat=strength):
            present = {c for c, v in zip(some, values, strict=True) if v}
            allowed = len(present) <= most and not any(set(f) <= present for f in forbidden)
            if allowed and values not in shown:
                missing.add((some, values))
    return missing
