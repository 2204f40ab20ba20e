"""The image files in a folder, and the folders that are not searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.scenes import dataset_files
from snellen.scenes.dataset_files import pictures_in
from snellen.scenes.registry import open_scenes
from tests.scenes.image_files.test_png_chunks import png


def files(folder: Path, images: int, others: int) -> Path:
    folder.mkdir()
    for number in range(images):
        (folder / f"{number}.png").touch()
    for number in range(others):
        (folder / f"{number}.txt").touch()
    return folder


@pytest.mark.parametrize("names", ["/", "//", "/usr/.."])
def test_the_whole_disk_is_not_searched(
    names: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def walk(folder: object) -> None:
        raise AssertionError("the disk is searched")

    monkeypatch.setattr("os.walk", walk)
    (tmp_path / "data.yaml").write_text(f"path: {names}\nval: ''\nnames: [car]\n")
    with pytest.raises(UserError, match="is the root of the file system"):
        open_scenes({"kind": "yolo", "data": "data.yaml"}, tmp_path)


def test_a_link_to_the_root_is_the_root(tmp_path: Path) -> None:
    (tmp_path / "all").symlink_to("/")
    with pytest.raises(UserError, match="is the root of the file system"):
        pictures_in(tmp_path / "all")


def test_a_folder_of_other_things_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset_files, "PATIENCE", 150)
    with pytest.raises(UserError, match=r"only [01] of the first 150 files are images"):
        pictures_in(files(tmp_path / "few", 1, 400))
    assert len(pictures_in(files(tmp_path / "enough", 300, 300))) == 300
    assert len(pictures_in(files(tmp_path / "short", 1, 100))) == 1


def test_labels_beside_each_image_are_no_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset_files, "PATIENCE", 10)
    folder = files(tmp_path / "set", 0, 40)
    for number in range(40):
        (folder / f"{number}.png").write_bytes(png())
    assert len(pictures_in(folder)) == 40
