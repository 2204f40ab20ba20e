"""A recipe: a change of a scene, as a small value that can be stored, sent and replayed."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError
from snellen.scenes.frame import Frame
from snellen.scenes.kitti.labelled_objects import labelled_objects
from snellen.scenes.scene import NoPicture, Scene
from snellen.subjects.subject import InputKind
from snellen.vision.arrays import Boxes, Image

CaseInput: TypeAlias = Image | Frame
"""What a subject is given for a case."""
Materials: TypeAlias = Mapping[str, Any]
"""What recipes refer to by name (such as the object library), the same for all cases of a run."""


@dataclass(frozen=True)
class Recipe(ABC):
    """Base of all recipes: a frozen dataclass of plain values.

    A recipe implements `build`; one that changes points implements `build_frame` as well. Callers
    that test a subject use `build_input`.

    kind: the name under which it is stored. version: increased whenever the same recipe builds
    different pixels than before, which makes stored predictions stale. keeps_objects: whether the
    case shows the scene's objects and no others, at `moved_boxes`; then it can be exported with the
    scene's annotations. optional: fields that are left out of JSON, and so of the digest, at their
    defaults: a field added later leaves stored recipes and predictions valid.
    """

    kind: ClassVar[str]
    version: ClassVar[int] = 1
    keeps_objects: ClassVar[bool] = False
    optional: ClassVar[frozenset[str]] = frozenset()

    @property
    def pixel_version(self) -> int:
        """`version`; a recipe overrides it if only some of its values build other pixels now."""
        return self.version

    @abstractmethod
    def build(self, scene: Scene, materials: Materials) -> Image:
        """The image of the case: a pure function of the scene, the recipe and the materials."""

    def build_input(self, scene: Scene, materials: Materials, kind: InputKind) -> CaseInput:
        """The case as a subject is given it. kind: what the subject's task takes.

        An image is C-contiguous.
        """
        if kind == InputKind.FRAME:
            return self.build_frame(scene, materials)
        return np.ascontiguousarray(self.build(scene, materials))

    def build_frame(self, scene: Scene, materials: Materials) -> Frame:
        """The camera+LiDAR frame of the case; by default only its image is changed."""
        if scene.sweep is None:
            raise UserError(
                f"scene '{scene.id}' has no point cloud, but the subject asks for camera+LiDAR "
                "frames. Use scenes with point clouds, such as `kind: kitti`."
            )
        image = None if isinstance(scene.picture, NoPicture) else self.build(scene, materials)
        points, calibration = scene.sweep.points(), scene.sweep.calibration()
        return Frame(image, points, calibration, labelled_objects(scene.sweep, points))

    def moved_boxes(self, boxes: npt.ArrayLike, size: tuple[int, int]) -> Boxes:
        """Where boxes (N, 4) xyxy of the scene are in the case; by default where they were.

        A recipe that moves pixels overrides it. size: (height, width) of the scene.
        """
        return np.array(boxes, dtype=np.float32).reshape(-1, 4)

    def to_json(self) -> dict[str, Any]:
        """Plain values, from which `snellen.changes.registry.recipe_from_json` restores this."""
        return {
            "kind": self.kind,
            **{
                field.name: getattr(self, field.name)
                for field in fields(self)
                if field.name not in self.optional or getattr(self, field.name) != field.default
            },
        }

    @cached_property
    def digest(self) -> str:
        """A hash of kind, version and values: the recipe's part of the prediction cache key."""
        text = json.dumps(
            [self.pixel_version, self.to_json()], sort_keys=True, separators=(",", ":")
        )
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
