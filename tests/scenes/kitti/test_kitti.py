from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import NoPicture, SceneSet
from tests.scenes.samples import write_image, write_text

CALIBRATION = """P0: 7 0 6 0 0 7 1 0 0 0 1 0
P1: 7 0 6 -3 0 7 1 0 0 0 1 0
P2: 7 0 6 4.485728000000e+01 0 7 1 0.2 0 0 1 2.745884000000e-03
P3: 7 0 6 -3 0 7 1 2 0 0 1 0
R0_rect: 1 0 0 0 1 0 0 0 1
Tr_velo_to_cam: 0 -1 0 0 0 0 -1 -0.08 1 0 0 -0.27
Tr_imu_to_velo: 1 0 0 0 0 1 0 0 0 0 1 0
"""
CAR = "Car 0.00 0 1.85 1.63 2.54 20.81 12.12 1.67 1.87 3.69 -16.53 2.39 58.49 1.57"
DONT_CARE = "DontCare -1 -1 -10 3.89 9.71 9.61 19.13 -1 -1 -1 -1000 -1000 -1000 -10"
KIND = {"kind": "kitti", "root": "."}


def _set(folder: Path, names: tuple[str, ...] = ("000000", "000001")) -> Path:
    root = folder / "training"
    for name in names:
        write_image(root / "image_2" / f"{name}.png")
        write_text(root / "calib" / f"{name}.txt", CALIBRATION)
        write_text(root / "label_2" / f"{name}.txt", f"{CAR}\n{DONT_CARE}\n")
        (root / "velodyne").mkdir(exist_ok=True)
        points = np.arange(12, dtype="<f4")
        (root / "velodyne" / f"{name}.bin").write_bytes(points.tobytes())
    return root


def _open(folder: Path, *, skip: bool = False, **options: Any) -> SceneSet:
    return open_scenes({**KIND, **options}, folder, skip_invalid=skip)


def test_a_frame_has_image_points_calibration_and_labels(tmp_path: Path) -> None:
    _set(tmp_path)
    scenes = _open(tmp_path)
    assert [scene.id for scene in scenes] == ["000000", "000001"]
    assert scenes.classes[0] == "Car"
    assert scenes.classes[-1] == "DontCare"
    scene = scenes[0]
    assert scene.annotations is not None
    np.testing.assert_allclose(scene.annotations.boxes[0], [1.63, 2.54, 20.81, 12.12])
    assert scene.annotations.labels.tolist() == [0, 8]
    assert scene.annotations.ignore.tolist() == [False, True]
    assert scene.sweep is not None
    np.testing.assert_array_equal(scene.sweep.points(), np.arange(12).reshape(3, 4))
    assert scene.sweep.points().dtype == np.float32
    calibration = scene.sweep.calibration()
    assert calibration.p2[0].tolist() == [7, 0, 6, 44.85728]
    assert calibration.tr_velo_to_cam[2].tolist() == [1, 0, 0, -0.27]
    rows = scene.sweep.labels()
    assert rows is not None
    assert rows[0] == LabelRow(
        "Car",
        0.0,
        0,
        1.85,
        (1.63, 2.54, 20.81, 12.12),
        (1.67, 1.87, 3.69),
        (-16.53, 2.39, 58.49),
        1.57,
    )
    assert [row.solid for row in rows] == [True, False]


def test_a_list_chooses_frames_in_its_order(tmp_path: Path) -> None:
    _set(tmp_path)
    write_text(tmp_path / "val.txt", "000001\n000000\n")
    assert [scene.id for scene in _open(tmp_path, frames="val.txt")] == ["000001", "000000"]
    write_text(tmp_path / "val.txt", "000001\n000001\n")
    with pytest.raises(UserError, match=r"val.txt: frame '000001' is listed twice"):
        _open(tmp_path, frames="val.txt")


PARTS = {
    "images": ("image_2", "000001.png"),
    "points": ("velodyne", "000001.bin"),
    "labels": ("label_2", "000001.txt"),
}


@pytest.mark.parametrize("part", list(PARTS))
def test_a_missing_part_is_named_skipped_or_allowed(tmp_path: Path, part: str) -> None:
    folder, name = PARTS[part]
    (_set(tmp_path) / folder / name).unlink()
    with pytest.raises(UserError, match=f"{folder}/{name}: frame 000001 has no such file"):
        _open(tmp_path)
    assert [scene.id for scene in _open(tmp_path, skip=True)] == ["000000"]
    options: dict[str, Any] = {part: "optional"}
    second = _open(tmp_path, **options)[1]
    assert isinstance(second.picture, NoPicture) == (part == "images")
    assert (second.sweep is None) == (part == "points")
    assert (second.annotations is None) == (part == "labels")


def test_a_frame_without_image_says_so_when_pixels_are_asked_for(tmp_path: Path) -> None:
    _set(tmp_path)
    scene = _open(tmp_path, images="absent", verify=True)[0]
    assert scene.size == (0, 0)
    with pytest.raises(UserError, match="frame 000000 has no image"):
        scene.pixels()


def test_the_digest_changes_with_points_and_calibration(tmp_path: Path) -> None:
    root = _set(tmp_path)
    before = _open(tmp_path)[0].digest
    path = root / "velodyne" / "000000.bin"
    path.write_bytes(path.read_bytes()[:-16])
    points = _open(tmp_path)[0].digest
    write_text(root / "calib" / "000000.txt", CALIBRATION.replace("-0.27", "-0.28"))
    assert len({before, points, _open(tmp_path)[0].digest}) == 3


BAD_ROWS: list[tuple[str, str]] = [
    (" ".join(CAR.split()[:14]), "found 14 fields, expected 15"),
    (f"{CAR} 0.5 0.5", "found 17 fields, expected 15"),
    (CAR.replace("1.85", "x"), "alpha is 'x', expected a number"),
    (CAR.replace("58.49", "nan"), "z is 'nan', expected a number"),
    (CAR.replace("0.00 0 ", "0.00 0.5 "), "occluded is '0.5', expected a whole number"),
    (CAR.replace("Car", "Bus"), "type 'Bus' is not a class"),
    (CAR.replace("20.81", "0.5"), "2D box: box has width -1.13"),
    (CAR.replace("1.63", "31").replace("20.81", "40"), "2D box: .* lies outside the image"),
]


@pytest.mark.parametrize(("line", "why"), BAD_ROWS)
def test_an_invalid_label_is_named_or_it_alone_is_skipped(
    tmp_path: Path, line: str, why: str
) -> None:
    path = _set(tmp_path) / "label_2" / "000000.txt"
    write_text(path, f"{CAR}\n{line}\n{DONT_CARE}\n")
    with pytest.raises(UserError, match=f"000000.txt: line 2: {why}"):
        _open(tmp_path)
    scenes = _open(tmp_path, skip=True)
    assert len(scenes) == 2
    assert len(scenes.skipped) == 1
    assert scenes[0].sweep is not None
    rows = scenes[0].sweep.labels()
    assert rows is not None
    assert [row.type for row in rows] == ["Car", "DontCare"]
    write_kitti(scenes, tmp_path / "out")
    written = (tmp_path / "out" / "training" / "label_2" / "000000.txt").read_text()
    assert written == f"{CAR}\n{DONT_CARE}\n"


BAD_CALIBRATIONS: list[tuple[str, str, str]] = [
    ("R0_rect", "R1_rect", "the row 'R0_rect' is missing"),
    ("P2: 7", "P2:", "the row 'P2' has 11 numbers, expected 12"),
    ("P2: 7", "P2: seven", "the row 'P2' has a value that is not a number"),
    ("P2: 7", "P2: inf", "the row 'P2' has a value that is not finite"),
]


@pytest.mark.parametrize(("old", "new", "why"), BAD_CALIBRATIONS)
def test_an_invalid_calibration_is_named_or_its_frame_skipped(
    tmp_path: Path, old: str, new: str, why: str
) -> None:
    path = _set(tmp_path) / "calib" / "000000.txt"
    write_text(path, CALIBRATION.replace(old, new))
    with pytest.raises(UserError, match=f"calib/000000.txt: {why}"):
        _open(tmp_path)
    assert [scene.id for scene in _open(tmp_path, skip=True)] == ["000001"]


def test_a_calibration_that_is_not_there_is_named(tmp_path: Path) -> None:
    (_set(tmp_path) / "calib" / "000000.txt").unlink()
    with pytest.raises(UserError, match=r"calib/000000.txt: .*no such file"):
        _open(tmp_path)


def test_points_that_are_cut_off_are_found_when_read_or_by_verify(tmp_path: Path) -> None:
    path = _set(tmp_path) / "velodyne" / "000000.bin"
    path.write_bytes(path.read_bytes()[:-3])
    sweep = _open(tmp_path)[0].sweep
    assert sweep is not None
    with pytest.raises(UserError, match=r"000000.bin: found 45 bytes, expected a multiple of 16"):
        sweep.points()
    with pytest.raises(UserError, match=r"000000.bin: found 45 bytes"):
        _open(tmp_path, verify=True)
    assert len(_open(tmp_path, verify=True, skip=True)) == 1


def test_sets_that_are_not_there_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="training: no such folder"):
        _open(tmp_path)
    (tmp_path / "training").mkdir()
    with pytest.raises(UserError, match="image_2: no such folder"):
        _open(tmp_path)
    with pytest.raises(UserError, match="no scene found"):
        _open(tmp_path, images="optional", points="optional", labels="optional")


def test_a_scene_travels_as_paths(tmp_path: Path) -> None:
    _set(tmp_path)
    scene = _open(tmp_path)[0]
    copy = pickle.loads(pickle.dumps(scene))
    assert copy.sweep == scene.sweep
    assert len(pickle.dumps(scene.sweep)) < 2000
