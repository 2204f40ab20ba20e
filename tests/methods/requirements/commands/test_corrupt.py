"""`snellen corrupt`: the very case that a run would build, and how far it went."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from PIL import Image as Pillow
from typer.testing import CliRunner

from snellen.changes.corruptions.corrupt import Corrupt, CorruptTo
from snellen.changes.corruptions.registry import CORRUPTIONS
from snellen.errors import UserError
from snellen.methods.requirements.commands.corrupt import corrupt
from snellen.scenes.scene import PictureFile, Scene
from snellen.vision.visual_change.registry import visual_measure
from tests.changes.corruptions.photographs import photograph

app = typer.Typer()
app.command()(corrupt)


@pytest.fixture
def street(tmp_path: Path) -> Path:
    path = tmp_path / "street.png"
    Pillow.fromarray(photograph(1, 120, 160)).save(path)
    return path


def asked(street: Path, *options: str, kind: str = "frost", out: str = "case.png") -> str:
    words = [str(street), "--kind", kind, "--out", str(street.parent / out), *options]
    result = CliRunner().invoke(app, words)
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def reported(street: Path, *options: str, kind: str = "frost") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(asked(street, *options, "--json", kind=kind))
    return found


@pytest.mark.parametrize(
    ("options", "recipe"),
    [
        (("--level", "0.4", "--seed", "5"), Corrupt("fog", 0.4, 5)),
        (("--severity", "3"), Corrupt("fog", 0.5, 0, 3)),
        (("--delta-v", "0.6", "--seed", "2"), CorruptTo("fog", 0.6, seed=2)),
        (
            ("--delta-v", "0.6", "--measure", "vifp(sigma_nsq=0.4)"),
            CorruptTo("fog", 0.6, "vifp(sigma_nsq=0.4)"),
        ),
    ],
)
def test_the_file_holds_the_pixels_of_the_recipe(
    street: Path, options: tuple[str, ...], recipe: Corrupt | CorruptTo
) -> None:
    found = reported(street, *options, kind="fog")
    scene = Scene("street", PictureFile(street), (120, 160))
    case = np.array(Pillow.open(street.parent / "case.png"))
    assert np.array_equal(case, recipe.build(scene, {}))
    level = recipe.level_in(scene) if isinstance(recipe, CorruptTo) else recipe.level
    assert found["level"] == pytest.approx(level)
    measure = visual_measure(found["measure"])
    assert found["delta_v"] == pytest.approx(measure.compare(scene.pixels(), case), abs=1e-6)
    assert found["measure"] == getattr(recipe, "measure", "vifp(sigma_nsq=2)")


def test_it_says_level_visual_change_and_measure(street: Path) -> None:
    text = asked(street, "--severity", "5")
    assert "frost at level 0.8333, seed 0" in text
    assert "by vifp(sigma_nsq=2)" in text
    assert str(street.parent / "case.png") in text


def test_it_says_when_no_level_goes_so_far(street: Path) -> None:
    assert "1 is not reachable; the maximum is" in asked(
        street, "--delta-v", "1", kind="brightness"
    )
    assert "no level" not in asked(street, "--delta-v", "0.3", kind="brightness")


def test_the_list_needs_no_image() -> None:
    result = CliRunner().invoke(app, ["--list"])
    assert result.exit_code == 0
    assert result.output.split() == CORRUPTIONS.kinds()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "found none, expected one of --level, --delta-v and --severity"),
        (("--level", "0.1", "--severity", "2"), "found --level and --severity, expected one"),
        (("--level", "0.1", "--delta-v", "0.2"), "found --level and --delta-v, expected one"),
        (("--severity", "6"), "--severity: found 6, expected an integer from 1 to 5"),
        (("--level", "-0.1"), r"level: found -0\.1, expected a number from 0"),
        (("--delta-v", "1.1"), r"delta_v: found 1\.1, expected a number from 0 to 1"),
        (("--level", "0.1", "--measure", "vif"), "did you mean 'vifp'"),
    ],
)
def test_a_mistake_is_reported_and_nothing_is_written(
    street: Path, options: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UserError, match=message):
        asked(street, *options)
    assert not (street.parent / "case.png").exists()


def test_names_and_files_are_checked(street: Path) -> None:
    with pytest.raises(UserError, match="--kind: unknown corruption 'frots'; did you mean 'frost'"):
        asked(street, "--level", "0.1", kind="frots")
    with pytest.raises(UserError, match="is an input file of this command"):
        asked(street, "--level", "0.1", out="street.png")
    with pytest.raises(UserError, match=r"no such image file"):
        asked(street.parent / "none.png", "--level", "0.1")
    with pytest.raises(UserError, match=r"expected \.png, \.jpg or \.jpeg"):
        asked(street, "--level", "0.1", out="case.gif")
    Pillow.fromarray(photograph(1, 40, 20)).save(street)
    with pytest.raises(UserError, match=r"street\.png: frost: found an image of 20 x 40 pixels"):
        asked(street, "--level", "0.1")
