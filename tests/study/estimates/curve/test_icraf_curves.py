"""The fitted curves on ICRAF's answers, beside the thresholds that ICRAF published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.answers.binned_answers import BinnedAnswers
from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import AnswerCounts, curve_posterior

# Of ICRAF's own code, where people do get worse in the data, and the width of its bins.
PUBLISHED = {"brightness": 0.87, "gaussian_noise": 0.91, "defocus_blur": 0.98, "frost": 0.84}
WIDTH = 0.01


@pytest.mark.parametrize(("name", "published"), PUBLISHED.items())
def test_a_tenth_is_lost_about_where_icraf_found_people_worse(
    name: str, published: float, shared: Callable[[str], Path]
) -> None:
    data = read_human(shared(f"human/icraf_imagenet_bins/imagenet_c_p_{name}.csv"))
    assert isinstance(data, BinnedAnswers)
    chance = np.full(len(data.edges), 0.5)
    counts = AnswerCounts(data.edges - WIDTH / 2, chance, data.right, data.asked)
    for family in FAMILIES.values():
        found = curve_posterior(counts, family).quantiles([0.5])[0]
        assert found == pytest.approx(published, abs=0.03)
