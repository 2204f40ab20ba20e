"""Label names, compared whatever their spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable


def plain_name(label: str) -> str:
    """The label in lower case, with single spaces for `_`, `-` and blanks.

    >>> plain_name("Traffic_Light") == plain_name("traffic-light") == "traffic light"
    True
    """
    return re.sub(r"[\s_-]+", " ", label).strip().lower()


def spelled(label: str, among: Iterable[str]) -> tuple[str, ...]:
    """Those names of `among` that are the label, whatever their spelling.

    >>> spelled("TV", ["tv", "car", "Tv"])
    ('tv', 'Tv')
    """
    wanted = plain_name(label)
    return tuple(name for name in among if plain_name(name) == wanted)
