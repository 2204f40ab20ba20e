"""YOLO's data.yaml: where the images are, and the names of the classes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from snellen.configuration import read_yaml
from snellen.errors import UserError, nearest
from snellen.scenes.dataset_files import existing_file, names_in, pictures_in, repeated

Names: TypeAlias = list[tuple[int, str]]


@dataclass(frozen=True)
class LabelledImage:
    """An image and the label file that belongs to it, which need not be there."""

    id: str
    image: Path
    labels: Path


def names_from(classes: Path | tuple[str, ...], folder: Path) -> Names:
    """(own id, name) of each class, by id: from a list, a text file or a data.yaml."""
    if isinstance(classes, tuple):
        return _checked(list(enumerate(classes)), "scenes.classes")
    path = existing_file(folder / classes, "classes")
    if path.suffix.lower() not in (".yaml", ".yml"):
        return _checked(list(enumerate(names_in(path, "classes"))), str(path))
    names = read_yaml(path).get("names")
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict) or not all(str(key).isdigit() for key in names):
        raise UserError(f"{path}: 'names' must be a list, or names by number, found {names!r}.")
    return _checked(sorted((int(key), str(name)) for key, name in names.items()), str(path))


def _checked(names: Names, where: str) -> Names:
    if not names:
        raise UserError(f"{where}: no class is named.")
    if (twice := repeated(name for _, name in names)) is not None:
        raise UserError(f"{where}: the class '{twice}' occurs twice; names must differ.")
    return names


def pairs_from(data: Path, split: str) -> list[LabelledImage]:
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
    pairs = [pair for source in sources for pair in _listed(base, source, data)]
    if (twice := repeated(pair.id for pair in pairs)) is not None:
        raise UserError(f"{data}: the image '{twice}' occurs twice in the split '{split}'.")
    return pairs


def _listed(base: Path, source: Any, data: Path) -> list[LabelledImage]:
    path = base / str(source)
    if path.is_dir():
        return [
            LabelledImage(_id(one, base), one, label_file(one, path)) for one in pictures_in(path)
        ]
    if path.suffix.lower() != ".txt" or not path.is_file():
        raise UserError(f"{data}: '{source}' is neither a folder nor a list: {path} is not there.")
    images = [base / name for name in names_in(path, "data")]
    return [LabelledImage(_id(one, base), one, label_file(one, one.parent)) for one in images]


def _id(image: Path, base: Path) -> str:
    return image.relative_to(base).as_posix() if image.is_relative_to(base) else image.as_posix()


def label_file(image: Path, root: Path, labels: Path | None = None) -> Path:
    """Where the labels of an image are.

    In the folder `labels` at the same place as the image in `root`; or else where the last folder
    `images` of its path is called `labels`; or else beside it.

    >>> label_file(Path("set/images/val/a.jpg"), Path("set/images/val")).as_posix()
    'set/labels/val/a.txt'
    """
    if labels is not None:
        return (labels / image.relative_to(root)).with_suffix(".txt")
    parts = list(image.parent.parts)
    if "images" in parts:
        parts[len(parts) - 1 - parts[::-1].index("images")] = "labels"
    return Path(*parts, image.name).with_suffix(".txt")
