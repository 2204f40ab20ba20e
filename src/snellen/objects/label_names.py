"""Label names, compared whatever their spelling."""

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
"""Names of PASCAL VOC, which Darknet's list of COCO's classes has too, and those of COCO.

A detector with the former, trained on scenes with the latter, would learn that a sofa is nothing.
"""


def plain_name(label: str) -> str:
    """The label in lower case, with single spaces for `_`, `-` and blanks, as COCO calls it.

    >>> plain_name("Traffic_Light") == plain_name("traffic-light") == "traffic light"
    True
    >>> plain_name("tvmonitor"), plain_name("aeroplane")
    ('tv', 'airplane')
    """
    plain = re.sub(r"[\s_-]+", " ", label).strip().lower()
    return SAME.get(plain, plain)


def matching_names(label: str, among: Iterable[str]) -> tuple[str, ...]:
    """Those names of `among` that are the label, whatever their spelling.

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
