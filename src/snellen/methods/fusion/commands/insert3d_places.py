"""Where `snellen insert3d` inserts objects: at given places or at drawn ones."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from snellen.errors import UserError

if TYPE_CHECKING:
    from snellen.changes.insert3d.seed_frame import SeedFrame
    from snellen.methods.fusion.placing.frame_places import FramePlaces
    from snellen.methods.fusion.placing.pose import GroundPose
    from snellen.objects.meshes.mesh_set import MeshSet


@dataclass(frozen=True)
class MeshPlaces:
    """A place for each mesh, and why a run would reject it, or None."""

    places: list[GroundPose]
    notes: list[str | None]


def places_for(
    frame: SeedFrame, meshes: MeshSet, names: list[str], at: list[str], seed: int
) -> MeshPlaces:
    """The places of the meshes: x and y as given, on the ground there, or drawn by the seed."""
    from snellen.methods.fusion.placing.frame_places import FramePlaces

    if at and len(at) != len(names):
        raise UserError(
            f"--at: found {len(at)} places for {len(names)} meshes. Give one --at for each --mesh, "
            "in the same order, or none to draw places at random."
        )
    if not names:
        return MeshPlaces([], [])
    wanted = [_place(text) for text in at]
    placing = FramePlaces(frame.points, frame.ground, frame.boxes, frame.frames, frame.size)
    placed = MeshPlaces([], [])
    rng, taken = np.random.default_rng(seed), np.zeros((0, 7))
    for number, name in enumerate(names):
        size = meshes.mesh(name).size
        place = (
            _standing(placing, *wanted[number]) if at else _drawn(placing, name, size, rng, taken)
        )
        placed.places.append(place)
        placed.notes.append(placing.allowed(place, size, taken))
        taken = np.vstack([taken, place.box(size)])
    return placed


def _standing(placing: FramePlaces, x: float, y: float, yaw: float) -> GroundPose:
    from snellen.methods.fusion.placing.pose import GroundPose

    return GroundPose(x, y, float(placing.area.surface(x, y)), yaw)


def _drawn(
    placing: FramePlaces,
    name: str,
    size: tuple[float, float, float],
    rng: np.random.Generator,
    taken: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> GroundPose:
    found = placing.draw(size, rng, 1, taken)
    if not found:
        raise UserError(
            f"--mesh: the frame has no free place on the road for {name}. Give one with --at, such "
            "as --at 15,0, or choose another frame."
        )
    return found[0]


def _place(text: str) -> tuple[float, float, float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        raise UserError(
            f"--at: found '{text}', expected X,Y or X,Y,YAW: metres ahead of the LiDAR and to its "
            "left, and degrees counter-clockwise from ahead, such as 18.5,-2,180."
        )
    return numbers[0], numbers[1], math.radians(numbers[2]) if len(numbers) == 3 else 0.0
