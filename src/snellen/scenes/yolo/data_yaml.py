"""YOLO's data.yaml: the places of the images and the class names."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from snellen.configuration import read_yaml
from snellen.disk.path_checks import is_file, is_folder
from snellen.errors import UserError, nearest
from snellen.errors.excerpt import shown
from snellen.scenes.dataset_files import existing_file, first_duplicate, pictures_in, read_lines

Names: TypeAlias = list[tuple[int, str]]
LONGEST_PATH, LONGEST_NAME = 4096, 255
"""Characters of a path and of each part of it that systems take."""


@dataclass(frozen=True)
class LabelledImage:
    """An image and its label file, which need not exist."""

    id: str
    image: Path
    labels: Path


def class_names(classes: Path | tuple[str, ...], folder: Path) -> Names:
    """(id in the data set, name) of each class, by id: from a list, a text file or a data.yaml."""
    if isinstance(classes, tuple):
        return _checked(list(enumerate(classes)), "scenes.classes")
    path = existing_file(folder / classes, "classes")
    if path.suffix.lower() not in (".yaml", ".yml"):
        return _checked(list(enumerate(read_lines(path, "classes"))), str(path))
    names = read_yaml(path).get("names")
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict) or not all(map(_is_number, names)):
        raise UserError(
            f"{path}: 'names': found {shown(names)}, expected a list, or names by number."
        )
    return _checked(sorted((int(key), str(name)) for key, name in names.items()), str(path))


def _is_number(key: Any) -> bool:
    return str(key).isdecimal() and len(str(key)) < 19


def _checked(names: Names, where: str) -> Names:
    if not names:
        raise UserError(f"{where}: found no class name, expected at least one.")
    if (duplicate := first_duplicate(name for _, name in names)) is not None:
        raise UserError(f"{where}: the class '{duplicate}' occurs twice; names must be unique.")
    return names


def labelled_images(data: Path, split: str) -> list[LabelledImage]:
    """The images of a split of a data.yaml, and their label files.

    The split names a folder, a text file that lists images, or several of these; relative paths
    start at `path`, which itself starts at the folder of data.yaml.
    """
    content = read_yaml(existing_file(data, "data"))
    if split not in content:
        splits = [key for key in content if key not in ("path", "names", "nc")]
        raise UserError(f"{data}: no split '{split}'{nearest(split, map(str, splits))}")
    base = data.parent / str(content.get("path") or "")
    sources = content[split] if isinstance(content[split], list) else [content[split]]
    pairs = [pair for source in sources for pair in _images_of_source(base, source, data)]
    if (duplicate := first_duplicate(pair.id for pair in pairs)) is not None:
        raise UserError(
            f"{data}: the image '{duplicate}' occurs twice in the split '{split}'. Remove one."
        )
    return pairs


def _images_of_source(base: Path, source: Any, data: Path) -> list[LabelledImage]:
    path = base / str(source)
    if is_folder(path):
        return [
            LabelledImage(_id(one, base), one, label_file(one, path)) for one in pictures_in(path)
        ]
    if path.suffix.lower() != ".txt" or not is_file(path):
        raise UserError(
            f"{data}: '{source}': {path} is neither a folder nor a .txt list of images. "
            "Correct the path."
        )
    images = [base / name for name in read_lines(path, "data")]
    if any(not one.name for one in images):
        raise UserError(f"{path}: lists '/', expected paths of images. Remove the line.")
    for number, one in enumerate(images, start=1):
        if len(str(one)) > LONGEST_PATH or any(len(part) > LONGEST_NAME for part in one.parts):
            raise UserError(
                f"{path}: image {number}: the path has {len(str(one))} characters, expected at "
                f"most {LONGEST_PATH}, and {LONGEST_NAME} for each part. Remove the line."
            )
    return [LabelledImage(_id(one, base), one, label_file(one, one.parent)) for one in images]


def _id(image: Path, base: Path) -> str:
    return image.relative_to(base).as_posix() if image.is_relative_to(base) else image.as_posix()


def label_file(image: Path, root: Path, labels: Path | None = None) -> Path:
    """The path of an image's label file.

    With `labels`, the same relative path as the image in `root`. Else the image's path with its
    last folder `images` replaced by `labels`, or the same folder if there is none.

    >>> label_file(Path("set/images/val/a.jpg"), Path("set/images/val")).as_posix()
    'set/labels/val/a.txt'
    """
    if labels is not None:
        return (labels / image.relative_to(root)).with_suffix(".txt")
    parts = list(image.parent.parts)
    if "images" in parts:
        parts[len(parts) - 1 - parts[::-1].index("images")] = "labels"
    return Path(*parts, image.name).with_suffix(".txt")
