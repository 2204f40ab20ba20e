"""Round trips preserve scenes to the precision that each writer states."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from snellen.errors import UserError
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.folder import write_folder
from snellen.scenes.image_files.mask_image import read_region
from snellen.scenes.kitti.label_file import DONT_CARE
from snellen.scenes.kitti.writer import write_kitti
from snellen.scenes.mask_objects import box_of, paint_objects
from snellen.scenes.masks.writer import write_masks
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import PictureArray, Scene, SceneSet
from snellen.scenes.voc.writer import write_voc
from snellen.scenes.writers import WRITERS, write_scenes
from snellen.scenes.yolo.writer import write_yolo
from snellen.vision.annotations import Annotations
from snellen.vision.masks.rle_masks import Masks
from tests.scenes.samples import CLASSES, OWN_IDS, new_place, scene_sets

COCO = {"kind": "coco", "annotations": "instances.json", "images": "images"}
FEW = settings(max_examples=40)


def _known(scene: Scene) -> Annotations:
    assert scene.annotations is not None
    return scene.annotations


def _reread(kind: dict[str, Any], folder: Path) -> SceneSet:
    return open_scenes(kind, folder)


def _same_pixels(before: SceneSet, after: SceneSet) -> None:
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one.pixels(), other.pixels())
        assert one.size == other.size


@FEW
@given(scene_sets())
def test_coco_gives_everything_back_exactly(scenes: SceneSet) -> None:
    with new_place() as out:
        write_coco(scenes, out)
        found = _reread(COCO, out)
        assert found.classes == CLASSES
        assert found.class_ids == OWN_IDS
        assert [scene.id for scene in found] == [scene.id for scene in scenes]
        _same_pixels(scenes, found)
        for one, other in zip(scenes, found, strict=True):
            assert _known(one) == _known(other)
            assert type(other.annotations) is Annotations


@FEW
@given(scene_sets())
def test_voc_gives_boxes_labels_difficult_and_painted_masks_back(scenes: SceneSet) -> None:
    with new_place() as out:
        write_voc(scenes, out)
        found = _reread(
            {"kind": "voc", "root": ".", "split": "Main/val", "classes": list(CLASSES)}, out
        )
        _same_pixels(scenes, found)
        for one, other in zip(scenes, found, strict=True):
            before, after = _known(one), _known(other)
            np.testing.assert_allclose(before.boxes, after.boxes, atol=1e-3)
            np.testing.assert_array_equal(before.labels, after.labels)
            np.testing.assert_array_equal(before.ignore | before.crowd, after.ignore)
            assert (before.masks is None) == (after.masks is None)
            if before.masks is not None and after.masks is not None:
                top = paint_objects(before, range(1, len(before) + 1), one.size)
                expected = [top == index for index in range(1, len(before) + 1)]
                assert after.masks == Masks.from_array(expected)
                assert other.region is not None
                classes = np.concatenate([[0], before.labels + 1])[top]
                np.testing.assert_array_equal(read_region(other.region), classes)


@FEW
@given(scene_sets())
def test_yolo_gives_boxes_or_whole_masks_back(scenes: SceneSet) -> None:
    with new_place() as out:
        write_yolo(scenes, out)
        found = _reread({"kind": "yolo", "data": "data.yaml"}, out)
        assert found.classes == CLASSES
        assert [scene.id for scene in found] == sorted(f"images/val/{one.id}" for one in scenes)
        by_id = {scene.id: scene for scene in found}
        for one in scenes:
            other = by_id[f"images/val/{one.id}"]
            np.testing.assert_array_equal(one.pixels(), other.pixels())
            before = _known(one)
            before = before[~(before.crowd | before.ignore)]
            after = _known(other)
            np.testing.assert_array_equal(before.labels, after.labels)
            if before.masks is None or not len(before):
                np.testing.assert_allclose(before.boxes, after.boxes, atol=1e-3)
            else:
                assert after.masks == before.masks
                boxes = [box_of(mask) for mask in before.masks.to_array()]
                np.testing.assert_allclose(after.boxes, boxes, atol=1e-3)


@FEW
@given(scene_sets())
def test_kitti_gives_2d_labels_back_to_its_two_decimals(scenes: SceneSet) -> None:
    with new_place() as out:
        write_kitti(scenes, out)
        names = ["_".join(name.split()) for name in CLASSES]
        options = {"kind": "kitti", "root": ".", "frames": "frames.txt", "points": "absent"}
        found = _reread({**options, "classes": names}, out)
        assert found.classes == (*names, DONT_CARE)
        _same_pixels(scenes, found)
        for one, other in zip(scenes, found, strict=True):
            before, after = _known(one), _known(other)
            np.testing.assert_allclose(before.boxes, after.boxes, atol=0.0051)
            ignored = before.ignore | before.crowd
            np.testing.assert_array_equal(after.ignore, ignored)
            np.testing.assert_array_equal(
                after.labels, np.where(ignored, len(CLASSES), before.labels)
            )


@FEW
@given(scene_sets())
def test_mask_images_give_the_topmost_class_of_each_pixel_back(scenes: SceneSet) -> None:
    with new_place() as out:
        write_masks(scenes, out)
        values = {own + 1: name for own, name in zip(OWN_IDS, CLASSES, strict=True)}
        options = {"kind": "masks", "images": "images", "masks": "labels", "classes": values}
        found = _reread({**options, "instances": True}, out)
        again = out.parent / "again"
        write_masks(found, again)
        by_id = {scene.id: scene for scene in found}
        for one in scenes:
            other = by_id[one.id]
            top = paint_objects(_known(one), [OWN_IDS[k] + 1 for k in _known(one).labels], one.size)
            assert other.region is not None
            np.testing.assert_array_equal(read_region(other.region), top)
            painted_again = paint_objects(
                _known(other), [sorted(values)[k] for k in _known(other).labels], one.size
            )
            np.testing.assert_array_equal(painted_again, top)
            copied = (again / "labels" / one.id).with_suffix(".png")
            assert copied.read_bytes() == other.region.read_bytes()


@FEW
@given(scene_sets())
def test_folder_gives_pixels_and_ids_back(scenes: SceneSet) -> None:
    with new_place() as out:
        write_folder(scenes, out)
        found = {scene.id: scene for scene in _reread({"kind": "folder", "path": "."}, out)}
        assert sorted(found) == sorted(scene.id for scene in scenes)
        for one in scenes:
            np.testing.assert_array_equal(one.pixels(), found[one.id].pixels())
            assert found[one.id].annotations is None


def _one_scene(name: str = "a.png", known: Annotations | None = None) -> Scene:
    return Scene(name, PictureArray(np.zeros((4, 5, 3), np.uint8)), (4, 5), known)


@pytest.mark.parametrize("kind", list(WRITERS.builtin))
def test_nothing_is_overwritten(tmp_path: Path, kind: str) -> None:
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(UserError, match="not empty"):
        write_scenes(SceneSet((_one_scene(known=Annotations.empty()),)), kind, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


class _Broken:
    def pixels(self) -> Any:
        raise UserError("lost.png: cannot be read")

    def digest(self) -> str:
        return ""


@pytest.mark.parametrize("kind", list(WRITERS.builtin))
def test_nothing_is_left_behind_when_a_picture_cannot_be_read(tmp_path: Path, kind: str) -> None:
    good = _one_scene(known=Annotations.empty())
    bad = Scene("b.png", _Broken(), (4, 5), Annotations.empty())
    with pytest.raises(UserError, match=r"lost.png"):
        write_scenes(SceneSet((good, bad), ("x",)), kind, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["coco", "voc", "yolo"])
def test_unknown_annotations_are_not_written_as_nothing_there(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UserError, match=r"scene 'a.png' has no annotations"):
        write_scenes(SceneSet((_one_scene(),)), kind, tmp_path / "out")


@pytest.mark.parametrize("kind", list(WRITERS.builtin))
def test_two_scenes_never_share_a_file(tmp_path: Path, kind: str) -> None:
    scenes = SceneSet(tuple(_one_scene(n, Annotations.empty()) for n in ("a.png", "a.jpg")))
    with pytest.raises(UserError, match="two scenes would be written as 'a"):
        write_scenes(scenes, kind, tmp_path / "out")


@pytest.mark.parametrize("name", ["../a.png", "/etc/a.png", ""])
def test_an_id_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    scenes = SceneSet((_one_scene(name, Annotations.empty()),))
    with pytest.raises(UserError, match="not a relative path within a folder"):
        write_scenes(scenes, "coco", tmp_path / "out")


def test_a_picture_that_exif_turns_is_written_upright(tmp_path: Path) -> None:
    from PIL import Image

    pixels = np.random.default_rng(0).integers(0, 256, (8, 12, 3), dtype=np.uint8)
    exif = Image.Exif()
    exif[0x0112] = 6
    (tmp_path / "in").mkdir()
    Image.fromarray(pixels).save(tmp_path / "in" / "a.jpg", exif=exif)
    scenes = open_scenes({"kind": "folder", "path": "in"}, tmp_path)
    write_folder(scenes, tmp_path / "out")
    raw = np.array(Image.open(tmp_path / "out" / "a.png"))
    np.testing.assert_array_equal(raw, scenes[0].pixels())
    assert raw.shape[:2] == (12, 8)
