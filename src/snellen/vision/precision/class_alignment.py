"""Detections and ground truth with different lists of classes, brought to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Ints
from snellen.vision.detections import Detections

ABSENT = -1


@dataclass(frozen=True)
class ClassAlignment:
    """How two lists of classes fit together by name.

    classes: those that both have, in the order of the ground truth. found, known: the id in
    `classes` of each class of the detections and of the ground truth, -1 for none. only_found,
    only_known: the names that the other list lacks.
    """

    classes: tuple[str, ...]
    found: Ints
    known: Ints
    only_found: tuple[str, ...]
    only_known: tuple[str, ...]

    def detections(self, one: Detections) -> Detections:
        """The detections of common classes, with common ids."""
        labels = self.found[one.labels]
        return replace(one, labels=labels)[labels != ABSENT]

    def annotations(self, one: Annotations) -> Annotations:
        """The objects of common classes, with common ids."""
        labels = self.known[one.labels]
        return replace(one, labels=labels)[labels != ABSENT]


def aligned_classes(found: Sequence[str], known: Sequence[str]) -> ClassAlignment:
    """The classes of detections (`found`) and of ground truth (`known`), by name.

    >>> both = aligned_classes(["dog", "cat"], ["cat", "cow", "dog"])
    >>> both.classes, both.found.tolist(), both.only_known
    (('cat', 'dog'), [1, 0], ('cow',))
    """
    common = tuple(name for name in known if name in set(found))
    place = {name: id for id, name in enumerate(common)}
    return ClassAlignment(
        common,
        np.array([place.get(name, ABSENT) for name in found], dtype=np.int64),
        np.array([place.get(name, ABSENT) for name in known], dtype=np.int64),
        tuple(name for name in found if name not in place),
        tuple(name for name in known if name not in place),
    )
