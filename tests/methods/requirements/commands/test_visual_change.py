"""`snellen visual-change`: the numbers of the measure, and messages for what can't be compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from PIL import Image as Pillow
from typer.testing import CliRunner

from snellen.errors import UserError
from snellen.methods.requirements.commands.visual_change import visual_change
from snellen.vision.visual_change.built_in_measures import Ssim, Vifp
from tests.vision.photographs import faded, noisy, photograph

app = typer.Typer()
app.command()(visual_change)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    image = faded(photograph(60, 80), 0.5)
    for name, pixels in {
        "a": image,
        "b": noisy(image, 9),
        "clear": faded(image, -0.5),
        "small": image[:40],
        "tiny": image[:12, :12],
    }.items():
        Pillow.fromarray(pixels).save(tmp_path / f"{name}.png")
    (tmp_path / "text.png").write_text("no picture")
    return tmp_path


def asked(folder: Path, first: str, second: str, *options: str) -> str:
    result = CliRunner().invoke(app, [str(folder / first), str(folder / second), *options])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_json_reports_the_change_the_score_and_the_measure_with_its_parameters(
    folder: Path,
) -> None:
    image = faded(photograph(60, 80), 0.5)
    vif = Vifp(0.4).against(image)(noisy(image, 9))
    options = ("--measure", "vifp(sigma_nsq=0.40)", "--json")
    assert json.loads(asked(folder, "a.png", "b.png", *options)) == {
        "delta_v": 1 - vif,
        "vif": vif,
        "measure": "vifp(sigma_nsq=0.4)",
        "name": "vifp",
        "parameters": {"sigma_nsq": 0.4},
    }


def test_the_default_measure_is_vifp_with_its_usual_noise(folder: Path) -> None:
    found = json.loads(asked(folder, "a.png", "b.png", "--json"))
    assert found["measure"] == "vifp(sigma_nsq=2)"
    image = faded(photograph(60, 80), 0.5)
    assert found["vif"] == Vifp(2.0).against(image)(noisy(image, 9))


def test_another_measure_has_its_own_score(folder: Path) -> None:
    found = json.loads(asked(folder, "a.png", "b.png", "--measure", "ssim(window=7)", "--json"))
    image = faded(photograph(60, 80), 0.5)
    assert found["ssim"] == Ssim(7).against(image)(noisy(image, 9))
    assert found["measure"] == "ssim(window=7, sigma=1.5)"


def test_an_image_beside_itself_has_no_visual_change(folder: Path) -> None:
    assert "delta_v 0.0000" in asked(folder, "a.png", "a.png")


def test_more_contrast_is_reported_as_vif_above_1_and_no_change(folder: Path) -> None:
    found = json.loads(asked(folder, "a.png", "clear.png", "--json"))
    assert found["delta_v"] == 0
    assert found["vif"] > 1


def test_mistakes_are_reported(folder: Path) -> None:
    for first, second, options, message in (
        ("a.png", "small.png", (), "small.png: the reference is 80 x 60 pixels and the image 80 x"),
        ("tiny.png", "tiny.png", (), "the image is 12 x 12 pixels; vifp needs at least 17 x 17"),
        ("none.png", "a.png", (), "none.png: no such image file"),
        ("a.png", "none.png", (), "none.png: no such image file"),
        ("a.png", "text.png", (), "text.png: cannot be read as an image"),
        ("a.png", "b.png", ("--measure", "vif"), "--measure: unknown measure of visual change"),
        ("a.png", "b.png", ("--measure", "vifp(noise=1)"), "--measure: vifp: unknown parameter"),
    ):
        with pytest.raises(UserError) as caught:
            asked(folder, first, second, *options)
        assert message in str(caught.value)
