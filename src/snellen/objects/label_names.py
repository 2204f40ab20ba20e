"""Comparison of label names regardless of spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from snellen.errors import UserError, nearest

SAME = {
    "aeroplane": "airplane",
    "diningtable": "dining table",
    "motorbike": "motorcycle",
    "pottedplant": "potted plant",
    "sofa": "couch",
    "tvmonitor": "tv",
}
"""Names in PASCAL VOC and in Darknet's list of COCO classes, with the names in COCO.

Without them a detector with the former names, trained on COCO scenes, would learn to ignore sofas.
"""


def plain_name(label: str) -> str:
    """The label as named in COCO: in lower case, with single spaces for `_`, `-` and blanks.

    >>> plain_name("Traffic_Light") == plain_name("traffic-light") == "traffic light"
    True
    >>> plain_name("tvmonitor"), plain_name("aeroplane")
    ('tv', 'airplane')
    """
    plain = re.sub(r"[\s_-]+", " ", label).strip().lower()
    return SAME.get(plain, plain)


def matching_names(label: str, among: Iterable[str]) -> tuple[str, ...]:
    """The names of `among` that equal the label regardless of spelling.

    >>> matching_names("TV", ["tv", "car", "Tv"])
    ('tv', 'Tv')
    """
    wanted = plain_name(label)
    return tuple(name for name in among if plain_name(name) == wanted)


def required_names(label: str, among: Sequence[str], where: object) -> tuple[str, ...]:
    """The same, or an error that begins with `where` if there is none."""
    names = matching_names(label, among)
    if not names:
        raise UserError(f"{where}: has no object of label '{label}'{nearest(label, among)}")
    return names
