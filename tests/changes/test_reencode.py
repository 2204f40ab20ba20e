"""Re-encoding a scene: at its own quality, and as another program reads it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

from snellen.changes.reencode import Reencode, scene_encoding
from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.scenes.scene import PictureFile, Scene
from tests.changes.pastes import noise, scene_of

SMOOTH = np.array(Pillow.fromarray(noise(4, 12, 16, 3)).resize((160, 120)))


def saved(folder: Path, name: str, **settings: Any) -> Scene:
    path = folder / name
    Pillow.fromarray(SMOOTH).save(path, **settings)
    return Scene(name, PictureFile(path), (120, 160))


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:2", "4:2:0"])
@pytest.mark.parametrize("quality", [1, *range(30, 99), 100])
def test_the_quality_of_a_jpeg_is_read_from_its_header(
    tmp_path: Path, quality: int, subsampling: str
) -> None:
    scene = saved(tmp_path, "a.jpg", quality=quality, subsampling=subsampling)
    assert scene_encoding(scene) == ("jpeg", quality, subsampling)


def test_opencv_and_pillow_mean_the_same_by_quality(tmp_path: Path) -> None:
    import cv2

    for quality in range(30, 99, 4):
        path = tmp_path / "a.jpg"
        cv2.imwrite(str(path), SMOOTH, [cv2.IMWRITE_JPEG_QUALITY, quality])
        found = scene_encoding(Scene("a", PictureFile(path), (120, 160)))
        assert found == ("jpeg", quality, "4:2:0")


def test_a_grey_jpeg_has_one_table_and_still_a_quality(tmp_path: Path) -> None:
    path = tmp_path / "grey.jpg"
    Pillow.fromarray(SMOOTH[..., 0]).save(path, quality=83)
    assert scene_encoding(Scene("grey", PictureFile(path), (120, 160)))[:2] == ("jpeg", 83)


def test_tables_of_another_program_get_the_nearest_quality(tmp_path: Path) -> None:
    tables = [[max(1, value) for value in range(1, 65)], [20] * 64]
    path = tmp_path / "odd.jpg"
    Pillow.fromarray(SMOOTH).save(path, qtables=tables)
    kind, quality, _ = scene_encoding(Scene("odd", PictureFile(path), (120, 160)))
    assert kind == "jpeg"
    assert 50 < quality < 95


def test_what_is_no_jpeg_is_saved_without_loss(tmp_path: Path) -> None:
    for scene in (saved(tmp_path, "a.png"), saved(tmp_path, "a.bmp"), scene_of(SMOOTH)):
        again = Reencode(*scene_encoding(scene))
        assert again.format == "png"
        assert np.array_equal(again.build(scene, {}), SMOOTH)


@pytest.mark.parametrize("quality", [30, 75, 96])
def test_the_case_is_what_another_reader_sees_in_such_a_file(quality: int) -> None:
    buffer = io.BytesIO()
    Pillow.fromarray(SMOOTH).save(buffer, "JPEG", quality=quality, subsampling="4:2:0")
    expected = np.array(Pillow.open(buffer))
    image = Reencode("jpeg", quality).build(scene_of(SMOOTH), {})
    assert np.array_equal(image, expected)
    assert not np.array_equal(image, SMOOTH)


def test_saving_a_photograph_again_as_it_was_changes_less_than_at_half_the_quality(
    shared: Callable[[str], Path],
) -> None:
    paths = sorted(shared("coco_val64/images").glob("*.jpg"))[:6]
    for path in paths:
        height, width = np.array(Pillow.open(path)).shape[:2]
        scene = Scene(path.stem, PictureFile(path), (height, width))
        again = Reencode(*scene_encoding(scene))
        before = scene.pixels().astype(int)
        if again.format == "jpeg":
            change = np.abs(again.build(scene, {}) - before).mean()
            worse = Reencode("jpeg", again.quality // 2, again.subsampling).build(scene, {})
            assert change < 1
            assert change < np.abs(worse - before).mean()


def test_a_reencoding_comes_back_from_json_and_mistakes_are_reported() -> None:
    recipe = Reencode("jpeg", 90, "4:4:4")
    assert recipe_from_json(json.loads(json.dumps(recipe.to_json()))) == recipe
    with pytest.raises(UserError, match="unknown format 'jpg'"):
        Reencode("jpg", 90).build(scene_of(SMOOTH), {})
