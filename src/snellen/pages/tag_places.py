"""Where the tags of marks stand on a picture, so that none covers another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from snellen.store.findings import Box

ROWS = 4
"""How many rows above and below its box a tag may be moved to."""


def tag_places(
    boxes: Sequence[Box], sizes: Sequence[tuple[float, float]], picture: tuple[int, int]
) -> list[Box]:
    """The place of each box's tag, xyxy pixels within the picture; the last box chooses first.

    boxes: xyxy pixels. sizes: (width, height) of the tags; picture: (width, height). A tag stands
    above its box where that is free; else below, beside, or further away, and where no place is
    free, where it covers least of the others.

    >>> tag_places([(10, 40, 30, 60), (12, 42, 32, 60)], [(30, 10)] * 2, (100, 100))
    [(10, 60, 40, 70), (12, 32, 42, 42)]
    """
    taken: list[Box] = []
    for box, size in zip(reversed(boxes), reversed(sizes), strict=True):
        places = _candidates(box, size, picture)
        taken.append(min(places, key=lambda one: sum(_shared(one, other) for other in taken)))
    return taken[::-1]


def _candidates(box: Box, size: tuple[float, float], picture: tuple[int, int]) -> Iterator[Box]:
    """Places in the picture in order of preference, the usual one above the box first."""
    (x1, y1, x2, y2), (width, height) = box, size
    for row in range(ROWS):
        for y in (y1 - (row + 1) * height, y2 + row * height):
            for x in (x1, x2 - width, x1 - width, x2):
                left = max(0, min(x, picture[0] - width))
                top = max(0, min(y, picture[1] - height))
                yield left, top, left + width, top + height


def _shared(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, wide) * max(0.0, tall)
