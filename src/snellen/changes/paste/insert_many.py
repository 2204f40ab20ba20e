"""Insert several objects into one scene."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from typing import Any, ClassVar, TypeAlias

from snellen.changes.paste.insert import Insert
from snellen.changes.recipe import Materials, Recipe
from snellen.scenes.scene import Scene
from snellen.vision.arrays import Image

InsertValues: TypeAlias = tuple[Any, ...]
"""The values of an `Insert` in order, without optional ones at the end that have their defaults."""


@dataclass(frozen=True)
class InsertMany(Recipe):
    """Insertions from back to front, each as by `Insert`.

    >>> both = InsertMany.of([Insert("a", 0, 0, 9, 9), Insert("b", 20, 0, 9, 9)])
    >>> len(both.inserts), both.inserts[1].x
    (2, 20)
    """

    kind: ClassVar[str] = "several"
    version: ClassVar[int] = Insert.version
    placed: tuple[InsertValues, ...]

    @classmethod
    def of(cls, inserts: Iterable[Insert]) -> InsertMany:
        """The recipe of these insertions, given from back to front."""
        return cls(tuple(_values(one) for one in inserts))

    @property
    def inserts(self) -> tuple[Insert, ...]:
        """The insertions, from back to front."""
        return tuple(Insert(*one) for one in self.placed)

    @property
    def pixel_version(self) -> int:
        """That of its latest insertion."""
        return max((one.pixel_version for one in self.inserts), default=self.version)

    def build(self, scene: Scene, materials: Materials) -> Image:
        """The scene with the objects; nothing changes outside their rectangles."""
        image = scene.pixels()
        for one in self.inserts:
            image = one.over(image, materials)
        return image


def _values(one: Insert) -> InsertValues:
    values = list(astuple(one))
    for field in reversed(fields(one)):
        if field.name not in one.optional or values[-1] != field.default:
            break
        values.pop()
    return tuple(values)
