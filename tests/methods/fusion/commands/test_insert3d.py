"""`snellen insert3d`: the very frame that a run would build, in KITTI's files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import typer
import yaml
from PIL import Image as Pillow
from typer.testing import CliRunner

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.methods.fusion.commands.insert3d import insert3d
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.scene import SceneSet
from tests.changes.insert3d.streets3d import car, kitti, street

app = typer.Typer()
app.command()(insert3d)


def asked(folder: Path, frame: str, out: Path, *options: str) -> str:
    words = [str(folder), frame, "--out", str(out), *options]
    result = CliRunner().invoke(app, words)
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of one frame, a car on a plane, that needs no data."""
    from dataclasses import replace

    write_kitti(SceneSet((replace(street([car(25, 0)]), id="000042"),)), tmp_path / "made")
    return tmp_path / "made"


def bytes_of(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def test_without_a_mesh_the_files_are_the_same_byte_for_byte(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    root = shared("kitti")
    asked(root, "000003", tmp_path / "out")
    for part, suffix in (("image_2", "png"), ("velodyne", "bin"), ("calib", "txt"),
                         ("label_2", "txt")):  # fmt: skip
        relative = f"training/{part}/000003.{suffix}"
        assert (tmp_path / "out" / relative).read_bytes() == (root / relative).read_bytes()


def test_the_files_hold_the_frame_of_the_recipe(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    root, out = shared("kitti"), tmp_path / "out"
    given = ("--mesh", "sedan-2", "--at", "22,3.5,180", "--mesh", "pedestrian", "--at", "9,-3")
    reported = json.loads(asked(root / "training", "3", out, *given, "--seed", "5", "--json"))
    recipe = recipe_from_json(reported["recipe"])
    assert isinstance(recipe, Insert3D)
    for one, (name, x, y, ground, _) in zip(reported["inserted"], recipe.objects, strict=True):
        assert (name, x, y) == (one["mesh"], one["x"], one["y"])
        assert ground == pytest.approx(one["ground"], abs=1e-3)
    assert recipe.objects[0][4] == pytest.approx(np.pi)
    frame = recipe.build_frame(kitti(shared, "000003"), {"meshes": ParametricMeshes()})
    image = np.array(Pillow.open(out / "training/image_2/000003.png"))
    assert np.array_equal(image, frame.image)  # type: ignore[arg-type]
    cloud = (out / "training/velodyne/000003.bin").read_bytes()
    assert cloud == frame.points.tobytes()
    lines = (out / "training/label_2/000003.txt").read_text().splitlines()
    assert frame.truth is not None
    assert lines == [one.row.line() for one in frame.truth]
    before = (root / "training/label_2/000003.txt").read_text().splitlines()
    assert lines[: len(before)] == before
    assert [one["label"] for one in reported["inserted"]] == lines[len(before) :]
    assert reported["points_added"] == frame.measurements["points_added"]
    assert reported["points_removed"] == frame.measurements["points_removed"]
    last = reported["inserted"][-1]
    gap = frame.measurements["visibility_gap"]
    assert last["visibility_gap"] == pytest.approx(gap, abs=1e-4)
    consistency = frame.measurements["modality_consistency"]
    assert last["modality_consistency"] == pytest.approx(consistency, abs=1e-4)
    assert Pillow.open(out / "overlay.png").size == (1242, 375)
    assert Pillow.open(out / "birds_eye.png").size[0] > 500
    assert (out / "training/calib/000003.txt").read_bytes() == (
        root / "training/calib/000003.txt"
    ).read_bytes()


def test_the_folder_can_be_read_and_inserted_into_again(folder: Path, tmp_path: Path) -> None:
    asked(folder, "000042", tmp_path / "one", "--mesh", "van", "--at", "14,3")
    reported = json.loads(
        asked(tmp_path / "one", "42", tmp_path / "two", "--mesh", "suv", "--at", "18,-3", "--json")
    )
    assert [row["label"].split()[0] for row in reported["before"]] == ["Car", "Van"]
    assert reported["before"][1]["points"] > 50


def test_its_output_is_readable(folder: Path, tmp_path: Path) -> None:
    reported = asked(folder, "000042", tmp_path / "out", "--mesh", "lorry", "--at", "12,0")
    assert "lorry at 12.00,0.00 on ground -1.7" in reported
    assert "modality consistency" in reported
    assert (
        "labelled Car: 0% of its points and 0% of its pixels remain visible; now DontCare"
        in reported
    )
    assert f"written to {tmp_path / 'out'}" in reported
    assert "nothing inserted" in asked(folder, "000042", tmp_path / "none")


def test_places_are_drawn_by_the_seed(shared: Callable[[str], Path], tmp_path: Path) -> None:
    places = []
    for number, seed in enumerate(("1", "1", "2")):
        out = tmp_path / str(number)
        reported = asked(shared("kitti"), "1", out, "--mesh", "sedan", "--seed", seed, "--json")
        [one] = json.loads(reported)["inserted"]
        assert one["a_run_would_refuse_it"] is None
        places.append((one["x"], one["y"], one["yaw_degrees"]))
    assert places[0] == places[1] != places[2]


def test_a_place_that_a_run_would_refuse_is_reported(folder: Path, tmp_path: Path) -> None:
    reported = asked(folder, "000042", tmp_path / "out", "--mesh", "sedan", "--at", "24,0.5")
    assert "a run would not use this place:" in reported


def test_one_sensor_alone(folder: Path, tmp_path: Path) -> None:
    asked(folder, "42", tmp_path / "out", "--mesh", "van", "--at", "14,3", "--sensors", "lidar")
    image = "training/image_2/000042.png"
    assert (tmp_path / "out" / image).read_bytes() == (folder / image).read_bytes()
    cloud = "training/velodyne/000042.bin"
    assert (tmp_path / "out" / cloud).read_bytes() != (folder / cloud).read_bytes()


def test_a_cloud_out_of_order_needs_the_sensors_name(folder: Path, tmp_path: Path) -> None:
    cloud = folder / "training/velodyne/000042.bin"
    mixed = np.random.default_rng(0).permutation(np.fromfile(cloud, "<f4").reshape(-1, 4))
    cloud.write_bytes(mixed.tobytes())
    given = ("--mesh", "van", "--at", "14,3")
    with pytest.raises(UserError, match=r"000042.bin: .*Name the sensor"):
        asked(folder, "42", tmp_path / "out", *given)
    assert "van at" in asked(folder, "42", tmp_path / "out", *given, "--lidar", "HDL-64E")


def test_a_mesh_file_is_what_the_listing_beside_it_says(
    shared: Callable[[str], Path], folder: Path, tmp_path: Path
) -> None:
    pytest.importorskip("trimesh")
    meshes = tmp_path / "meshes"
    shutil.copytree(shared("meshes/suv"), meshes)
    name = str(meshes / "suv.obj")
    with pytest.raises(UserError, match=r"needs a .*meshes.yaml that describes it"):
        asked(folder, "42", tmp_path / "out", "--mesh", name, "--at", "14,3")
    entry = {"file": "suv.obj", "label": "Car", "unit": 0.06, "forward": "y", "closed": 0.5}
    (meshes / "meshes.yaml").write_text(yaml.safe_dump({"meshes": {"big": entry}}))
    reported = asked(folder, "42", tmp_path / "out", "--mesh", name, "--at", "14,3", "--json")
    [one] = json.loads(reported)["inserted"]
    assert one["points"] > 100
    again = asked(
        folder, "42", tmp_path / "2", "--mesh", str(meshes / "big"), "--at", "14,3", "--json"
    )
    assert json.loads(again)["inserted"][0]["label"] == one["label"]


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ("000099", (), "has no frame '000099'; did you mean '000042'"),
        ("42", ("--mesh", "sedann", "--at", "14,3"), "did you mean 'sedan'"),
        ("42", ("--mesh", "sedan", "--at", "14"), "expected X,Y or X,Y,YAW"),
        ("42", ("--mesh", "sedan", "--at", "14,a"), "expected X,Y or X,Y,YAW"),
        (
            "42",
            ("--mesh", "sedan", "--at=-14,0"),
            "sedan at -14,0 is outside the image",
        ),
        ("42", ("--mesh", "sedan", "--at", "20,60"), "is outside the image"),
        ("42", ("--mesh", "sedan", "--at", "300,0"), "would be 300.0 m away"),
        ("42", ("--mesh", "sedan", "--at", "9,0", "--at", "20,0"), "found 2 places for 1 meshes"),
        ("42", ("--at", "9,0"), "found 1 places for 0 meshes"),
        ("42", ("--mesh", "van", "--at", "14,3", "--sensors", "radar"), "sensors 'radar'"),
        ("42", ("--mesh", "no/such.glb", "--at", "14,3"), "that describes it"),
    ],
)
def test_mistakes_are_reported_and_nothing_is_written(
    frame: str, options: tuple[str, ...], message: str, folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as reported:
        asked(folder, frame, tmp_path / "out", *options)
    assert message in str(reported.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made"]


def test_other_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Expected KITTI object data"):
        asked(tmp_path, "42", tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    with pytest.raises(UserError, match="already exists"):
        asked(folder, "42", tmp_path / "full", "--mesh", "van", "--at", "14,3")
    assert bytes_of(tmp_path / "full") == {"mine.txt": b"keep"}
    (folder / "training/velodyne/000042.bin").unlink()
    with pytest.raises(UserError, match="has no frame"):
        asked(folder, "42", tmp_path / "out")


def test_a_frame_without_labels_or_image_still_serves(folder: Path, tmp_path: Path) -> None:
    (folder / "training/label_2/000042.txt").unlink()
    reported = asked(folder, "42", tmp_path / "out", "--mesh", "van", "--at", "14,3")
    assert "van at 14.00,3.00" in reported
    (folder / "training/image_2/000042.png").unlink()
    reported = asked(folder, "42", tmp_path / "dark", "--mesh", "van", "--at", "14,3")
    assert not (tmp_path / "dark" / "overlay.png").exists()
    assert (tmp_path / "dark" / "birds_eye.png").exists()
    reported = asked(folder, "42", tmp_path / "behind", "--mesh", "van", "--at=-14,3")
    assert "van at -14.00,3.00" in reported
    assert (tmp_path / "behind/training/label_2/000042.txt").read_text() == ""


PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "insert3d.md"


def test_the_commands_of_the_page_work(
    shared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kitti").symlink_to(shared("kitti"))
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text()
    commands = [line.split() for line in text.splitlines() if line.startswith("snellen insert3d")]
    assert len(commands) >= 3
    outputs = []
    for words in commands:
        result = CliRunner().invoke(app, words[2:])
        assert result.exit_code == 0, result.output
        outputs.append(result.output.strip())
    shown = [line for line in outputs[0].splitlines() if line.startswith("  Car")]
    assert shown
    assert all(line.strip() in text for line in shown)
