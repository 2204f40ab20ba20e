"""How a frame is searched: what is kept, how often is asked, and what limits it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import snellen as sn
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.contract.verdict import Verdict
from snellen.errors import UserError
from snellen.methods.fusion.options import FusionOptions
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from tests.methods.fusion.frame_driver import cases_in, examined, method, planted

FEW = {"objects": 2, "tries": 3}


@pytest.fixture(scope="module")
def frame(shared: Callable[[str], Path]) -> Scene:
    return open_scenes({"kind": "kitti", "root": str(shared("kitti"))}, Path())[1]


def verdict(frame: Scene, options: dict[str, Any], fault: str = "misses-beyond") -> Verdict:
    [made] = examined(method(planted(fault), [frame], FEW | options))
    return made


@pytest.mark.parametrize("search", ["random", "guided", "informed"])
def test_every_search_asks_as_often(search: str, frame: Scene) -> None:
    made = verdict(frame, {"search": search})
    assert len(cases_in([made])) == 6
    assert made.notes["insertions"] == 6


def test_a_guided_search_keeps_just_what_raises_the_fitness(frame: Scene) -> None:
    made = verdict(frame, {"search": "guided", "tries": 8})
    cases = cases_in([made])
    kept = [case for case in cases if case.measurements["kept"]]
    assert 0 < len(kept) < len(cases)
    first = [case for case in cases if case.parent is None]
    least = min(case.measurements["fitness"] for case in first if not case.measurements["kept"])
    for case in kept:
        if case.parent is None:
            assert case.measurements["fitness"] > least
        else:
            before = cases[case.parent]
            assert case.measurements["fitness"] > before.measurements["fitness"]
            assert isinstance(case.recipe, Insert3D)
            assert isinstance(before.recipe, Insert3D)
            assert case.recipe.objects[:-1] == before.recipe.objects


def test_a_random_search_keeps_all_and_as_published_keeps_the_last_try(frame: Scene) -> None:
    random = cases_in([verdict(frame, {"search": "random"}, "none")])
    assert all(case.measurements["kept"] for case in random)
    published = cases_in([verdict(frame, {"as_published": True}, "none")])
    kept = [number for number, case in enumerate(published) if case.measurements["kept"]]
    assert 2 in kept


def test_chains_tell_which_cases_were_built_on_each_other(frame: Scene) -> None:
    made = verdict(frame, {"search": "random"})
    assert made.notes["chains"] == [[0, 1], [2, 3], [4, 5]]
    assert [case.parent for case in cases_in([made])] == [None, 0, None, 2, None, 4]


def test_a_budget_is_never_passed(frame: Scene) -> None:
    tested = method(planted(), [frame], FEW | {"controls": 0.5})
    for allowance in (2, 3, 5):
        [made] = examined(tested, allowance)
        assert len(made.cases) <= allowance - 1


def test_the_same_seed_gives_the_same_recipes(frame: Scene) -> None:
    one, other = (
        [case.recipe for case in cases_in([verdict(frame, {"search": "informed"})])]
        for _ in range(2)
    )
    assert one == other


def test_one_sensor_alone_need_not_find_what_is_put_in(frame: Scene) -> None:
    cases = cases_in([verdict(frame, {"search": "random", "sensors": "lidar"})])
    assert all(not case.events for case in cases)
    assert {case.recipe.sensors for case in cases if isinstance(case.recipe, Insert3D)} == {"lidar"}


def test_limits_hold_for_every_insertion(frame: Scene) -> None:
    limits = {"nearest": 12.0, "farthest": 20.0, "sector_degrees": (-20.0, 5.0), "objects": 1}
    for case in cases_in([verdict(frame, {"search": "random", **limits})]):
        assert isinstance(case.recipe, Insert3D)
        [(_, x, y, _, _)] = case.recipe.objects
        assert 12 <= np.hypot(x, y) <= 20
        assert -20 <= np.degrees(np.arctan2(y, x)) <= 5


def sees_road(images: list[np.ndarray]) -> list[Detections]:
    """A segmenter to which the left half of each image is road."""
    made = []
    for image in images:
        mask = np.zeros((1, *image.shape[:2]), dtype=bool)
        mask[:, :, : image.shape[1] // 2] = True
        box = [[0, 0, image.shape[1] // 2, image.shape[0]]]
        made.append(Detections(box, [0], [0.9], Masks.from_array(mask)))  # type: ignore[arg-type]
    return made


SEGMENTER = {
    "kind": "python",
    "target": f"{__name__}:sees_road",
    "task": "segmentation",
    "classes": ["road"],
}


def test_a_segmenters_road_confirms_where_cars_stand(frame: Scene) -> None:
    options = {"search": "random", "road": SEGMENTER, "meshes": ("sedan",), "objects": 1}
    cases = cases_in([verdict(frame, options)])
    assert cases
    for case in cases:
        assert isinstance(case.recipe, Insert3D)
        [(_, x, y, z, _)] = case.recipe.objects
        assert frame.sweep is not None
        frames = frame.sweep.calibration().frames()
        [[u, _, _]] = frames.lidar_to_image(np.array([[x, y, z]]))  # type: ignore[arg-type]
        assert u < frame.size[1] / 2 + 60


def test_a_segmenter_that_knows_no_road_is_refused(frame: Scene) -> None:
    with pytest.raises(UserError, match="the segmenter has no class 'street'"):
        method(planted(), [frame], {"road": SEGMENTER, "road_class": "street"})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"nearest": 30, "farthest": 20}, "must be below farthest"),
        ({"sector_degrees": (10, -10)}, "two increasing angles"),
        ({"weights": (0, 0, 0)}, "not all 0"),
        ({"farthest": 90}, "less than or equal to 62"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        FusionOptions.model_validate(options)


def test_meshes_of_no_known_class_are_refused(frame: Scene) -> None:
    with pytest.raises(UserError, match="no mesh has one of the subject's classes"):
        method(planted(classes=("Tram",)), [frame])


def test_frames_without_an_image_are_searched_by_a_run(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    (tmp_path / "frames.txt").write_text("000001\n")
    root = str(shared("kitti"))
    values = {
        "method": "fusion",
        "subject": {"kind": "planted-3d", "fault": "misses-beyond"},
        "scenes": {"kind": "kitti", "root": root, "images": "absent", "frames": "frames.txt"},
        "fusion": {**FEW, "search": "random", "controls": 0.5},
        "engine": {"workers": 0, "cache": False, "explain": 0.0},
        "out": "run",
    }
    (tmp_path / "lidar.yaml").write_text(yaml.safe_dump(values))
    summary = sn.run(tmp_path / "lidar.yaml").summary
    assert summary.units.errors == 0
    assert summary.test_cases == 6
    assert summary.control.cases >= summary.failing_cases
    assert summary.failing_cases > 0
