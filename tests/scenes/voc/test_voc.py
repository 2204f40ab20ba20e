from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from snellen.errors import UserError
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.scenes.voc.reader import CLASSES
from snellen.scenes.voc.writer import write_voc
from snellen.vision.annotations import Annotations
from tests.scenes.samples import write_image, write_text

OBJECT = """<object><name>{name}</name><difficult>{difficult}</difficult><bndbox>
<xmin>{xmin}</xmin><ymin>2</ymin><xmax>{xmax}</xmax><ymax>8</ymax></bndbox></object>"""
PLAIN: dict[str, Any] = {"name": "cat", "difficult": 0, "xmin": 1, "xmax": 30}


def _xml(*objects: str, size: str = "<size><width>30</width><height>20</height></size>") -> str:
    return f"<annotation><filename>a.jpg</filename>{size}{''.join(objects)}</annotation>"


def _open(folder: Path, text: str | None = None, *, skip: bool = False, **options: Any) -> SceneSet:
    write_image(folder / "JPEGImages" / "a.jpg")
    write_image(folder / "JPEGImages" / "b.png")
    if text is not None:
        write_text(folder / "Annotations" / "a.xml", text)
    write_text(folder / "Annotations" / "b.xml", _xml(OBJECT.format(**PLAIN)))
    return open_scenes({"kind": "voc", "root": ".", **options}, folder, skip_invalid=skip)


def _known(scene: Scene) -> Annotations:
    assert scene.annotations is not None
    return scene.annotations


def test_a_box_from_the_first_to_the_last_pixel_is_the_whole_width(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _xml(OBJECT.format(**PLAIN)))
    assert _known(scenes[0]).boxes.tolist() == [[0, 1, 30, 8]]


def test_vocs_own_classes_keep_their_numbers_whatever_is_found(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _xml(OBJECT.format(**PLAIN)))
    assert scenes.classes == CLASSES
    assert scenes.class_ids == tuple(range(1, 21))
    assert _known(scenes[0]).labels.tolist() == [7]


def test_other_names_are_sorted(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _xml(OBJECT.format(**{**PLAIN, "name": "bollard"})))
    assert scenes.classes == ("bollard", "cat")


def test_difficult_objects_are_ignored_and_a_list_chooses_images(tmp_path: Path) -> None:
    write_text(tmp_path / "ImageSets" / "Main" / "cat_val.txt", "a  1\n")
    text = _xml(OBJECT.format(**PLAIN), OBJECT.format(**{**PLAIN, "difficult": 1}))
    scenes = _open(tmp_path, text, split="Main/cat_val")
    assert [scene.id for scene in scenes] == ["a"]
    assert _known(scenes[0]).ignore.tolist() == [False, True]


def test_the_number_in_the_mask_image_is_the_place_in_the_xml(tmp_path: Path) -> None:
    values = np.zeros((20, 30), np.uint8)
    values[1:8, :15] = 2
    values[1:8, 15:] = 1
    values[8] = 255
    (tmp_path / "SegmentationObject").mkdir()
    image = Image.fromarray(values)
    image.putpalette(list(range(255, -1, -1)) * 3)
    image.save(tmp_path / "SegmentationObject" / "a.png")
    bad = OBJECT.format(**{**PLAIN, "xmin": 40, "xmax": 50})
    good = OBJECT.format(**{**PLAIN, "xmax": 15})
    scenes = _open(tmp_path, _xml(bad, good), skip=True)
    masks = _known(scenes[0]).masks
    assert masks is not None
    np.testing.assert_array_equal(masks.to_array(), [values == 2])
    assert _known(scenes[0]).areas.tolist() == [7 * 15]
    assert _known(scenes[1]).masks is None


BAD_OBJECTS: list[tuple[dict[str, Any], str]] = [
    ({"name": "dgo"}, "object 2: name 'dgo' is not a class; did you mean 'dog'"),
    ({"name": ""}, "object 2: name '' is not a class"),
    ({"xmin": "left"}, "object 2: xmin is 'left', expected a number"),
    ({"xmax": ""}, "object 2: xmax is '', expected a number"),
    ({"xmin": 12, "xmax": 4}, "object 2: bndbox: box has width -7"),
    ({"xmin": 5, "xmax": 4}, "object 2: bndbox: box has width 0"),
    ({"xmin": 90, "xmax": 95}, "object 2: bndbox: .* lies outside"),
    ({"xmin": "nan"}, "object 2: bndbox: .* not finite"),
]


@pytest.mark.parametrize(("changes", "why"), BAD_OBJECTS)
def test_an_invalid_object_is_named_or_it_alone_is_skipped(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    text = _xml(OBJECT.format(**PLAIN), OBJECT.format(**{**PLAIN, **changes}))
    with pytest.raises(UserError, match=f"a.xml: {why}"):
        _open(tmp_path, text, classes=list(CLASSES))
    scenes = _open(tmp_path, text, classes=list(CLASSES), skip=True)
    assert len(scenes) == 2
    assert len(_known(scenes[0])) == 1
    assert len(scenes.skipped) == 1


BAD_XML: list[tuple[str, str]] = [
    ("<annotation><object>", "a.xml: not valid XML"),
    ("<html></html>", "a.xml: found <html>, expected <annotation>"),
    (_xml(size="<size><width>x</width><height>20</height></size>"), "a.xml: size has height '20'"),
    (
        _xml(size="<size><width>31</width><height>20</height></size>"),
        "a.jpg: the annotations list width 31 and height 20, but the image has width 30",
    ),
]


@pytest.mark.parametrize(("text", "why"), BAD_XML)
def test_an_invalid_file_is_named_or_its_scene_skipped(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UserError, match=why):
        _open(tmp_path, text)
    scenes = _open(tmp_path, text, skip=True)
    assert [scene.id for scene in scenes] == ["b"]
    assert len(scenes.skipped) == 1


def _mask(folder: Path, values: Any) -> None:
    (folder / "SegmentationObject").mkdir()
    Image.fromarray(np.asarray(values, np.uint8)).save(folder / "SegmentationObject" / "a.png")


def test_masks_that_do_not_fit_are_named(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    _mask(tmp_path / "one", np.zeros((30, 20)))
    with pytest.raises(UserError, match=r"a.png: the mask has width 20 and height 30, its image"):
        _open(tmp_path / "one", _xml(OBJECT.format(**PLAIN)))
    _mask(tmp_path / "two", np.full((20, 30), 2))
    with pytest.raises(UserError, match=r"a.png: found instance 2, but .*a.xml has 1 objects"):
        _open(tmp_path / "two", _xml(OBJECT.format(**PLAIN)))


def test_listed_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    write_text(tmp_path / "ImageSets" / "Main" / "val.txt", "b\nc\n")
    with pytest.raises(UserError, match=r"c.xml: the image is listed, but this file is missing"):
        _open(tmp_path, split="Main/val")
    write_text(tmp_path / "Annotations" / "c.xml", _xml())
    with pytest.raises(UserError, match=r"c.xml: its image 'c.jpg' is missing in"):
        _open(tmp_path, split="Main/val")
    with pytest.raises(UserError, match=r"test.txt: no such file; 'split'"):
        _open(tmp_path, split="Main/test")
    write_text(tmp_path / "ImageSets" / "Main" / "val.txt", "b\nb\n")
    with pytest.raises(UserError, match=r"val.txt: 'b' is listed twice"):
        _open(tmp_path, split="Main/val")
    (tmp_path / "empty" / "Annotations").mkdir(parents=True)
    with pytest.raises(UserError, match="no scene found"):
        open_scenes({"kind": "voc", "root": "empty"}, tmp_path)


def test_supervision_reads_the_same_boxes(tmp_path: Path) -> None:
    supervision = pytest.importorskip("supervision")
    pixels = np.zeros((20, 30, 3), np.uint8)
    boxes = np.array([[0, 1, 30, 8], [4, 5, 9, 20]], np.float32)
    scene = Scene("a.png", PictureArray(pixels), (20, 30), Annotations(boxes, np.array([1, 0])))
    write_voc(SceneSet((scene,), ("cat", "dog")), tmp_path / "voc")
    loaded = supervision.DetectionDataset.from_pascal_voc(
        str(tmp_path / "voc" / "JPEGImages"), str(tmp_path / "voc" / "Annotations")
    )
    _, _, found = next(iter(loaded))
    np.testing.assert_array_equal(found.xyxy, boxes)
    assert [loaded.classes[k] for k in found.class_id] == ["dog", "cat"]
