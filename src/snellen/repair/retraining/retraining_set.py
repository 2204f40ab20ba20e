"""A retraining set: labelled pictures made from a run's failures, with their origin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from snellen.scenes.scene import Scene, SceneSet, Skipped


class LabelOrigin(StrEnum):
    """The origin of a scene's labels."""

    ANNOTATIONS = "annotations"
    SUBJECT = "subject"


@dataclass(frozen=True)
class InsertedObject:
    """One inserted object of a picture.

    why: `failing` or `random`. case: the run's failing case whose place it has, or the case whose
    object it has. object: its id in the library, or the mesh. label: the name of its class. box:
    the inserted rectangle, x1 y1 x2 y2 in pixels; of a mesh x y z length width height yaw in the
    LiDAR frame. instance: index of the scene's detection that failed. cluster: its number in the
    scene, 0 for the largest, None outside clusters.
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
    """One picture: the new scene, the scene it was made from, and the inserted objects."""

    scene: Scene
    source: Scene
    recipe: Mapping[str, Any]
    origin: LabelOrigin
    inserted: tuple[InsertedObject, ...]


@dataclass(frozen=True, eq=False)
class RetrainingSet:
    """The labelled pictures and their origin.

    run: facts of the run. options: of the set. left_out: scenes without a picture, with the
    reason. objects: by id of each object used, the digest of the scene it was cut from.
    """

    scenes: SceneSet
    pictures: tuple[RetrainingPicture, ...]
    left_out: tuple[Skipped, ...]
    run: Mapping[str, Any]
    options: Mapping[str, Any]
    objects: Mapping[str, str] = field(default_factory=dict)
