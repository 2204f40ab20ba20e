from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.scenes.registry import READERS, open_scenes
from tests.scenes.samples import write_image

KIND = {"kind": "folder", "path": "photos"}


def test_images_are_found_in_every_folder_sorted_and_hidden_ones_left_out(tmp_path: Path) -> None:
    for name in ("b.PNG", "a/z.jpg", ".hidden.png", ".cache/x.png", "._b.png"):
        write_image(tmp_path / "photos" / name)
    (tmp_path / "photos" / "notes.txt").write_text("no image")
    scenes = open_scenes({**KIND, "classes": ["cat"]}, tmp_path)
    assert [scene.id for scene in scenes] == ["a/z.jpg", "b.PNG"]
    assert [scene.size for scene in scenes] == [(20, 30), (20, 30)]
    assert scenes.classes == ("cat",)
    assert [scene.annotations for scene in scenes] == [None, None]
    flat = open_scenes({**KIND, "recursive": False}, tmp_path)
    assert [scene.id for scene in flat] == ["b.PNG"]
    some = open_scenes({**KIND, "extensions": ["jpg"]}, tmp_path)
    assert [scene.id for scene in some] == ["a/z.jpg"]


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="photos: no such folder; 'path' must name a folder"):
        open_scenes(KIND, tmp_path)
    (tmp_path / "photos").mkdir()
    with pytest.raises(UserError, match="photos: no image found"):
        open_scenes(KIND, tmp_path, skip_invalid=True)
    (tmp_path / "photos" / "a.png").write_bytes(b"")
    with pytest.raises(UserError, match=r"a.png: cannot be read as an image"):
        open_scenes(KIND, tmp_path)
    with pytest.raises(UserError, match=r"no scene found; 1 items were skipped, .*a.png"):
        open_scenes(KIND, tmp_path, skip_invalid=True)
    write_image(tmp_path / "photos" / "b.png")
    scenes = open_scenes(KIND, tmp_path, skip_invalid=True)
    assert [scene.id for scene in scenes] == ["b.png"]
    assert scenes.skipped[0].where.endswith("a.png")
    with pytest.raises(UserError, match="'cat' occurs twice"):
        open_scenes({**KIND, "classes": ["cat", "cat"]}, tmp_path)


def test_a_file_that_vanishes_after_opening_is_named(tmp_path: Path) -> None:
    path = write_image(tmp_path / "photos" / "a.png")
    scene = open_scenes(KIND, tmp_path)[0]
    path.unlink()
    with pytest.raises(UserError, match=r"a.png: no such image file"):
        scene.pixels()
    with pytest.raises(UserError, match=r"a.png: no such image file"):
        _ = scene.digest


@pytest.mark.parametrize("kind", ["folder", "coco", "voc", "yolo", "masks", "kitti"])
def test_a_misspelt_option_is_answered_with_the_nearest(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UserError, match=r"limt: unknown key; did you mean 'limit'"):
        open_scenes({"kind": kind, "limt": 3}, tmp_path)
    assert READERS.load(kind).options.model_fields["kind"].default == kind
