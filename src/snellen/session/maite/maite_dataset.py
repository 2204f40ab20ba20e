"""Annotated scenes as a MAITE object-detection data set."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from snellen.errors import UserError
from snellen.scenes.scene import SceneSet
from snellen.session.maite.box_target import BoxTarget, target_of
from snellen.session.plain_scenes import open_scenes
from snellen.vision.arrays import AnyArray


class MaiteScenes:
    """A data set in the sense of `maite.protocols.object_detection.Dataset`.

    scenes: what `sn.open_scenes` returns or takes. Crowds and ignored objects are left out, because
    a target of MAITE can't mark them.
    """

    def __init__(self, scenes: SceneSet | str | Path | Mapping[str, Any], **options: Any) -> None:
        opened = scenes if isinstance(scenes, SceneSet) else open_scenes(scenes, **options)
        bare = next((one.id for one in opened if one.annotations is None), None)
        if bare is not None:
            raise UserError(f"scenes: '{bare}' has no annotations. Give annotated scenes.")
        self._scenes = opened
        self.metadata: dict[str, Any] = {
            "id": "snellen",
            "index2label": dict(enumerate(opened.classes)),
        }

    def __len__(self) -> int:
        return len(self._scenes)

    def __getitem__(self, index: int, /) -> tuple[AnyArray, BoxTarget, dict[str, Any]]:
        """The image (3, H, W) as bytes, RGB; its objects; its id."""
        scene = self._scenes[index]
        known = scene.annotations
        assert known is not None
        planes = np.ascontiguousarray(scene.pixels().transpose(2, 0, 1))
        return planes, target_of(known[~(known.crowd | known.ignore)]), {"id": scene.id}
