"""What is tried where an object has no room around its target: less of it, others, elsewhere.

The steps, in this order, until one has room: the chosen objects around the target, ever smaller;
further objects of the same label, likewise; then all of them anywhere in the scene. A scene that
has no room even then is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from snellen.methods.insertion.placement import Placement
from snellen.objects.selection import ObjectChoice

SCALES = (1.0, 0.85, 0.7)
"""The sizes that are tried, as shares of the size that the scene's own objects have."""
SPARE = 6
"""Further objects of a label that are tried."""


@dataclass(frozen=True)
class RoomStep:
    """One step of the search: these objects, at this share of their size, placed like this."""

    choices: tuple[ObjectChoice, ...]
    scale: float
    placement: Placement


def room_steps(
    chosen: Sequence[ObjectChoice], spare: Sequence[ObjectChoice], placement: Placement
) -> Iterator[RoomStep]:
    """The steps, from the wish to the last resort; spare objects are tried one by one."""
    places = (placement, Placement.RANDOM) if placement == Placement.GUIDED else (placement,)
    for where in places:
        for some in (tuple(chosen), *((one,) for one in spare)):
            for scale in SCALES if some else ():
                yield RoomStep(some, scale, where)
