"""The XML file of one image in Pascal VOC format.

VOC counts pixels from 1 and gives the first and the last pixel of a box; our boxes are half-open
from 0. So xmin and ymin are reduced by one; xmax and ymax do not change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from snellen.errors import nearest
from snellen.errors.excerpt import shown
from snellen.scenes.box_checks import Corners
from snellen.scenes.problems import InvalidItemError, Problems

_SIDES = ("xmin", "ymin", "xmax", "ymax")


@dataclass(frozen=True)
class VocObject:
    """One object as in the file, unchecked. number: its position in the file, from 1."""

    number: int
    name: str
    sides: tuple[str | None, ...]
    difficult: bool


@dataclass(frozen=True)
class VocFile:
    """One XML file. size: (height, width) as listed, or None."""

    path: Path
    size: tuple[int, int] | None
    objects: tuple[VocObject, ...]

    @property
    def name(self) -> str:
        """The file's name without its suffix."""
        return self.path.stem


def read_voc_file(path: Path) -> VocFile:
    """The content of one XML file."""
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except FileNotFoundError:
        raise InvalidItemError(str(path), "the image is listed, but this file is missing") from None
    except (OSError, ElementTree.ParseError, ValueError, LookupError) as error:
        raise InvalidItemError(str(path), f"not valid XML: {error}") from None
    if root.tag != "annotation":
        raise InvalidItemError(str(path), f"found <{root.tag}>, expected <annotation>")
    objects = [_thing(node, number) for number, node in enumerate(root.iterfind("object"), start=1)]
    return VocFile(path, _size(root, path), tuple(objects))


def checked_box(
    item: VocObject, path: Path, size: tuple[int, int], classes: Sequence[str], problems: Problems
) -> Corners:
    """The object's box x1 y1 x2 y2, half-open from 0, with name and values checked."""
    where = f"{path}: object {item.number}"
    if item.name not in classes:
        raise InvalidItemError(
            where, f"name '{item.name}' is not a class{nearest(item.name, classes)}"
        )
    values = []
    for side, text in zip(_SIDES, item.sides, strict=True):
        try:
            values.append(float(text or ""))
        except ValueError:
            raise InvalidItemError(where, f"{side} is {shown(text)}, expected a number") from None
    x1, y1, x2, y2 = values
    return problems.box((x1 - 1, y1 - 1, x2, y2), size, f"{where}: bndbox")


def _thing(node: ElementTree.Element, number: int) -> VocObject:
    sides = tuple(_text(node, f"bndbox/{side}") for side in _SIDES)
    name = _text(node, "name") or ""
    return VocObject(number, name, sides, _text(node, "difficult") == "1")


def _size(root: ElementTree.Element, path: Path) -> tuple[int, int] | None:
    texts = _text(root, "size/height"), _text(root, "size/width")
    if texts == (None, None):
        return None
    try:
        height, width = (float(text or "") for text in texts)
    except ValueError:
        height = width = math.nan
    if not (0 < height < math.inf and 0 < width < math.inf):
        raise InvalidItemError(
            str(path),
            f"size has height {shown(texts[0])} and width {shown(texts[1])}, "
            "expected numbers above 0",
        )
    return int(height), int(width)


def _text(node: ElementTree.Element, path: str) -> str | None:
    text = node.findtext(path)
    return text.strip() if text is not None else None
