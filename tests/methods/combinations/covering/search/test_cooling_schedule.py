"""When annealing accepts a loss."""

from math import exp

import numpy as np

from snellen.methods.combinations.covering.search.cooling_schedule import STEEPEST, acceptance


def test_a_loss_is_accepted_with_the_probability_of_annealing() -> None:
    limits = acceptance("0.45", "0.98", 150)
    for at in (0, 70, 149):
        heat = 0.45 * 0.98**at
        expected = [exp(-loss / heat) for loss in range(STEEPEST)]
        assert np.allclose(limits[at] / 2**32, expected, atol=1e-8)
