"""Measures by name: identity, parameters, and SSIM against its definition."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from snellen import plugins
from snellen.errors import UserError
from snellen.vision.arrays import AnyArray, Bytes
from snellen.vision.visual_change.built_in_measures import Rmse, Ssim, Vifp
from snellen.vision.visual_change.grey_planes import grey
from snellen.vision.visual_change.measure import Likeness, VisualMeasure, delta_v
from snellen.vision.visual_change.registry import DEFAULT, VISUAL_MEASURES, visual_measure
from tests.vision.photographs import blurred, faded, noisy, photograph

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "visual-change.md"

ALL: list[VisualMeasure] = [
    Vifp(),
    Vifp(0.4),
    Vifp(1e-3),
    Ssim(),
    Ssim(7, 1.0),
    Ssim(window=21, sigma=2.75),
    Rmse(),
]


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.identity)
def test_an_identity_names_its_measure_again(measure: VisualMeasure) -> None:
    assert visual_measure(measure.identity) == measure
    assert visual_measure(measure.identity).identity == measure.identity


@given(st.floats(1e-6, 1e6))
def test_every_parameter_survives_its_identity(sigma_nsq: float) -> None:
    assert visual_measure(Vifp(sigma_nsq).identity) == Vifp(sigma_nsq)


@pytest.mark.parametrize(
    ("text", "identity"),
    [
        ("vifp", "vifp(sigma_nsq=2)"),
        ("vifp()", "vifp(sigma_nsq=2)"),
        ("vifp(sigma_nsq=2.0)", "vifp(sigma_nsq=2)"),
        (" vifp ( sigma_nsq = 0.40 ) ", "vifp(sigma_nsq=0.4)"),
        ("ssim(window=11)", "ssim(window=11, sigma=1.5)"),
        ("ssim(sigma=2, window=9)", "ssim(window=9, sigma=2)"),
        ("rmse", "rmse"),
        (DEFAULT, DEFAULT),
    ],
)
def test_one_measure_has_one_identity(text: str, identity: str) -> None:
    assert visual_measure(text).identity == identity


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vipf", "file: unknown measure of visual change 'vipf'; did you mean 'vifp'?"),
        ("vifp(sigma=2)", "file: vifp: unknown parameter 'sigma'; did you mean 'sigma_nsq'?"),
        ("vifp(0.4)", "file: vifp: unknown parameter '0.4'; valid names: sigma_nsq"),
        ("vifp(sigma_nsq=low)", "file: vifp: sigma_nsq is 'low', expected a number"),
        ("vifp(sigma_nsq=-2)", "file: vifp: sigma_nsq: found -2.0, expected a variance"),
        ("vifp(sigma_nsq=nan)", "file: vifp: sigma_nsq: found nan"),
        ("ssim(window=11.5)", "file: ssim: window is '11.5', expected a whole number"),
        ("ssim(window=10)", "file: ssim: window: found 10, expected an odd number"),
        ("ssim(sigma=0)", "file: ssim: sigma: found 0.0"),
        ("rmse(window=1)", "file: rmse: unknown parameter 'window'"),
        ("vifp(sigma_nsq=2", "found 'vifp(sigma_nsq=2', expected a name with parameters"),
        ("", "found '', expected a name"),
    ],
)
def test_an_invalid_identity_is_refused(text: str, message: str) -> None:
    with pytest.raises(UserError) as told:
        visual_measure(text, "file")
    assert message in str(told.value)


def defined_ssim(reference: Bytes, image: Bytes) -> float:
    """SSIM with Gaussian windows of 11 pixels and sigma 1.5, by scipy, without the border."""
    a, b = grey(reference), grey(image)

    def mean(values: AnyArray) -> AnyArray:
        return gaussian_filter(values, 1.5, truncate=3.5)[5:-5, 5:-5]

    light, structure = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    spread = mean(a * a) - mean(a) ** 2 + mean(b * b) - mean(b) ** 2
    shared = mean(a * b) - mean(a) * mean(b)
    alike = (2 * mean(a) * mean(b) + light) / (mean(a) ** 2 + mean(b) ** 2 + light)
    return float((alike * (2 * shared + structure) / (spread + structure)).mean())


@pytest.mark.parametrize("size", [(11, 11), (12, 40), (96, 131)])
def test_ssim_is_that_of_its_definition(size: tuple[int, int]) -> None:
    image = photograph(*size)
    for changed in (noisy(image, 10), blurred(image, 2), faded(image, 0.5), 255 - image):
        expected = defined_ssim(image, changed)
        assert Ssim().against(image)(changed) == pytest.approx(expected, abs=1e-9)


def test_a_negative_has_negative_ssim_and_all_of_its_visual_change() -> None:
    image = photograph(64, 64)
    assert Ssim().against(image)(255 - image) < 0
    assert Ssim().compare(image, np.asarray(255 - image)) == 1


def test_only_rmse_sees_colours_that_leave_grey_alone() -> None:
    image = np.full((40, 40, 3), 100, dtype=np.uint8)
    other = image.copy()
    other[::2, :, 0] += 57
    other[::2, :, 1] -= 29
    assert np.array_equal(grey(image), grey(other))
    assert Vifp().compare(image, other) == Ssim().compare(image, other) == 0
    expected = np.sqrt((57**2 + 29**2) / 6) / 255
    assert Rmse().compare(image, other) == pytest.approx(expected)


def test_black_beside_white_is_all_of_rmse() -> None:
    black = np.zeros((20, 20, 3), dtype=np.uint8)
    assert Rmse().compare(black, black + np.uint8(255)) == 1


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.identity)
@given(seed=st.integers(0, 1000), strength=st.floats(0, 200))
@settings(max_examples=15)
def test_what_every_measure_must_hold(measure: VisualMeasure, seed: int, strength: float) -> None:
    image = photograph(44, 60, seed)
    changed = noisy(image, strength, seed)
    value = measure.compare(image, changed)
    assert 0 <= value <= 1
    assert measure.compare(image, image.copy()) == 0
    assert value == measure.compare(image, changed) == delta_v(measure.against(image)(changed))
    assert measure.compare(image, noisy(image, 3, seed)) < measure.compare(
        image, noisy(image, 60, seed)
    )


@pytest.mark.parametrize("measure", ALL, ids=lambda measure: measure.identity)
def test_no_measure_compares_images_of_two_sizes(measure: VisualMeasure) -> None:
    with pytest.raises(UserError, match="images of the same size"):
        measure.compare(photograph(50, 60), photograph(50, 61))


def test_a_window_larger_than_the_image_is_refused() -> None:
    with pytest.raises(UserError, match=r"20 x 18 pixels; ssim .* needs at least 21 x 21"):
        Ssim(21).compare(photograph(18, 20), photograph(18, 20, seed=2))


def test_a_measure_that_gives_no_number_is_not_taken_for_a_change() -> None:
    with pytest.raises(ValueError, match="nan"):
        delta_v(float("nan"))


@dataclass(frozen=True)
class Darker(VisualMeasure):
    """How much of the reference's light is left."""

    name: ClassVar[str] = "darker"
    score: ClassVar[str] = "light"
    power: float = 1.0

    def against(self, reference: AnyArray) -> Likeness:
        return lambda image: float(image.mean() / reference.mean()) ** self.power


@pytest.fixture
def _plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("darker", f"{__name__}:Darker", VISUAL_MEASURES.group)
    monkeypatch.setattr(plugins, "installed", lambda group: {"darker": point})


@pytest.mark.usefixtures("_plugged")
def test_a_plug_in_brings_a_measure_of_its_own() -> None:
    measure = visual_measure("darker(power=2)")
    white = np.full((8, 8, 3), 200, dtype=np.uint8)
    assert measure.identity == "darker(power=2)"
    assert measure.parameters == {"power": 2.0}
    assert measure.compare(white, white // 2) == pytest.approx(0.75)


def test_the_measure_of_the_page_works() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {"__name__": __name__}
    exec(code, names)
    measure: VisualMeasure = names["Light"](power=2)
    white = np.full((8, 8, 3), 200, dtype=np.uint8)
    assert measure.identity == "light(power=2)"
    assert measure.compare(white, white // 2) == pytest.approx(0.75)
    for kind in (Vifp(), Ssim(), Rmse()):
        assert f"| `{kind.identity}`" in text
