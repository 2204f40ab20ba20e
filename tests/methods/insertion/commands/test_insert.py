"""`snellen insert`: the very case that a run would build."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image as Pillow
from typer.testing import CliRunner

from snellen.changes.paste.insert import Insert
from snellen.errors import UserError
from snellen.methods.insertion.commands.insert import insert
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.scenes.scene import PictureFile, Scene
from tests.changes.pastes import disc, noise

app = typer.Typer()
app.command()(insert)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Pillow.fromarray(noise(1, 150, 200, 3)).save(tmp_path / "street.png")
    Pillow.fromarray(disc(40, 60, (200, 30, 30), (0, 0, 0)).pixels).save(tmp_path / "car.png")
    return tmp_path


def asked(folder: Path, *options: str, image: str = "street.png", object: str = "car.png") -> str:
    words = [folder / image, "--object", folder / object, "--out", folder / "case.png", *options]
    result = CliRunner().invoke(app, [str(word) for word in words])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("blending", ["feather", "hard", "poisson", "matched", "natural"])
@pytest.mark.parametrize("at", [(70, 50), (-20, 130)])
def test_the_file_holds_the_pixels_of_the_recipe(
    folder: Path, blending: str, at: tuple[int, int]
) -> None:
    reported = asked(
        folder,
        *("--at", f"{at[0]},{at[1]}", "--width", "44"),
        *("--blending", blending, "--feather", "2", "--label", "red car"),
    )
    cutout = Cutout("red car", np.array(Pillow.open(folder / "car.png")))
    scene = Scene("street", PictureFile(folder / "street.png"), (150, 200))
    recipe = Insert(cutout.id, *at, 44, 29, blending, 2.0)
    expected = recipe.build(scene, {"objects": MemoryLibrary([cutout])})
    assert np.array_equal(np.array(Pillow.open(folder / "case.png")), expected)
    assert "red car, 44 x 29 pixels" in reported
    assert "seam" in reported
    assert "hog" in reported
    assert str(folder / "case.png") in reported


@pytest.mark.parametrize(
    ("options", "size"),
    [
        ((), "60 x 40"),
        (("--width", "30"), "30 x 20"),
        (("--height", "80"), "120 x 80"),
        (("--width", "50", "--height", "70"), "50 x 70"),
    ],
)
def test_a_size_that_is_not_given_follows_the_cutouts_shape(
    folder: Path, options: tuple[str, ...], size: str
) -> None:
    assert f"car, {size} pixels" in asked(folder, "--at", "5,6", *options)


def test_an_empty_margin_is_not_part_of_the_object(folder: Path) -> None:
    padded = np.pad(np.array(Pillow.open(folder / "car.png")), ((9, 3), (5, 7), (0, 0)))
    Pillow.fromarray(padded).save(folder / "padded.png")
    asked(folder, "--at", "5,6")
    plain = np.array(Pillow.open(folder / "case.png"))
    asked(folder, "--at", "5,6", object="padded.png")
    assert np.array_equal(plain, np.array(Pillow.open(folder / "case.png")))


def test_mistakes_are_reported(folder: Path) -> None:
    Pillow.fromarray(noise(2, 20, 20, 3)).save(folder / "opaque.png")
    Pillow.fromarray(np.zeros((9, 9, 4), dtype=np.uint8)).save(folder / "empty.png")
    (folder / "text.png").write_text("no picture")
    for options, named, message in (
        (("--at", "5"), {}, "--at: found '5', expected X,Y"),
        (("--at", "5,6,7"), {}, "--at: found '5,6,7'"),
        (("--at", "a,b"), {}, "expected X,Y"),
        (("--at", "200,0"), {}, "entirely outside the image of 200 x 150"),
        (("--at", "5,6", "--width", "0"), {}, "width and height are whole numbers of 1 or more"),
        (("--at", "5,6", "--blending", "soft"), {}, "unknown blending 'soft'"),
        (("--at", "5,6", "--out", str(folder / "case.gif")), {}, "expected .png, .jpg or .jpeg"),
        (("--at", "5,6", "--out", str(folder / "car.png")), {}, "is an input file"),
        (("--at", "5,6"), {"object": "opaque.png"}, "opaque.png: has no alpha channel"),
        (("--at", "5,6"), {"object": "empty.png"}, "fully transparent"),
        (("--at", "5,6"), {"object": "none.png"}, "none.png: no such image file"),
        (("--at", "5,6"), {"object": "text.png"}, "text.png: cannot be read as an image"),
        (("--at", "5,6"), {"image": "text.png"}, "text.png: cannot be read as an image"),
        (("--at", "5,6"), {"image": "none.png"}, "none.png: no such image file"),
    ):
        with pytest.raises(UserError) as reported:
            asked(folder, *options, **named)
        assert message in str(reported.value)
    assert not (folder / "case.png").exists()
