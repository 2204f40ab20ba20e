"""The curves against scipy's distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.study.estimates.curve.curve_family import FAMILIES, FamilyName

NAMES = st.sampled_from(["gauss", "weibull"])


@given(NAMES, st.floats(0.05, 1.5), st.floats(0.1, 2), st.floats(0.01, 0.99))
def test_a_share_is_lost_where_its_place_is(
    name: FamilyName, middle: float, width: float, share: float
) -> None:
    form = FAMILIES[name]
    place = form.place(share, middle, width)
    if name == "gauss" or place > 1e-9:
        assert form.unseen(place, middle, width) == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize("name", ["gauss", "weibull"])
def test_the_width_goes_from_five_to_ninety_five_percent(name: FamilyName) -> None:
    low, high = FAMILIES[name].place(np.array([0.05, 0.95]), 0.5, 0.7)
    assert (high - low if name == "gauss" else np.log(high / low)) == pytest.approx(0.7)


@given(NAMES, st.floats(0.05, 1.5), st.floats(0.1, 3))
def test_more_change_is_never_seen_better(name: FamilyName, middle: float, width: float) -> None:
    lost = FAMILIES[name].unseen(np.linspace(0, 1, 50), middle, width)
    assert (np.diff(lost) >= 0).all()
    assert ((lost >= 0) & (lost <= 1)).all()
