"""The geometry of a street: one body of everything fixed, and one of each labelled object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.frame_change import PlacedMesh
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.starter.streets.body import Body, joined, placed_mesh
from snellen.starter.streets.buildings import building
from snellen.starter.streets.street_furniture import lamp, sign, skyline, tree
from snellen.starter.streets.street_layout import StreetLayout
from snellen.starter.streets.street_road import SENSOR_HEIGHT, Road, surface
from snellen.vision.arrays import F64


@dataclass(frozen=True, eq=False)
class World:
    """fixed: the body of everything without a label. objects: with a label; bodies: of each."""

    fixed: Body
    objects: tuple[PlacedMesh, ...]
    bodies: tuple[Body, ...]

    def without(self, dropped: Sequence[int]) -> World:
        """The street without some of the objects."""
        left = [number for number in range(len(self.objects)) if number not in set(dropped)]
        objects, bodies = self.objects, self.bodies
        return World(self.fixed, tuple(objects[k] for k in left), tuple(bodies[k] for k in left))


def world(plan: StreetLayout, rng: np.random.Generator) -> World:
    """The street of a layout. rng: for what the layout does not define, such as colours."""
    road = plan.road
    parts = [surface(road), skyline(-SENSOR_HEIGHT - 0.4, rng)]
    parts += [_house(road, house, rng) for house in plan.buildings]
    parts += [tree(_foot(road, s, d)[0], height, rng) for s, d, height in plan.trees]
    for s, d in plan.lamps:
        foot, heading = _foot(road, s, d)
        parts.append(lamp(foot, heading, -np.sign(d)))
    for s, d in plan.signs:
        foot, heading = _foot(road, s, d)
        parts.append(sign(foot, heading + (np.pi if d > 0 else 0.0)))
    objects = placed_objects(plan)
    bodies = tuple(placed_mesh(thing.mesh, thing.pose) for thing in objects)
    return World(joined(parts), objects, bodies)


def _foot(road: Road, s: float, d: float) -> tuple[F64, float]:
    x, y, heading = road.at(s, d)
    return np.array([x, y, float(road.height(d))]), float(heading)


def placed_objects(plan: StreetLayout) -> tuple[PlacedMesh, ...]:
    """The labelled objects of a layout, at their places."""
    meshes, found = ParametricMeshes(), []
    for one in plan.objects:
        foot, heading = _foot(plan.road, one.s, one.d)
        yaw = float((heading + one.turn + np.pi) % (2 * np.pi) - np.pi)
        pose = (float(foot[0]), float(foot[1]), float(foot[2]), yaw)
        found.append(PlacedMesh(meshes.mesh(one.mesh), pose))
    return tuple(found)


def _house(
    road: Road, house: tuple[float, int, float, float, float, int], rng: np.random.Generator
) -> Body:
    """A building whose front is a chord of the road's curve."""
    s, side, away, width, deep, storeys = house
    first, last = (_foot(road, at, side * away)[0] for at in (s, s + width))
    along = last - first
    wide = float(np.linalg.norm(along))
    along /= wide
    inward = side * np.array([-along[1], along[0], 0.0])
    return building(first, along, inward, (wide, deep, storeys), rng)
