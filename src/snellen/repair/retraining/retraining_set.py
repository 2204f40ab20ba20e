"""A retraining set: pictures made of a run's failures, with labels, and where each comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from snellen.scenes.scene import Scene, SceneSet, Skipped


class LabelOrigin(StrEnum):
    """Where the labels of what was in the scene come from."""

    ANNOTATIONS = "annotations"
    SUBJECT = "subject"


@dataclass(frozen=True)
class InsertedObject:
    """One object of a picture.

    why: `failing` or `random`. case: of the run; the failing one whose place it has, or else the
    one whose object it has. object: its id in the library, or the mesh. label: the class's name.
    box: the rectangle put in, x1 y1 x2 y2 in pixels; of a mesh x y z length width height yaw in the
    LiDAR frame. instance: index of the scene's detection that the place failed for. cluster: its
    number in the scene, 0 the largest, None outside of clusters.
    """

    why: str
    case: str
    object: str
    label: str
    box: tuple[float, ...]
    instance: int | None = None
    cluster: int | None = None


@dataclass(frozen=True, eq=False)
class RetrainingPicture:
    """One picture: the new scene, the scene of the run it was made of, and what was put in."""

    scene: Scene
    source: Scene
    recipe: Mapping[str, Any]
    origin: LabelOrigin
    inserted: tuple[InsertedObject, ...]


@dataclass(frozen=True, eq=False)
class RetrainingSet:
    """The pictures with labels, and what is known of them.

    run: facts of the run it was made of. options: those of the set. left_out: scenes that gave
    nothing, and why. objects: of each object used, the digest of the scene it was cut from.
    """

    scenes: SceneSet
    made: tuple[RetrainingPicture, ...]
    left_out: tuple[Skipped, ...]
    run: Mapping[str, Any]
    options: Mapping[str, Any]
    objects: Mapping[str, str] = field(default_factory=dict)
