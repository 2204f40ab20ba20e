from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pycocotools.coco import COCO

from snellen.errors import UserError
from snellen.scenes.coco_writer import write_coco
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.vision.annotations import Annotations
from tests.scenes.samples import write_image, write_json

KIND = {"kind": "coco", "annotations": "val.json", "images": "images"}
TRIANGLE = [[1, 1, 9, 1, 5, 8]]


def _content(**changes: Any) -> dict[str, Any]:
    one = {
        "id": 17,
        "image_id": 5,
        "category_id": 3,
        "bbox": [1, 2, 10, 6],
        "area": 33.5,
        "iscrowd": 0,
        "segmentation": TRIANGLE,
    }
    return {
        "images": [
            {"id": 5, "file_name": "a.png", "height": 20, "width": 30},
            {"id": 6, "file_name": "deep/b.png", "height": 20, "width": 30},
        ],
        "annotations": [one, {**one, "id": 18, **changes}],
        "categories": [{"id": 3, "name": "cat"}, {"id": 0, "name": "background cat"}],
    }


def _open(folder: Path, content: Any, *, skip: bool = False, **options: Any) -> SceneSet:
    write_image(folder / "images" / "a.png")
    write_image(folder / "images" / "deep" / "b.png")
    write_json(folder / "val.json", content)
    return open_scenes({**KIND, **options}, folder, skip_invalid=skip)


def _known(scenes: SceneSet, index: int = 0) -> Annotations:
    found = scenes[index].annotations
    assert found is not None
    return found


def test_a_box_is_xyxy_and_a_label_is_the_place_of_its_category(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _content(category_id=0, iscrowd=1, ignore=1))
    known = _known(scenes)
    assert scenes.classes == ("background cat", "cat")
    assert scenes.class_ids == (0, 3)
    assert known.boxes.tolist() == [[1, 2, 11, 8]] * 2
    assert known.labels.tolist() == [1, 0]
    assert known.crowd.tolist() == [False, True]
    assert known.ignore.tolist() == [False, True]
    assert known.areas.tolist() == [33.5, 33.5]
    assert scenes[0].size == (20, 30)


def test_an_image_without_annotations_is_kept_and_known_to_be_empty(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _content())
    assert [scene.id for scene in scenes] == ["a.png", "deep/b.png"]
    assert len(_known(scenes, 1)) == 0


def test_without_an_annotations_list_nothing_is_known(tmp_path: Path) -> None:
    content = _content()
    del content["annotations"]
    assert [scene.annotations for scene in _open(tmp_path, content)] == [None, None]


def test_three_spellings_of_a_mask_are_the_same_mask(tmp_path: Path) -> None:
    from pycocotools import mask as reference

    run = reference.frPyObjects(TRIANGLE, 20, 30)[0]
    flat = reference.decode(run).ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff([0, *edges, flat.size]).tolist()
    content = _content(segmentation={"size": [20, 30], "counts": run["counts"].decode()})
    content["annotations"].append(
        {
            **content["annotations"][0],
            "id": 19,
            "segmentation": {"size": [20, 30], "counts": counts},
        }
    )
    masks = _known(_open(tmp_path, content)).masks
    assert masks is not None
    first, second, third = masks.to_array()
    np.testing.assert_array_equal(first, reference.decode(run) > 0)
    np.testing.assert_array_equal(second, first)
    np.testing.assert_array_equal(third, first)


def test_masks_of_some_objects_only_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scenes = _open(tmp_path, _content(segmentation=[]))
    assert _known(scenes).masks is None
    assert "1 images have masks for some objects only" in caplog.text


def test_an_area_that_is_missing_is_counted_from_the_mask(tmp_path: Path) -> None:
    from pycocotools import mask as reference

    content = _content()
    del content["annotations"][1]["area"]
    expected = int(reference.area(reference.frPyObjects(TRIANGLE, 20, 30))[0])
    assert _known(_open(tmp_path, content)).areas.tolist() == [33.5, expected]


def test_a_box_over_the_border_is_cut_and_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scenes = _open(tmp_path, _content(bbox=[-4, 15, 100, 5.8]))
    assert _known(scenes).boxes[1].tolist() == [0, 15, 30, 20]
    assert "1 boxes reach more than a pixel over the border" in caplog.text


BAD_ANNOTATIONS: list[tuple[dict[str, Any], str]] = [
    ({"bbox": [1, 2, -3, 4]}, "annotation 18: bbox: box of width -3 and height 4"),
    ({"bbox": [1, 2, 0, 4]}, "annotation 18: bbox: box of width 0 and height 4"),
    ({"bbox": [1, 2, float("nan"), 4]}, "annotation 18: bbox: .* not a number"),
    ({"bbox": [40, 2, 3, 4]}, "annotation 18: bbox: .* lies outside the image of width 30"),
    ({"bbox": [1, 2, 3]}, r"annotation 18: bbox is \[1, 2, 3\], expected four numbers"),
    ({"bbox": ["1", 2, 3, 4]}, "annotation 18: bbox is .*, expected four numbers"),
    ({"bbox": None}, "annotation 18: bbox is None, expected four numbers"),
    ({"category_id": 4}, "annotation 18: category_id is 4, which is not among 'categories'"),
    ({"category_id": "cat"}, "annotation 18: category_id is 'cat'"),
    ({"category_id": None}, "annotation 18: category_id is None"),
    ({"image_id": 99}, "annotation 18: image_id is 99, no such image is listed"),
    ({"image_id": [5]}, r"annotation 18: image_id is \[5\]"),
    ({"id": 17}, "annotation 17: the id occurs twice"),
    ({"id": None}, "annotation None: id is None, expected a whole number"),
    ({"iscrowd": 2}, "annotation 18: iscrowd is 2, expected 0 or 1"),
    ({"area": -1}, "annotation 18: area is -1"),
    ({"area": "big"}, "annotation 18: area is 'big'"),
    ({"segmentation": [[1, 2, 3, 4]]}, "annotation 18: segmentation: a polygon must be"),
    ({"segmentation": [[1, 2, 3, 4, 5, 6, 7]]}, "annotation 18: segmentation: a polygon must be"),
    ({"segmentation": [[1, 2, 3, "x", 5, 6]]}, "annotation 18: segmentation: a polygon must be"),
    ({"segmentation": [1, 2, 3, 4, 5, 6]}, "annotation 18: segmentation: a polygon must be"),
    ({"segmentation": "oops"}, "annotation 18: segmentation: "),
    ({"segmentation": {"size": [20, 30]}}, "annotation 18: segmentation: has no 'counts'"),
    (
        {"segmentation": {"size": [30, 20], "counts": [600]}},
        r"annotation 18: segmentation: mask has size \[30, 20\]",
    ),
    (
        {"segmentation": {"size": [20, 30], "counts": [500]}},
        "annotation 18: segmentation: mask's counts add up to 500",
    ),
    ({"segmentation": {"size": [20, 30], "counts": [-1, 601]}}, "annotation 18: segmentation: "),
    ({"segmentation": {"size": [20, 30], "counts": "~~"}}, "annotation 18: segmentation: "),
]


@pytest.mark.parametrize(("changes", "why"), BAD_ANNOTATIONS)
def test_an_invalid_annotation_is_named_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    content = _content(**changes)
    with pytest.raises(UserError, match=f"val.json: {why}") as caught:
        _open(tmp_path, content)
    assert str(caught.value).endswith("Fix or drop it, or pass --skip-invalid.")
    scenes = _open(tmp_path, content, skip=True)
    assert len(scenes) == 2
    assert len(_known(scenes)) == 1
    assert len(scenes.skipped) == 1


BAD_IMAGES: list[tuple[dict[str, Any], str]] = [
    ({"file_name": "gone.png"}, "gone.png: the image is listed, but there is no such file"),
    ({"file_name": "../a.png"}, "val.json: image 6: file_name is '../a.png'"),
    ({"file_name": None}, "val.json: image 6: file_name is None"),
    ({"file_name": "a.png"}, "val.json: image 6: file_name 'a.png' belongs to another"),
    ({"id": 5}, "val.json: image 5: the id occurs twice"),
    ({"id": "6"}, "val.json: image '6': id is '6', expected a whole number"),
    ({"height": 0}, "val.json: image 6: height is 0"),
    ({"width": None}, "val.json: image 6: width is None"),
    ({"width": 31}, "b.png: the annotations give width 31 and height 20, but the image has 30"),
    ({"file_name": "broken.png"}, "broken.png: cannot be read as an image"),
]


@pytest.mark.parametrize(("changes", "why"), BAD_IMAGES)
def test_an_invalid_image_is_named_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    content = _content()
    content["images"][1].update(changes)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "broken.png").write_bytes(b"no image")
    with pytest.raises(UserError, match=why):
        _open(tmp_path, content)
    scenes = _open(tmp_path, content, skip=True)
    assert [scene.id for scene in scenes] == ["a.png"]
    assert len(scenes.skipped) == 1


BAD_FILES: list[tuple[Any, str]] = [
    ([{"image_id": 1, "bbox": []}], "not a COCO file: found a list"),
    ({"shapes": []}, "not a COCO file: found the keys shapes"),
    ({"images": []}, "'images' is empty"),
    ({"images": {}}, "'images' must be a list of objects"),
    ({"images": [1]}, "'images' must be a list of objects"),
    ({**_content(), "annotations": 3}, "'annotations' must be a list of objects"),
    ({**_content(), "categories": []}, "'categories' is missing or empty"),
    ({**_content(), "categories": [{"id": 3}]}, "category 3 must have"),
    (
        {**_content(), "categories": [{"id": 3, "name": "a"}, {"id": 3, "name": "b"}]},
        "two categories have the id '3'",
    ),
    (
        {**_content(), "categories": [{"id": 3, "name": "a"}, {"id": 4, "name": "a"}]},
        "two categories have the name 'a'",
    ),
]


@pytest.mark.parametrize(("content", "why"), BAD_FILES)
@pytest.mark.parametrize("skip", [False, True])
def test_a_file_that_is_no_coco_is_always_an_error(
    tmp_path: Path, content: Any, why: str, skip: bool
) -> None:
    with pytest.raises(UserError, match=f"val.json: {why}"):
        _open(tmp_path, content, skip=skip)


def test_json_that_is_cut_off_and_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    write_image(tmp_path / "images" / "a.png")
    with pytest.raises(UserError, match=r"val.json: no such file; 'annotations'"):
        open_scenes(KIND, tmp_path)
    (tmp_path / "val.json").write_text(json.dumps(_content())[:-9])
    with pytest.raises(UserError, match=r"val.json: not valid JSON"):
        open_scenes(KIND, tmp_path)
    with pytest.raises(UserError, match="nowhere: no such folder; 'images' must name a folder"):
        open_scenes({**KIND, "images": "nowhere"}, tmp_path)


def test_when_every_scene_is_skipped_the_first_reason_is_told(tmp_path: Path) -> None:
    content = _content()
    for image in content["images"]:
        image["file_name"] = f"gone{image['id']}.png"
    with pytest.raises(UserError, match=r"no scene found; 2 items were skipped, .*gone5.png"):
        _open(tmp_path, content, skip=True)


def test_the_limit_takes_the_first_scenes_and_looks_no_further(tmp_path: Path) -> None:
    content = _content()
    content["images"][1]["file_name"] = "gone.png"
    assert [scene.id for scene in _open(tmp_path, content, limit=1)] == ["a.png"]


def test_verify_finds_a_truncated_image_that_opening_does_not(tmp_path: Path) -> None:
    write_image(tmp_path / "images" / "cut.jpg", (200, 300))
    cut = tmp_path / "images" / "cut.jpg"
    cut.write_bytes(cut.read_bytes()[:-500])
    content = _content()
    content["images"][1].update(file_name="cut.jpg", height=200, width=300)
    scenes = _open(tmp_path, content)
    with pytest.raises(UserError, match=r"cut.jpg: cannot be read as an image"):
        scenes[1].pixels()
    with pytest.raises(UserError, match=r"cut.jpg: cannot be read as an image"):
        _open(tmp_path, content, verify=True)
    kept = _open(tmp_path, content, verify=True, skip=True)
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
