"""Meshes from files: their unit, class, materials and texture are checked before they are used."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from snellen.errors import MissingExtraError, UserError
from snellen.objects.meshes.mesh_library import open_library
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.textures import stack

Write = Callable[..., Path]


def obj_text(scale: float) -> str:
    mesh = parametric("sedan", np.random.default_rng(1))
    lines = ["mtllib car.mtl", "usemtl Body"]
    lines += ["v {:.6f} {:.6f} {:.6f}".format(*row) for row in mesh.vertices * scale]
    lines += ["vt 0.25 0.25", "vt 0.75 0.25", "vt 0.75 0.75"]
    lines += ["f {}/1 {}/2 {}/3".format(*(row + 1)) for row in mesh.faces]
    return "\n".join(lines) + "\n"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a library of one textured car, with the given scale of the file and entry."""

    def build(scale: float = 1.0, *, texture: bool = True, **entry: Any) -> Path:
        from PIL import Image

        (tmp_path / "car.obj").write_text(obj_text(scale))
        (tmp_path / "car.mtl").write_text("newmtl Body\nKd 0.5 0.5 0.5\nmap_Kd skin.png\n")
        if texture:
            Image.new("RGB", (8, 8), (200, 40, 20)).save(tmp_path / "skin.png")
        listing = {"meshes": {"car": {"file": "car.obj", "label": "Car", **entry}}}
        (tmp_path / "meshes.yaml").write_text(yaml.safe_dump(listing))
        return tmp_path

    return build


def test_a_file_gives_the_mesh_it_was_written_from(write: Write) -> None:
    pytest.importorskip("trimesh")
    source = parametric("sedan", np.random.default_rng(1))
    mesh = open_library(write(1 / 0.0254, unit="inch")).mesh("car")
    np.testing.assert_allclose(mesh.size, source.size, atol=1e-5)
    assert mesh.volume == pytest.approx(source.volume, rel=1e-4)
    assert mesh.closed_share > 0.99
    assert mesh.materials == ("texture",)
    assert mesh.colours.tolist() == [[200, 40, 20]]
    np.testing.assert_allclose(mesh.vertices.min(axis=0)[2], 0.0, atol=1e-9)


def test_a_mapped_material_takes_the_colour_of_its_texture(write: Write) -> None:
    pytest.importorskip("trimesh")
    mesh = open_library(write(materials={"Body": "paint"})).mesh("car")
    assert mesh.materials == ("paint",)
    assert mesh.colours.tolist() == [[200, 40, 20]]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scale": 1 / 0.0254}, ["not plausible for a Car", "Set 'unit: inch'"]),
        ({"scale": 100.0}, ["Set 'unit: centimetre'"]),
        ({"up": "x", "forward": "z"}, ["(length x width x height)", "'up' and 'forward'"]),
        ({"texture": False}, ["skin.png", "does not exist"]),
        ({"most_triangles": 1000}, ["137", "triangles, expected 50 to 1000"]),
        ({"materials": {"Boddy": "paint"}}, ["no material 'Boddy'", "did you mean 'Body'"]),
        ({"materials": {"Body": "pain"}}, ["did you mean 'paint'"]),
        ({"file": "other.obj"}, ["other.obj", "no such mesh file"]),
        ({"file": "car.mtl"}, ["'.mtl' is not a supported mesh format"]),
        ({"up": "x"}, ["up is x and forward is x"]),
        ({"unit": "parsec"}, ["unit"]),
        ({"label": "Spaceship"}, ["label", "Spaceship"]),
    ],
)
def test_what_is_wrong_is_said_with_the_next_step(
    write: Write, options: dict[str, Any], words: list[str]
) -> None:
    pytest.importorskip("trimesh")
    folder = write(**options)
    with pytest.raises(UserError) as raised:
        open_library(folder).mesh("car")
    for word in words:
        assert word in str(raised.value)


def test_an_open_shell_is_refused_unless_allowed(write: Write) -> None:
    pytest.importorskip("trimesh")
    folder = write(closed=0.6)
    lines = (folder / "car.obj").read_text().splitlines()
    faces = [line for line in lines if line.startswith("f ")]
    kept = [line for line in lines if not line.startswith("f ")] + faces[::3]
    (folder / "car.obj").write_text("\n".join(kept))
    with pytest.raises(UserError, match="see through it"):
        open_library(folder).mesh("car")


def test_without_the_reader_the_extra_is_named(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trimesh", None)
    with pytest.raises(MissingExtraError, match="fusion"):
        open_library(write()).mesh("car")


def test_a_folder_without_a_listing_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"meshes\.yaml"):
        open_library(tmp_path)


def test_stacked_pictures_keep_their_texels() -> None:
    rng = np.random.default_rng(1)
    pictures = [rng.integers(0, 255, size, dtype=np.uint8) for size in ((4, 6, 3), (8, 2, 3))]
    whole, places = stack(pictures)
    height, width = whole.shape[:2]
    for picture, (u0, v0, du, dv) in zip(pictures, places, strict=True):
        rows, columns = picture.shape[:2]
        u, v = (np.arange(columns) + 0.5) / columns, 1 - (np.arange(rows) + 0.5) / rows
        column = ((u0 + u * du) * width).astype(int)
        row = ((1 - (v0 + v * dv)) * height).astype(int)
        np.testing.assert_array_equal(whole[np.ix_(row, column)], picture)


REAL: dict[str, dict[str, Any]] = {
    "hatchback": {"file": "hatchback/hatchback.obj", "label": "Car", "unit": "inch"},
    "suv": {"file": "suv/suv.obj", "label": "Car", "unit": 0.06, "forward": "y"},
    "ambulance": {"file": "ambulance/ambulance.obj", "label": "Van", "unit": "inch"},
    "pickup": {"file": "pickup/pickup.dae", "label": "Car", "unit": "inch",
               "forward": "y"},
    "truck": {"file": "kenney/vehicle-truck-red.glb", "label": "Car", "unit": 1.3, "up": "y",
              "forward": "z"},
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REAL))
def test_published_meshes_load_with_their_texture(
    shared: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    pytest.importorskip("trimesh")
    entry = {"up": "z", "forward": "-y", "closed": 0.5, **REAL[name]}
    if str(entry["file"]).endswith(".dae"):
        pytest.importorskip("collada", reason="DAE files need pycollada")
    entry["file"] = str(shared("meshes") / str(entry["file"]))
    (tmp_path / "meshes.yaml").write_text(yaml.safe_dump({"meshes": {name: entry}}))
    mesh = open_library(tmp_path).mesh(name)
    assert set(mesh.materials) == {"texture"}
    assert mesh.texture is not None
    assert mesh.size[0] > mesh.size[1] > 0.5 * mesh.size[2]
    assert mesh.volume > 0
