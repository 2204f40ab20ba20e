from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.scenes.yolo.writer import write_yolo
from snellen.vision.annotations import Annotations
from tests.scenes.samples import write_image, write_text

KIND = {"kind": "yolo", "images": "images", "classes": ["cat", "dog"]}
TRIANGLE = "0 0.1 0.1 0.5 0.1 0.3 0.9"


def _open(folder: Path, text: str | None, *, skip: bool = False, **options: Any) -> SceneSet:
    write_image(folder / "images" / "val" / "a.png", (20, 40))
    write_image(folder / "images" / "val" / "b.png", (20, 40))
    write_text(folder / "labels" / "val" / "b.txt", "1 0.5 0.5 0.5 0.5\n")
    if text is not None:
        write_text(folder / "labels" / "val" / "a.txt", text)
    return open_scenes({**KIND, **options}, folder, skip_invalid=skip)


def _known(scene: Scene) -> Annotations:
    assert scene.annotations is not None
    return scene.annotations


def test_a_box_is_centre_and_sides_in_fractions_of_width_then_height(tmp_path: Path) -> None:
    known = _known(_open(tmp_path, "1 0.25 0.5 0.5 0.1\n\n")[0])
    np.testing.assert_allclose(known.boxes, [[0, 9, 20, 11]])
    assert known.labels.tolist() == [1]


def test_a_polygon_gives_a_mask_and_the_box_around_it(tmp_path: Path) -> None:
    from pycocotools import mask as reference

    known = _known(_open(tmp_path, TRIANGLE)[0])
    np.testing.assert_allclose(known.boxes, [[4, 2, 20, 18]], atol=1e-5)
    run = reference.frPyObjects([[4.0, 2, 20, 2, 12, 18]], 20, 40)
    assert known.masks is not None
    np.testing.assert_array_equal(known.masks.to_array()[0], reference.decode(run)[..., 0] > 0)
    assert known.areas.tolist() == [reference.area(run)[0]]


def test_boxes_and_polygons_may_share_a_file_but_then_masks_are_left_out(tmp_path: Path) -> None:
    known = _known(_open(tmp_path, f"1 0.5 0.5 0.5 0.5\n{TRIANGLE}\n")[0])
    assert len(known) == 2
    assert known.masks is None


def test_an_image_without_label_file_has_no_object(tmp_path: Path) -> None:
    scenes = _open(tmp_path, None)
    assert [scene.id for scene in scenes] == ["val/a.png", "val/b.png"]
    assert [len(_known(scene)) for scene in scenes] == [0, 1]


@pytest.mark.parametrize("names", ["[cat, dog]", "{0: cat, 4: dog}"])
@pytest.mark.parametrize("source", ["images/val", "[images/val]", "val.txt"])
def test_data_yaml_names_classes_and_images(tmp_path: Path, names: str, source: str) -> None:
    own = 1 if names.startswith("[") else 4
    write_text(tmp_path / "set" / "val.txt", "./images/val/a.png\nimages/val/b.png\n")
    write_text(tmp_path / "data.yaml", f"path: set\nval: {source}\nnames: {names}\n")
    write_image(tmp_path / "set" / "images" / "val" / "a.png", (20, 40))
    write_image(tmp_path / "set" / "images" / "val" / "b.png", (20, 40))
    write_text(tmp_path / "set" / "labels" / "val" / "a.txt", f"{own} 0.5 0.5 0.5 0.5")
    scenes = open_scenes({"kind": "yolo", "data": "data.yaml"}, tmp_path)
    assert [scene.id for scene in scenes] == ["images/val/a.png", "images/val/b.png"]
    assert scenes.classes == ("cat", "dog")
    assert scenes.class_ids == (0, own)
    assert _known(scenes[0]).labels.tolist() == [1]


def test_labels_may_lie_anywhere_and_names_in_a_text_file(tmp_path: Path) -> None:
    write_text(tmp_path / "names.txt", "cat\ndog\n")
    write_text(tmp_path / "truth" / "val" / "a.txt", "0 0.5 0.5 0.1 0.1")
    scenes = _open(tmp_path, None, labels="truth", classes="names.txt")
    assert [len(_known(scene)) for scene in scenes] == [1, 0]


BAD_LINES: list[tuple[str, str]] = [
    ("2 0.5 0.5 0.5 0.5", "class is 2, expected 0 to 1"),
    ("-1 0.5 0.5 0.5 0.5", "class is -1, expected"),
    ("0.5 0.5 0.5 0.5 0.5", "class is 0.5, expected"),
    ("cat 0.5 0.5 0.5 0.5", "'cat' is not a number"),
    ("0 0.5 0.5 0.5", "4 fields, expected 5"),
    ("0 0.5 0.5 0.5 0.5 0.9", "6 fields, expected 5"),
    ("0 0.1 0.1 0.5 0.1 0.3 0.9 0.1", "8 fields, expected 5"),
    ("0 0.5 0.5 -0.5 0.5", "box has width -20"),
    ("0 0.5 0.5 0 0.5", "box has width 0"),
    ("0 nan 0.5 0.5 0.5", "'nan' is not a number"),
    ("0 1.5 0.5 0.5 0.5", "lies outside the image"),
    ("0 320 200 50 50", "found 320, expected fractions"),
    ("0 0.1 0.1 0.1 0.2 0.1 0.3", "box has width 0"),
]


@pytest.mark.parametrize(("line", "why"), BAD_LINES)
def test_an_invalid_line_is_named_or_it_alone_is_skipped(
    tmp_path: Path, line: str, why: str
) -> None:
    text = f"1 0.5 0.5 0.5 0.5\n\n{line}\n"
    with pytest.raises(UserError, match=f"a.txt: line 3: .*{why}"):
        _open(tmp_path, text)
    scenes = _open(tmp_path, text, skip=True)
    assert [len(_known(scene)) for scene in scenes] == [1, 1]
    assert len(scenes.skipped) == 1


BAD_SETS: list[tuple[dict[str, Any], str]] = [
    ({"images": None}, "Give either 'data'"),
    ({"data": "data.yaml"}, "Give either 'data'"),
    ({"classes": None}, "scenes.classes: missing"),
    ({"classes": []}, "found no class name"),
    ({"classes": ["a", "a"]}, "the class 'a' occurs twice"),
    ({"classes": "gone.txt"}, "gone.txt: no such file; 'classes'"),
    ({"labels": "gone"}, "gone: no such folder; 'labels'"),
    ({"labels": "images"}, "a.txt: no such label file, and none of the 2 images has one"),
    ({"images": "labels"}, "labels: no scene found"),
]


@pytest.mark.parametrize(("options", "why"), BAD_SETS)
def test_a_set_that_cannot_be_read_is_always_an_error(
    tmp_path: Path, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(UserError, match=why):
        _open(tmp_path, "0 0.5 0.5 0.5 0.5", skip=True, **options)


BAD_YAML: list[tuple[str, str]] = [
    ("val: images/val\n", "'names': found None, expected a list"),
    ("names: [cat]\n", "no split 'val'"),
    ("names: [cat]\nval: nowhere\n", "'nowhere': .* is neither a folder nor a .txt list"),
    ("names: [cat, cat]\nval: images/val\n", "the class 'cat' occurs twice"),
    (
        "names: {a: cat}\nval: images/val\n",
        "'names': found .*, expected a list, or names by number",
    ),
    ("names: [cat]\nval: [images/val, images/val]\n", "occurs twice in the split"),
]


@pytest.mark.parametrize(("text", "why"), BAD_YAML)
def test_a_data_yaml_that_lacks_something_is_named(tmp_path: Path, text: str, why: str) -> None:
    write_text(tmp_path / "data.yaml", text)
    with pytest.raises(UserError, match=f"data.yaml: .*{why}"):
        _open(tmp_path, None, data="data.yaml", images=None, classes=None)


def test_two_images_with_the_same_labels_are_an_error(tmp_path: Path) -> None:
    write_image(tmp_path / "images" / "val" / "a.jpg", (20, 40))
    with pytest.raises(UserError, match=r"a.txt: two images share this label file"):
        _open(tmp_path, "0 0.5 0.5 0.5 0.5")


def test_supervision_reads_the_same_boxes(tmp_path: Path) -> None:
    supervision = pytest.importorskip("supervision")
    pixels = np.zeros((20, 30, 3), np.uint8)
    boxes = np.array([[0, 1, 30, 8], [4.25, 5, 9, 19.5]], np.float32)
    scene = Scene("a.png", PictureArray(pixels), (20, 30), Annotations(boxes, np.array([1, 0])))
    write_yolo(SceneSet((scene,), ("cat", "dog")), tmp_path / "set")
    loaded = supervision.DetectionDataset.from_yolo(
        str(tmp_path / "set" / "images" / "val"),
        str(tmp_path / "set" / "labels" / "val"),
        str(tmp_path / "set" / "data.yaml"),
    )
    _, _, found = next(iter(loaded))
    np.testing.assert_allclose(found.xyxy, boxes, atol=1e-3)
    assert [loaded.classes[k] for k in found.class_id] == ["dog", "cat"]
