"""A camera+LiDAR case rebuilt from its recipe, to be drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.changes.insert3d.mesh_recipe import MeshRecipe
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.changes.registry import recipe_from_json
from snellen.pages.solids.solid_case import FARTHEST, SolidCase
from snellen.scenes.scene import NoPicture, Scene
from snellen.store.findings import Finding
from snellen.store.opened_run import OpenedRun
from snellen.vision.arrays import F32, F64, Bools, Image
from snellen.vision.solids.projected_boxes import image_boxes

RANGE = 80.0
"""Metres from the LiDAR beyond which points are dropped; nothing is inserted that far away."""
BEHIND = -30.0
"""The minimum x of points in metres."""


class RebuiltCase(NamedTuple):
    """A case rebuilt: its 3D side, and the image before and after, None for a LiDAR-only frame."""

    case: SolidCase
    before: Image | None
    after: Image | None


def rebuilt_case(run: OpenedRun, finding: Finding) -> RebuiltCase:
    """A case of a run on camera+LiDAR frames, rebuilt from its recipe of any kind."""
    scene = run.scene(finding.scene)
    recipe = recipe_from_json(finding.recipe)
    bare = isinstance(scene.picture, NoPicture)
    before = None if bare else scene.pixels()
    if isinstance(recipe, MeshRecipe):
        changed, after = recipe.change_frame(scene, run.materials)
        boxes = [placed.box for placed in changed.meshes]
        case = _case(scene, changed.cloud.points, changed.cloud.source < 0, boxes)
        return RebuiltCase(case, before, after)
    points = seed_frame(scene).points
    case = _case(scene, points, np.zeros(len(points), dtype=np.bool_), [])
    return RebuiltCase(case, before, None if bare else recipe.build(scene, run.materials))


def _case(
    scene: Scene,
    points: F32,
    new: Bools,
    boxes: list[F64],
) -> SolidCase:
    seed = seed_frame(scene)
    near = (np.hypot(points[:, 0], points[:, 1]) < RANGE) & (points[:, 0] > BEHIND) | new
    near &= np.abs(points[:, :3]).max(axis=1, initial=0.0) < FARTHEST
    inserted = np.array(boxes, dtype=np.float64).reshape(-1, 7)
    return SolidCase(
        points=np.ascontiguousarray(points[near, :3]),
        new=np.asarray(new[near]),
        labelled=np.array(seed.boxes, dtype=np.float64).reshape(-1, 7),
        inserted=inserted,
        inserted_image=image_boxes(inserted, seed.frames, scene.size),
        image=min(scene.size) > 0,
    ).rounded()
