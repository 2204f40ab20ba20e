"""`snellen init` uses the annotations that lie beside a folder of images."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.scenes.recognition import guess_scenes


def made(folder: Path, *files: str) -> None:
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "given", "images"),
    [
        ("val/instances.json", "val/images", "val/images"),
        ("val/instances.json", "val", "val/images"),
        ("annotations/instances_val2017.json", "val", "val"),
        ("instances_train2017.json", "val", "val"),
    ],
)
def test_coco_annotations_beside_images_are_found(
    tmp_path: Path, file: str, given: str, images: str
) -> None:
    made(tmp_path, file, f"{images}/a.jpg")
    found = guess_scenes(tmp_path / given, tmp_path)
    assert found["kind"] == "coco"
    assert Path(found["annotations"]) == tmp_path / file
    assert Path(found["images"]) == tmp_path / images


@pytest.mark.parametrize("given", ["images", "images/val", "."])
def test_yolo_labels_beside_images_are_found(tmp_path: Path, given: str) -> None:
    sub = "val/" if given == "images/val" else ""
    made(tmp_path, f"images/{sub}a.jpg", f"labels/{sub}a.txt", "data.yaml")
    found = guess_scenes(tmp_path / given, tmp_path)
    assert found["kind"] == "yolo"
    assert Path(found["labels"]) == tmp_path / "labels" / sub
    assert Path(found["images"]) == tmp_path / "images" / sub
    assert Path(found["classes"]) == tmp_path / "data.yaml"


def test_a_folder_without_annotations_or_class_names_stays_a_folder(tmp_path: Path) -> None:
    made(tmp_path, "images/a.jpg", "labels/a.txt")
    assert guess_scenes(tmp_path / "images", tmp_path)["kind"] == "folder"
