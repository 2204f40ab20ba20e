"""MultiTest's tables: their parts against what must come out, and a small run of all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from experiments.multitest.__main__ import main
from experiments.multitest.cut_and_paste import cut_cars, paste
from experiments.multitest.frame_objects import FrameObject
from experiments.multitest.fusion_runs import AskedInsertion, FrameSearch, Run
from experiments.multitest.likeness import distance, likeness, patches
from experiments.multitest.object_counts import counts, objects_taken
from experiments.multitest.pipelines import PIPELINES, random_pose
from experiments.multitest.search_precision import errors, precisions

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.methods.fusion.precision import PrecisionSide
from snellen.scenes.kitti.evaluation_objects import evaluated_objects
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene
from snellen.vision.detections3d import Detections3D
from snellen.vision.kitti.ground_truth import Difficulty
from snellen.vision.kitti.multitest_errors import ErrorClass

FRAME = 4


@pytest.fixture(scope="module")
def scene(shared: Callable[[str], Path]) -> Scene:
    """A frame of KITTI with cars that can be cut out."""
    root = shared("kitti")
    return list(open_scenes({"kind": "kitti", "root": str(root)}, Path()))[FRAME]


def test_a_car_pasted_where_it_was_cut_has_its_own_points_again(scene: Scene) -> None:
    seed = seed_frame(scene)
    cars = cut_cars(scene)
    assert cars
    rows = [row for row in seed.rows or () if row.type == "Car"]
    boxes = lidar_boxes(rows, seed.frames)
    for car in cars:
        box = boxes[np.abs(boxes[:, 3:6] - car.size).sum(axis=1).argmin()]
        pose = (float(box[0]), float(box[1]), float(box[2] - box[5] / 2), float(box[6]))
        thing = paste(scene, car, pose)
        own = seed.points[seed.own_points[list(seed.rows or ()).index(_row(rows, boxes, box))]]
        assert thing.returns == pytest.approx(own, abs=1e-3)


def _row(rows: list[Any], boxes: np.ndarray, box: np.ndarray) -> Any:
    return rows[int(np.abs(boxes - box).sum(axis=1).argmin())]


def test_a_pasted_car_keeps_its_shape_when_it_is_moved_and_turned(scene: Scene) -> None:
    car = cut_cars(scene)[0]
    thing = paste(scene, car, (20.0, 3.0, -1.7, 1.1))
    apart = [np.linalg.norm(points[:-1, :3] - points[1:, :3], axis=1) for points in
             (car.points, thing.returns)]  # fmt: skip
    assert apart[0] == pytest.approx(apart[1], abs=1e-4)
    assert thing.returns[:, 3].tolist() == car.points[:, 3].tolist()
    assert thing.box is not None
    assert thing.box[3] - thing.box[1] == car.shape.shape[0]


def test_random_poses_are_in_the_camera_s_sector() -> None:
    rng = np.random.default_rng(1)
    poses = np.array([random_pose(rng) for _ in range(500)])
    distances = np.hypot(poses[:, 0], poses[:, 1])
    assert distances.min() >= 6
    assert distances.max() <= 50
    assert np.degrees(np.abs(np.arctan2(poses[:, 1], poses[:, 0]))).max() <= 40


def _thing(rng: np.random.Generator, shift: float = 0.0, consistency: float = 0.8) -> FrameObject:
    returns = np.column_stack(
        [rng.uniform(14, 17, 80), rng.uniform(-1, 1, 80), rng.uniform(-1.5, 0, 80), np.zeros(80)]
    ).astype(np.float32)
    image, ranges = rng.normal(size=(16, 15)) + shift, rng.normal(size=(40, 9)) + shift
    return FrameObject((0, 0, 60, 40), returns, consistency, None, image, ranges)


def test_things_of_another_kind_are_farther_than_those_of_the_same() -> None:
    rng = np.random.default_rng(2)
    real, same = [_thing(rng) for _ in range(30)], [_thing(rng) for _ in range(30)]
    other = [_thing(rng, shift=1.0) for _ in range(30)]
    near, far = likeness(real, same), likeness(real, other)
    # A shift of one standard deviation in each of 15 and 9 features.
    assert near.image[0] < 0.5
    assert far.image[0] == pytest.approx(15, rel=0.1)
    assert far.lidar[0] == pytest.approx(9, rel=0.1)
    assert far.image[1] <= far.image[0] <= far.image[2]
    assert near.consistency[0] == pytest.approx(0.8)
    assert near.density == pytest.approx(1.0, abs=0.1)
    assert near.profile < 0.1


def test_a_near_thing_with_many_patches_does_not_outweigh_others() -> None:
    rng = np.random.default_rng(3)
    assert len(patches([_thing(rng), _thing(rng)], "ranges")) == 32


def test_a_pipeline_that_inserted_nothing_has_no_figures() -> None:
    none = likeness([_thing(np.random.default_rng(4))], [])
    assert np.isnan(none.image[0])
    assert none.things == 0
    assert np.isnan(distance([], [], "image"))


def _run(chains: list[tuple[int, ...]], cases: int) -> Run:
    output = {"visibility.modality_consistency": 0.8, "visibility.visibility_gap": 0.1}
    empty = Detections3D.empty()
    asked = tuple(AskedInsertion(Insert3D((), 0), empty, empty, output) for _ in range(cases))
    frames = tuple(FrameSearch(f"{k}", asked, (chain, (9,))) for k, chain in enumerate(chains))
    return Run({}, ("Car",), 0.5, frames)


def test_a_frame_counts_only_while_no_object_needed_more_than_its_tries() -> None:
    run = _run([(0, 2), (), (1, 12, 13), (3,)], cases=20)
    made = counts(run, tries=10)
    assert [one.seeds for one in made] == [0.75, 0.25, 0, 0, 0, 0]
    assert made[0].iterations == pytest.approx((1 + 2 + 4) / 3)
    assert made[1].iterations == 3
    assert np.isnan(made[2].iterations)
    assert made[0].consistency == pytest.approx(0.8)
    assert objects_taken((9, 19, 29), 10) == 3


def test_the_test_cases_of_a_search_are_what_its_chains_ended_with() -> None:
    [first, second] = _run([(0, 2), ()], cases=20).frames
    assert first.ends == (first.cases[2], first.cases[9])
    assert second.ends == (second.cases[9],)


def test_a_perfect_answer_has_all_precision_and_no_errors_and_a_missing_one_is_counted(
    scene: Scene,
) -> None:
    seed = seed_frame(scene)
    known = evaluated_objects(seed.rows or (), seed.frames)
    cars = known.of_type("Car")
    labels, scores = np.zeros(cars.sum()), np.full(cars.sum(), 0.9)
    right = Detections3D(known.boxes[cars], labels, scores, known.image_boxes[cars])
    perfect = PrecisionSide((right,), (known,))
    assert set(precisions(perfect, ("Car",)).values()) == {100.0}
    assert errors(perfect, ("Car",), 0.5) == {}
    blind = PrecisionSide((Detections3D.empty(),), (known,))
    asked = int(known.required("Car", Difficulty.MODERATE).sum())
    assert asked > 0
    assert errors(blind, ("Car",), 0.5) == {
        ("3D", ErrorClass.MISSING): asked,
        ("2D", ErrorClass.MISSING): asked,
    }


@pytest.mark.thorough
def test_a_small_version_of_all_tables_is_written(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    pytest.importorskip("pypatchworkpp")
    source, data = shared("kitti") / "training", tmp_path / "data" / "kitti" / "training"
    for folder in source.iterdir():
        (data / folder.name).mkdir(parents=True)
        for file in folder.glob(f"{FRAME:06d}.*"):
            (data / folder.name / file.name).symlink_to(file)
    words = "--streets 0 --insertions 1 --tries 1 --count-tries 1 --repeats 1"
    words += f" --subjects lidar-only --data {tmp_path / 'data'} --out {tmp_path / 'out'}"
    main(words.split())
    text = (tmp_path / "out" / "results.md").read_text()
    assert all(f"| {name} |" in text for name in PIPELINES)
    assert all(f"| lidar-only | {search} | 3 |" in text for search in ("random", "guided"))
    assert "| KITTI | lidar-only | iterations |" in text
