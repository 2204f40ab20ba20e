"""The recognition of data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.scenes.recognition import recognise_scenes


@pytest.mark.parametrize(
    ("files", "given", "kind"),
    [
        (["val/instances_val.json", "val/images/1.jpg"], "val", "coco"),
        (["val/annotations/instances.json", "val/images/1.jpg"], "val", "coco"),
        (["a.json", "1.jpg"], "a.json", "coco"),
        (["d/data.yaml"], "d/data.yaml", "yolo"),
        (["d/images/1.jpg", "d/labels/1.txt", "d/data.yaml"], "d", "yolo"),
        (["v/JPEGImages/1.jpg"], "v", "voc"),
        (["k/training/velodyne/1.bin"], "k", "kitti"),
        (["m/images/1.jpg", "m/masks/1.png"], "m", "masks"),
        (["b/images/val/1.jpg", "b/labels/val/1.png"], "b", "masks"),
        (["p/1.jpg"], "p", "folder"),
    ],
)
def test_data_is_recognised_by_its_files(
    tmp_path: Path, files: list[str], given: str, kind: str
) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a: 1\n")
    found = recognise_scenes(tmp_path / given)
    assert found.values["kind"] == kind
    paths = [Path(found.values[key]) for key in ("images", "annotations") if key in found.values]
    assert all(one.exists() for one in paths)


def test_wrong_data_is_refused_with_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    for name, says in {"gone": "no such file or folder", "a.txt": "is no data set"}.items():
        with pytest.raises(UserError, match=says):
            recognise_scenes(tmp_path / name)
