"""The top level of a COCO file: images, categories, and annotations by image."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.json_text import parse_json, read_json_text
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.scenes.coco.annotation import is_whole
from snellen.scenes.coco.annotation_pieces import (
    AnnotationPiece,
    UncutError,
    annotation_pieces,
    without_annotations,
)
from snellen.scenes.coco.annotation_table import AnnotationTable
from snellen.scenes.dataset_files import existing_file, first_duplicate, is_inside
from snellen.scenes.problems import InvalidItemError, Problems

LONGEST_SIDE = 1 << 24
"""Pixels; larger images can't be decoded."""
CHUNK = 1024
"""Annotations read together of a file that is parsed as a whole."""


@dataclass(frozen=True)
class CocoImage:
    """One image of the file. size: (height, width) as listed."""

    id: int
    file_name: str
    size: tuple[int, int]


@dataclass(frozen=True)
class CocoFile:
    """The content of a COCO file.

    categories: (name, category id) by id, so that the 0-based class id is the position.
    annotations: None if the file has no such list, like COCO's own files of test images.
    """

    path: Path
    images: list[CocoImage]
    categories: list[tuple[str, int]]
    annotations: AnnotationTable | None

    @property
    def labels(self) -> dict[int, int]:
        """0-based class ids by category id."""
        return _labels(self.categories)


def read_coco_json(path: Path, problems: Problems) -> CocoFile:
    """The content of a COCO file, with images and categories checked."""
    text = _text(path)
    try:
        content, place = without_annotations(text)
        if not content.get("categories"):
            raise UncutError
    except UncutError:
        content, place = _content(path, text), None
    content = _checked_content(path, content)
    images = _images(path, _rows(path, content, "images"), problems)
    categories = _categories(path, content)
    if "annotations" not in content:
        return CocoFile(path, images, categories, None)

    def invalid(own: Any, why: str) -> None:
        problems.add(InvalidItemError(f"{path}: annotation {shown(own)}", why))

    def table(pieces: Iterable[AnnotationPiece]) -> AnnotationTable:
        sizes = {image.id: image.size for image in images}
        return AnnotationTable.of(pieces, sizes, _labels(categories), invalid)

    try:
        if place is not None:
            return CocoFile(path, images, categories, table(annotation_pieces(text, place)))
    except UncutError:
        content = _content(path, text)
    return CocoFile(path, images, categories, table(_chunks(_rows(path, content, "annotations"))))


def _chunks(rows: list[dict[str, Any]]) -> Iterator[AnnotationPiece]:
    for start in range(0, len(rows), CHUNK):
        yield AnnotationPiece(rows[start : start + CHUNK])


def _labels(categories: list[tuple[str, int]]) -> dict[int, int]:
    return {own: label for label, (_, own) in enumerate(categories)}


def _text(path: Path) -> str:
    try:
        return read_json_text(existing_file(path, "annotations"))
    except (OSError, ValueError) as error:
        raise _no_json(path, error) from None


def _content(path: Path, text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise _no_json(path, error) from None


def _no_json(path: Path, error: Exception) -> UserError:
    return UserError(f"{path}: not valid JSON: {error}. Download or export it again.")


def _checked_content(path: Path, content: Any) -> dict[str, Any]:
    if isinstance(content, dict) and "images" in content:
        return content
    found = "a list" if isinstance(content, list) else f"a {type(content).__name__}"
    if isinstance(content, dict):
        found = f"the keys {', '.join(sorted(content)[:6]) or '(none)'}"
    raise UserError(
        f"{path}: not a COCO file: found {found}, expected an object with 'images', 'annotations' "
        "and 'categories'. Use the file of the annotations, not of detections."
    )


def _rows(path: Path, content: dict[str, Any], key: str) -> list[dict[str, Any]]:
    rows = content[key]
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    found = type(rows).__name__ if not isinstance(rows, list) else "other values in the list"
    raise UserError(f"{path}: '{key}': found {found}, expected a list of objects. Export it again.")


def _images(path: Path, rows: list[dict[str, Any]], problems: Problems) -> list[CocoImage]:
    if not rows:
        raise UserError(f"{path}: 'images' is empty, expected at least one image to test on.")
    images: dict[int, CocoImage] = {}
    names: set[str] = set()

    def read(row: dict[str, Any]) -> None:
        where = f"{path}: image {shown(row.get('id'))}"
        image = _image(row, where)
        if image.id in images:
            raise InvalidItemError(where, "the id occurs twice in 'images'; ids must be unique")
        if image.file_name in names:
            raise InvalidItemError(
                where, f"file_name '{image.file_name}' is also the name of another image"
            )
        names.add(image.file_name)
        images[image.id] = image

    for _ in problems.each(rows, read, lambda row: f"{path}: image {shown(row.get('id'))}"):
        pass
    return list(images.values())


def _image(row: dict[str, Any], where: str) -> CocoImage:
    if not is_whole(row.get("id")):
        raise InvalidItemError(where, f"id is {shown(row.get('id'))}, expected a whole number")
    name = row.get("file_name")
    if not isinstance(name, str) or not is_inside(name):
        raise InvalidItemError(
            where, f"file_name is {shown(name)}, expected a path within the images folder"
        )
    for key in ("height", "width"):
        if not is_whole(row.get(key)) or not 0 < row[key] <= LONGEST_SIDE:
            raise InvalidItemError(
                where, f"{key} is {shown(row.get(key))}, expected a whole number of pixels above 0"
            )
    return CocoImage(row["id"], name, (row["height"], row["width"]))


def _categories(path: Path, content: dict[str, Any]) -> list[tuple[str, int]]:
    rows = _rows(path, content, "categories") if "categories" in content else []
    for row in rows:
        if not is_whole(row.get("id")) or not isinstance(row.get("name"), str):
            raise UserError(
                f"{path}: category {shown(row.get('id'))} has the name {shown(row.get('name'))}, "
                "expected an integer 'id' and a text 'name'. Fix the category."
            )
    for key in ("id", "name"):
        if (duplicate := first_duplicate(str(row[key]) for row in rows)) is not None:
            raise UserError(
                f"{path}: two categories have the {key} '{duplicate}'; it must be unique. Fix one."
            )
    if "annotations" in content and content["annotations"] and not rows:
        raise UserError(
            f"{path}: 'categories' is missing or empty, but there are annotations. Add the "
            "categories."
        )
    return sorted(((row["name"], row["id"]) for row in rows), key=lambda one: one[1])
