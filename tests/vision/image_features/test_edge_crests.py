"""Edges are found in bands of rows, and are those of the picture as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.vision.image_features import edge_crests
from snellen.vision.image_features.edge_crests import BAND, crests_of


@pytest.mark.parametrize(
    ("rows", "columns"), [(1, 1), (3, 4), (BAND - 1, 33), (BAND, 40), (BAND + 1, 50), (300, 5)]
)
def test_bands_find_the_same_edges(
    rows: int, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels = np.random.default_rng(rows).integers(0, 256, (rows, columns, 3)).astype(np.uint8)
    banded = crests_of(pixels)
    monkeypatch.setattr(edge_crests, "BAND", 10**6)
    for found, whole in zip(banded, crests_of(pixels), strict=True):
        for name in ("rows", "columns", "slope", "ratio"):
            assert np.array_equal(getattr(found, name), getattr(whole, name))
    assert rows < 10 or len(banded[0].rows) > rows * columns / 20
