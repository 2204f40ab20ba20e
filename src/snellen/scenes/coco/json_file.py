"""The top level of a COCO file: images, categories, and annotations by image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.disk.json_text import read_json
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.scenes.dataset_files import existing_file, first_duplicate, is_inside
from snellen.scenes.problems import InvalidItemError, Problems


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
    annotations: raw JSON objects by image id; None if the file has no such list, like COCO's own
    files of test images.
    """

    path: Path
    images: list[CocoImage]
    categories: list[tuple[str, int]]
    annotations: dict[int, list[Any]] | None


def read_coco_json(path: Path, problems: Problems) -> CocoFile:
    """The content of a COCO file, with images and categories checked."""
    content = _content(path)
    images = _images(path, _rows(path, content, "images"), problems)
    categories = _categories(path, content)
    if "annotations" not in content:
        return CocoFile(path, images, categories, None)
    annotations = _by_image(path, _rows(path, content, "annotations"), images, problems)
    return CocoFile(path, images, categories, annotations)


def _content(path: Path) -> dict[str, Any]:
    try:
        content = read_json(existing_file(path, "annotations"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: not valid JSON: {error}. Download or export it again.") from None
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
        if not is_whole(row.get(key)) or row[key] <= 0:
            raise InvalidItemError(
                where, f"{key} is {shown(row.get(key))}, expected a whole number above 0"
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


def _by_image(
    path: Path, rows: list[dict[str, Any]], images: list[CocoImage], problems: Problems
) -> dict[int, list[Any]]:
    grouped: dict[int, list[Any]] = {image.id: [] for image in images}
    seen: set[Any] = set()
    for row in rows:
        own, image = row.get("id"), row.get("image_id")
        where = f"{path}: annotation {shown(own)}"
        if not is_whole(own):
            problems.add(InvalidItemError(where, f"id is {shown(own)}, expected a whole number"))
        elif own in seen:
            problems.add(
                InvalidItemError(where, "the id occurs twice in 'annotations'; ids must be unique")
            )
        elif not is_whole(image) or image not in grouped:
            problems.add(
                InvalidItemError(
                    where, f"image_id is {shown(image)}, expected the id of an image in 'images'"
                )
            )
        else:
            seen.add(own)
            grouped[image].append(row)
    return grouped


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)
