from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.checkup import run_checkup
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.scenes.problems import InvalidItemError
from snellen.scenes.registry import open_scenes
from snellen.terminal.progress import progress_display
from tests.scenes.coco.coco_set import KIND, content_with, known_objects, opened
from tests.scenes.samples import write_image

BAD_ANNOTATIONS: list[tuple[dict[str, Any], str]] = [
    ({"bbox": [1, 2, -3, 4]}, "annotation 18: bbox: box has width -3 and height 4"),
    ({"bbox": [1, 2, 0, 4]}, "annotation 18: bbox: box has width 0 and height 4"),
    ({"bbox": [1, 2, float("nan"), 4]}, "annotation 18: bbox: .* not finite"),
    ({"bbox": [40, 2, 3, 4]}, "annotation 18: bbox: .* lies outside the image of width 30"),
    ({"bbox": [1, 2, 3]}, r"annotation 18: bbox is \[1, 2, 3\], expected four numbers"),
    ({"bbox": ["1", 2, 3, 4]}, "annotation 18: bbox is .*, expected four numbers"),
    ({"bbox": None}, "annotation 18: bbox is None, expected four numbers"),
    ({"category_id": 4}, "annotation 18: category_id is 4, expected an id listed in 'categories'"),
    ({"category_id": "cat"}, "annotation 18: category_id is 'cat'"),
    ({"category_id": None}, "annotation 18: category_id is None"),
    ({"image_id": 99}, "annotation 18: image_id is 99, expected the id of an image in 'images'"),
    ({"image_id": [5]}, r"annotation 18: image_id is \[5\]"),
    ({"id": 17}, "annotation 17: the id occurs twice"),
    ({"id": None}, "annotation None: id is None, expected a whole number"),
    ({"iscrowd": 2}, "annotation 18: iscrowd is 2, expected 0 or 1"),
    ({"area": -1}, "annotation 18: area is -1"),
    ({"area": "big"}, "annotation 18: area is 'big'"),
    ({"segmentation": [[1, 2, 3, 4]]}, "annotation 18: segmentation: .*expected a polygon"),
    (
        {"segmentation": [[1, 2, 3, 4, 5, 6, 7]]},
        "annotation 18: segmentation: .*expected a polygon",
    ),
    ({"segmentation": [[1, 2, 3, "x", 5, 6]]}, "annotation 18: segmentation: .*expected a polygon"),
    ({"segmentation": [1, 2, 3, 4, 5, 6]}, "annotation 18: segmentation: .*expected a polygon"),
    ({"segmentation": "oops"}, "annotation 18: segmentation: "),
    ({"segmentation": {"size": [20, 30]}}, "annotation 18: segmentation: has no 'counts'"),
    (
        {"segmentation": {"size": [30, 20], "counts": [600]}},
        r"annotation 18: segmentation: a mask has size \[30, 20\]",
    ),
    (
        {"segmentation": {"size": [20, 30], "counts": [500]}},
        "annotation 18: segmentation: the counts of a mask add up to 500",
    ),
    ({"segmentation": {"size": [20, 30], "counts": [-1, 601]}}, "annotation 18: segmentation: "),
    ({"segmentation": {"size": [20, 30], "counts": "~~"}}, "annotation 18: segmentation: "),
]


@pytest.mark.parametrize(("changes", "why"), BAD_ANNOTATIONS)
def test_an_invalid_annotation_is_named_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    content = content_with(**changes)
    with pytest.raises(UserError, match=f"val.json: {why}") as caught:
        opened(tmp_path, content)
    assert str(caught.value).endswith("Fix or drop it, or pass --skip-invalid.")
    scenes = opened(tmp_path, content, skip=True)
    assert len(scenes) == 2
    assert len(known_objects(scenes)) == 1
    assert len(scenes.skipped) == 1


BAD_IMAGES: list[tuple[dict[str, Any], str]] = [
    ({"file_name": "gone.png"}, "gone.png: the image is listed, but the file does not exist"),
    ({"file_name": "../a.png"}, "val.json: image 6: file_name is '../a.png'"),
    ({"file_name": None}, "val.json: image 6: file_name is None"),
    ({"file_name": "a.png"}, "val.json: image 6: file_name 'a.png' is also the name of another"),
    ({"id": 5}, "val.json: image 5: the id occurs twice"),
    ({"id": "6"}, "val.json: image '6': id is '6', expected a whole number"),
    ({"height": 0}, "val.json: image 6: height is 0"),
    ({"width": None}, "val.json: image 6: width is None"),
]
BAD_PICTURES: list[tuple[dict[str, Any], str]] = [
    (
        {"width": 31},
        "b.png: the annotations list width 31 and height 20, but the image has width 30",
    ),
    ({"file_name": "broken.png"}, "broken.png: cannot be read as an image"),
]
"""What the header of an image file shows, which is read when the image is."""


@pytest.mark.parametrize(("changes", "why"), BAD_IMAGES)
def test_an_invalid_image_is_named_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    content = content_with()
    content["images"][1].update(changes)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "broken.png").write_bytes(b"no image")
    with pytest.raises(UserError, match=why):
        opened(tmp_path, content)
    scenes = opened(tmp_path, content, skip=True)
    assert [scene.id for scene in scenes] == ["a.png"]
    assert len(scenes.skipped) == 1


@pytest.mark.parametrize(("changes", "why"), BAD_PICTURES)
def test_an_invalid_image_file_is_named_when_it_is_read_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    content = content_with()
    content["images"][1].update(changes)
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "broken.png").write_bytes(b"no image")
    good, bad = opened(tmp_path, content)
    assert good.digest
    assert good.pixels().shape == (20, 30, 3)
    with pytest.raises(UserError, match=why):
        bad.pixels()
    with pytest.raises(InvalidItemError, match=f"{why}.*Fix or drop it, or pass --skip-invalid"):
        _ = bad.digest
    with pytest.raises(UserError, match=why):
        opened(tmp_path, content, verify=True)
    scenes = opened(tmp_path, content, skip=True)
    assert [scene.id for scene in scenes] == ["a.png"]
    assert len(scenes.skipped) == 1


def test_no_image_is_opened_with_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path, content_with())
    monkeypatch.setattr("snellen.scenes.pictures.Pillow.open", None)
    assert len(open_scenes(KIND, tmp_path)) == 2


@pytest.mark.parametrize("workers", [0, 1])
def test_a_run_is_refused_before_anything_is_asked_if_an_image_has_another_size(
    tmp_path: Path, workers: int
) -> None:
    content = content_with()
    content["images"][1]["width"] = 31
    opened(tmp_path, content)
    campaign = campaign_from(
        {
            "method": "identity",
            "subject": {"kind": "planted"},
            "scenes": KIND,
            "engine": {"workers": workers},
            "out": "run",
        },
        tmp_path / "sizes.yaml",
    )
    with pytest.raises(UserError, match=r"b.png: the annotations list width 31 and height 20"):
        run_campaign(campaign)
    with (
        pytest.raises(UserError, match=r"b.png: the annotations list width 31 and height 20"),
        progress_display("loading") as display,
    ):
        run_checkup(campaign, display, looks=1, scenes=0, suggest=False)


def test_the_error_of_an_invalid_item_comes_back_from_another_process() -> None:
    error = InvalidItemError("val.json: image 6", "it is upside down")
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.where, copy.why) == (str(error), error.where, error.why)


BAD_FILES: list[tuple[Any, str]] = [
    ([{"image_id": 1, "bbox": []}], "not a COCO file: found a list"),
    ({"shapes": []}, "not a COCO file: found the keys shapes"),
    ({"images": []}, "'images' is empty"),
    ({"images": {}}, "'images': found .*, expected a list of objects"),
    ({"images": [1]}, "'images': found .*, expected a list of objects"),
    ({**content_with(), "annotations": 3}, "'annotations': found .*, expected a list of objects"),
    ({**content_with(), "categories": []}, "'categories' is missing or empty"),
    ({**content_with(), "categories": [{"id": 3}]}, "category 3 has the name None, expected"),
    (
        {**content_with(), "categories": [{"id": 3, "name": "a"}, {"id": 3, "name": "b"}]},
        "two categories have the id '3'",
    ),
    (
        {**content_with(), "categories": [{"id": 3, "name": "a"}, {"id": 4, "name": "a"}]},
        "two categories have the name 'a'",
    ),
]


@pytest.mark.parametrize(("content", "why"), BAD_FILES)
@pytest.mark.parametrize("skip", [False, True])
def test_a_file_that_is_no_coco_is_always_an_error(
    tmp_path: Path, content: Any, why: str, skip: bool
) -> None:
    with pytest.raises(UserError, match=f"val.json: {why}"):
        opened(tmp_path, content, skip=skip)


def test_json_that_is_cut_off_and_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    write_image(tmp_path / "images" / "a.png")
    with pytest.raises(UserError, match=r"val.json: no such file; 'annotations'"):
        open_scenes(KIND, tmp_path)
    (tmp_path / "val.json").write_text(json.dumps(content_with())[:-9])
    with pytest.raises(UserError, match=r"val.json: not valid JSON"):
        open_scenes(KIND, tmp_path)
    with pytest.raises(UserError, match="nowhere: no such folder; 'images' must name a folder"):
        open_scenes({**KIND, "images": "nowhere"}, tmp_path)


def test_when_every_scene_is_skipped_the_first_reason_is_told(tmp_path: Path) -> None:
    content = content_with()
    for image in content["images"]:
        image["file_name"] = f"gone{image['id']}.png"
    with pytest.raises(UserError, match=r"no scene found; 2 items were skipped, .*gone5.png"):
        opened(tmp_path, content, skip=True)
