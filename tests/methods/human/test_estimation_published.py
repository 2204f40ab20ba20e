"""ICRAF's own data give ICRAF's own thresholds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from snellen.methods.human.answers.answer_files import read_human
from snellen.methods.human.estimate import VIFVEC, EstimateRequest, HumanEstimate
from snellen.methods.human.estimation import estimates

# t_c as shipped with ICRAF's code, and as its step back was meant (METHODS 2.5).
SHIPPED = {
    "RGB": 0.82,
    "brightness": 0.87,
    "contrast": 0.77,
    "gaussian_noise": 0.91,
    "defocus_blur": 0.98,
    "frost": 0.84,
    "jpeg_compression": 0.94,
}
INTENDED = {
    "RGB": 0.83,
    "brightness": 0.85,
    "contrast": 0.74,
    "gaussian_noise": 0.89,
    "defocus_blur": 0.95,
    "frost": 0.82,
    "jpeg_compression": 0.95,
    "Color_jitter": 0.68,
}
NEVER = {"RGB", "jpeg_compression"}


def estimated(shared: Callable[[str], Path], name: str, **options: object) -> HumanEstimate:
    path = shared(f"human/icraf_imagenet_bins/imagenet_c_p_{name}.csv")
    [found] = estimates(read_human(path), EstimateRequest(**{"replicates": 20, **options}))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize("name", SHIPPED)
def test_as_published_gives_the_shipped_threshold(shared: Callable[[str], Path], name: str) -> None:
    found = estimated(shared, name, as_published=True)
    assert found.composed.value == pytest.approx(SHIPPED[name], abs=0.01 + 1e-9)
    assert found.measure == VIFVEC


@pytest.mark.parametrize("name", INTENDED)
def test_stepped_back_it_is_what_the_authors_meant(
    shared: Callable[[str], Path], name: str
) -> None:
    found = estimated(shared, name).composed
    assert found.value == pytest.approx(INTENDED[name])
    assert found.limited_by_data == (name in NEVER)
    assert ("no significant drop" in found.words()) == (name in NEVER)


def test_the_interval_holds_the_threshold_and_is_the_same_for_the_same_seed(
    shared: Callable[[str], Path],
) -> None:
    one, two = (estimated(shared, "frost", replicates=60).composed for _ in range(2))
    assert one.low is not None
    assert one.high is not None
    assert one.value is not None
    assert one.low <= one.value <= one.high
    assert one.low < one.high
    assert (one.low, one.high) == (two.low, two.high)
