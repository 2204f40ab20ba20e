from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy import ndimage

from snellen.errors import UserError
from snellen.scenes.image_files.mask_image import read_region, write_region
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from tests.scenes.samples import write_image

KIND = {"kind": "masks", "images": "images", "masks": "labels", "classes": {1: "own", 2: "road"}}


def _values() -> np.ndarray:
    values = np.zeros((20, 30), np.uint8)
    values[2:5, 3:9] = 1
    values[5, 9] = 1
    values[10:, :4] = 1
    values[10:, 20:] = 2
    return values


def _open(folder: Path, values: Any = None, *, skip: bool = False, **options: Any) -> SceneSet:
    write_image(folder / "images" / "val" / "a.jpg")
    write_image(folder / "images" / "val" / "b.jpg")
    write_region(folder / "labels" / "val" / "b.png", _values())
    if values is not None:
        write_region(folder / "labels" / "val" / "a.png", values)
    return open_scenes({**KIND, **options}, folder, skip_invalid=skip)


def test_each_photograph_has_its_mask_as_region(tmp_path: Path) -> None:
    scenes = _open(tmp_path, _values())
    assert [scene.id for scene in scenes] == ["val/a.jpg", "val/b.jpg"]
    assert scenes.classes == ("own", "road")
    assert scenes.class_ids == (1, 2)
    assert [scene.annotations for scene in scenes] == [None, None]
    assert scenes[0].region == tmp_path / "labels" / "val" / "a.png"
    np.testing.assert_array_equal(read_region(scenes[0].region), _values())


def test_components_become_objects_as_scipy_counts_them(tmp_path: Path) -> None:
    known = _open(tmp_path, _values(), instances=True)[0].annotations
    assert known is not None
    expected = []
    for value in (1, 2):
        parts, count = ndimage.label(_values() == value, structure=np.ones((3, 3)))
        expected += [(value - 1, parts == index) for index in range(1, count + 1)]
    assert known.labels.tolist() == [label for label, _ in expected]
    assert known.masks is not None
    np.testing.assert_array_equal(known.masks.to_array(), [mask for _, mask in expected])
    assert known.boxes.tolist() == [[3, 2, 10, 6], [0, 10, 4, 20], [20, 10, 30, 20]]


def test_values_become_objects_and_several_may_be_of_one_class(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "instances": True,
        "objects_by": "value",
        "classes": {2: "car", 1: "car"},
    }
    scenes = _open(tmp_path, _values(), **options)
    known = scenes[0].annotations
    assert known is not None
    assert scenes.classes == ("car",)
    assert known.labels.tolist() == [0, 0]
    assert known.areas.tolist() == [(_values() == 1).sum(), (_values() == 2).sum()]


def test_masks_match_by_stem_and_suffix(tmp_path: Path) -> None:
    write_image(tmp_path / "photos" / "x" / "a.jpg")
    write_region(tmp_path / "truth" / "y" / "a_mask.png", _values())
    options = {"images": "photos", "masks": "truth", "match": "stem", "suffix": "_mask"}
    scenes = open_scenes({**KIND, **options}, tmp_path)
    assert scenes[0].region == tmp_path / "truth" / "y" / "a_mask.png"


def test_every_kind_of_mask_image_gives_the_same_values(tmp_path: Path) -> None:
    image = Image.fromarray(_values())
    palette = Image.fromarray(_values())
    palette.putpalette([7, 7, 7, 200, 0, 0, 0, 0, 9])
    rgb = Image.merge("RGB", [image] * 3)
    wide = Image.fromarray(_values().astype(np.uint16))
    for name, kind in {"grey": image, "palette": palette, "rgb": rgb, "wide": wide}.items():
        kind.save(tmp_path / f"{name}.png")
        np.testing.assert_array_equal(read_region(tmp_path / f"{name}.png"), _values())


def test_values_over_255_survive_writing(tmp_path: Path) -> None:
    values = np.array([[0, 255, 256, 65535]])
    write_region(tmp_path / "a.png", values)
    np.testing.assert_array_equal(read_region(tmp_path / "a.png"), values)
    with pytest.raises(UserError, match=r"a.png: a mask image holds values 0 to 65535"):
        write_region(tmp_path / "a.png", values + 1)


BAD: list[tuple[Any, dict[str, Any], str]] = [
    (None, {}, "a.jpg: no mask in 'labels' matches it by path"),
    (np.zeros((30, 20), np.uint8), {}, "a.png: the mask has width 20 and height 30, its image has"),
    (
        np.full((20, 30), 9, np.uint8),
        {"instances": True},
        "a.png: found the value 9, expected a value of 'classes' or 'background': 0, 1, 2",
    ),
    (np.full((20, 30), 9, np.uint8), {"verify": True}, "a.png: found the value 9, expected"),
]


@pytest.mark.parametrize(("values", "options", "why"), BAD)
def test_a_mask_that_does_not_fit_is_named_or_its_scene_skipped(
    tmp_path: Path, values: Any, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(UserError, match=why):
        _open(tmp_path, values, **options)
    scenes = _open(tmp_path, values, skip=True, **options)
    assert [scene.id for scene in scenes] == ["val/b.jpg"]
    assert len(scenes.skipped) == 1


def test_a_colour_picture_is_no_mask(tmp_path: Path) -> None:
    write_image(tmp_path / "a.png")
    with pytest.raises(UserError, match=r"a.png: .*expected one value per pixel"):
        read_region(tmp_path / "a.png")
    (tmp_path / "a.png").write_bytes((tmp_path / "a.png").read_bytes()[:200])
    with pytest.raises(UserError, match=r"a.png: cannot be read as a mask"):
        read_region(tmp_path / "a.png")


def test_sets_that_make_no_sense_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"scenes.classes: missing"):
        _open(tmp_path, _values(), instances=True, classes={})
    write_region(tmp_path / "labels" / "val" / "a.tif.png", _values())
    Image.fromarray(_values()).save(tmp_path / "labels" / "val" / "a.bmp")
    with pytest.raises(UserError, match="two masks match the photograph 'val/a'"):
        _open(tmp_path)
    (tmp_path / "none").mkdir()
    with pytest.raises(UserError, match="none: no image found"):
        _open(tmp_path, images="none", masks="none")
