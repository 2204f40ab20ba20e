"""Streets that several tests look at, each generated once."""

from __future__ import annotations

from functools import cache

from snellen.scenes.scene import Scene
from snellen.starter.streets.street import street

SEED = 1


@cache
def made(index: int) -> Scene:
    """The street of this number."""
    return street(SEED, index)
