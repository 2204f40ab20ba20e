from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pycocotools.coco import COCO

from snellen.errors import UserError
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from tests.scenes.coco.coco_set import KIND, TRIANGLE, content_with, known_objects, opened
from tests.scenes.samples import write_image


def test_a_box_is_xyxy_and_a_label_is_the_place_of_its_category(tmp_path: Path) -> None:
    scenes = opened(tmp_path, content_with(category_id=0, iscrowd=1, ignore=1))
    known = known_objects(scenes)
    assert scenes.classes == ("zebra", "cat")
    assert scenes.class_ids == (0, 3)
    assert known.boxes.tolist() == [[1, 2, 11, 8]] * 2
    assert known.labels.tolist() == [1, 0]
    assert known.crowd.tolist() == [False, True]
    assert known.ignore.tolist() == [False, True]
    assert known.areas.tolist() == [33.5, 33.5]
    assert scenes[0].size == (20, 30)


def test_an_image_without_annotations_is_kept_and_known_to_be_empty(tmp_path: Path) -> None:
    scenes = opened(tmp_path, content_with())
    assert [scene.id for scene in scenes] == ["a.png", "deep/b.png"]
    assert len(known_objects(scenes, 1)) == 0


def test_without_an_annotations_list_nothing_isknown_objects(tmp_path: Path) -> None:
    content = content_with()
    del content["annotations"]
    assert [scene.annotations for scene in opened(tmp_path, content)] == [None, None]


def test_three_spellings_of_a_mask_are_the_same_mask(tmp_path: Path) -> None:
    from pycocotools import mask as reference

    run = reference.frPyObjects(TRIANGLE, 20, 30)[0]
    flat = reference.decode(run).ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff([0, *edges, flat.size]).tolist()
    content = content_with(segmentation={"size": [20, 30], "counts": run["counts"].decode()})
    content["annotations"].append(
        {
            **content["annotations"][0],
            "id": 19,
            "segmentation": {"size": [20, 30], "counts": counts},
        }
    )
    masks = known_objects(opened(tmp_path, content)).masks
    assert masks is not None
    first, second, third = masks.to_array()
    np.testing.assert_array_equal(first, reference.decode(run) > 0)
    np.testing.assert_array_equal(second, first)
    np.testing.assert_array_equal(third, first)


def test_masks_of_some_objects_only_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scenes = opened(tmp_path, content_with(segmentation=[]))
    assert known_objects(scenes).masks is None
    assert "1 images have masks for only some of their objects" in caplog.text


def test_an_area_that_is_missing_is_counted_from_the_mask(tmp_path: Path) -> None:
    from pycocotools import mask as reference

    content = content_with()
    del content["annotations"][1]["area"]
    expected = int(reference.area(reference.frPyObjects(TRIANGLE, 20, 30))[0])
    assert known_objects(opened(tmp_path, content)).areas.tolist() == [33.5, expected]


def test_a_box_over_the_border_is_cut_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scenes = opened(tmp_path, content_with(bbox=[-4, 15, 100, 5.8]))
    assert known_objects(scenes).boxes[1].tolist() == [0, 15, 30, 20]
    assert "1 boxes extend more than a pixel beyond the image" in caplog.text


def test_the_limit_takes_the_first_scenes_and_looks_no_further(tmp_path: Path) -> None:
    content = content_with()
    content["images"][1]["file_name"] = "gone.png"
    assert [scene.id for scene in opened(tmp_path, content, limit=1)] == ["a.png"]


def test_verify_finds_a_truncated_image_that_opening_does_not(tmp_path: Path) -> None:
    write_image(tmp_path / "images" / "cut.jpg", (200, 300))
    cut = tmp_path / "images" / "cut.jpg"
    cut.write_bytes(cut.read_bytes()[:-500])
    content = content_with()
    content["images"][1].update(file_name="cut.jpg", height=200, width=300)
    scenes = opened(tmp_path, content)
    with pytest.raises(UserError, match=r"cut.jpg: cannot be read as an image"):
        scenes[1].pixels()
    with pytest.raises(UserError, match=r"cut.jpg: cannot be read as an image"):
        opened(tmp_path, content, verify=True)
    kept = opened(tmp_path, content, verify=True, skip=True)
    assert [scene.id for scene in kept] == ["a.png"]
    assert "cut.jpg" in kept.skipped[0].where


@pytest.mark.parametrize(
    ("folder", "file"),
    [("coco_train128", "instances_train2017.json"), ("coco_val64", "instances.json")],
)
def test_real_annotations_are_those_of_pycocotools(
    shared: Callable[[str], Path], folder: str, file: str, tmp_path: Path
) -> None:
    root = shared(folder)
    scenes = open_scenes({"kind": "coco", "annotations": file, "images": "images"}, root)
    out = tmp_path / "again"
    write_coco(SceneSet(scenes.scenes[:12], scenes.classes, scenes.class_ids), out)
    again = open_scenes({**KIND, "annotations": "instances.json"}, out)
    for path, found in ((root / file, scenes), (out / "instances.json", again)):
        _compare_with_pycocotools(path, found)
    for one, other in zip(scenes, again, strict=False):
        assert one.annotations == other.annotations
        assert one.digest == other.digest


def _compare_with_pycocotools(path: Path, scenes: SceneSet) -> None:
    reference = COCO(str(path))
    names = {image["file_name"]: own for own, image in reference.imgs.items()}
    assert sorted(names) == sorted(scene.id for scene in scenes)
    for scene in scenes:
        rows = reference.imgToAnns[names[scene.id]]
        known = scene.annotations
        assert known is not None
        assert len(known) == len(rows)
        ids = [scenes.class_ids[label] for label in known.labels]
        assert ids == [row["category_id"] for row in rows]
        assert known.crowd.tolist() == [bool(row["iscrowd"]) for row in rows]
        np.testing.assert_allclose(known.areas, [row["area"] for row in rows])
        if not rows:
            continue
        xywh = np.array([row["bbox"] for row in rows])
        corners = np.concatenate([xywh[:, :2], xywh[:, :2] + xywh[:, 2:]], axis=1)
        height, width = scene.size
        np.testing.assert_allclose(
            known.boxes, corners.clip(0, [width, height, width, height]), atol=1e-4
        )
        assert known.masks is not None
        for mask, row in zip(known.masks.to_array(), rows, strict=True):
            np.testing.assert_array_equal(mask, reference.annToMask(row) > 0, err_msg=row["id"])


def test_a_scene_pickles_small_and_comes_back_equal(shared: Callable[[str], Path]) -> None:
    root = shared("coco_train128")
    options = {**KIND, "annotations": "instances_train2017.json"}
    for scene in open_scenes(options, root)[:20]:
        before = len(pickle.dumps(scene))
        copy = pickle.loads(pickle.dumps(scene))
        assert copy.annotations == scene.annotations
        assert (copy.id, copy.size, copy.picture) == (scene.id, scene.size, scene.picture)
        assert len(pickle.dumps(scene)) == before, "rasterised masks must not travel"
