"""The four pipelines of Table 2: cut out or simulated, at random poses or estimated ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from experiments.multitest.cut_and_paste import CutCar, Pose, cut_cars, pasted
from experiments.multitest.frame_objects import Thing, measured, real_cars
from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.insert3d.seed_frame import seed_frame
from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.scenes.scene import Scene
from snellen.vision.lidar.ground import SENSOR_HEIGHT

NEAREST, FARTHEST = 6.0, 50.0
SECTOR = np.radians(40.0)
"""Where poses are drawn: metres, and bearings to either side that KITTI's camera shows."""

CARS = ("sedan", "hatchback", "suv")
MESHES = ParametricMeshes(CARS)

PIPELINES = {
    "C&P + random pose": ("cut", "random"),
    "C&P + estimated pose": ("cut", "estimated"),
    "Sim + random pose": ("simulated", "random"),
    "Sim + estimated pose": ("simulated", "estimated"),
}


@dataclass(frozen=True, eq=False)
class Made:
    """What the pipelines made over scenes, beside the real cars there. refused: found no place."""

    real: list[Thing]
    inserted: Mapping[str, list[Thing]]
    refused: Mapping[str, int]


def made(scenes: Sequence[Scene], count: int, seed: int) -> Made:
    """`count` insertions of one car into every scene by every pipeline."""
    cars = [car for scene in scenes for car in cut_cars(scene)]
    inserted: dict[str, list[Thing]] = {name: [] for name in PIPELINES}
    refused = dict.fromkeys(PIPELINES, 0)
    real: list[Thing] = []
    for place, scene in enumerate(scenes):
        real += real_cars(scene)
        maker = Maker(scene, [car for car in cars if car.scene != scene.id])
        for number, (name, (object_, pose)) in enumerate(PIPELINES.items()):
            rng = np.random.default_rng((seed, place, number))
            for _ in range(count):
                thing = maker.thing(object_, pose, rng)
                if thing is None:
                    refused[name] += 1
                else:
                    inserted[name].append(thing)
    return Made(real, inserted, refused)


class Maker:
    """Inserts cars into one scene. cars: those cut from other scenes."""

    def __init__(self, scene: Scene, cars: Sequence[CutCar]) -> None:
        self._scene, self._cars = scene, cars
        seed = seed_frame(scene)
        limits = PlaceLimits(NEAREST, FARTHEST, float(-SECTOR), float(SECTOR))
        self._placing = FramePlaces(
            seed.points, seed.ground, seed.boxes, seed.frames, scene.size, limits
        )

    def thing(self, how: str, pose: str, rng: Generator) -> Thing | None:
        """One insertion, measured; None where there is no place for it."""
        if how == "cut":
            if not self._cars:
                return None
            car = self._cars[int(rng.integers(len(self._cars)))]
            there = self._pose(pose, car.size, rng)
            return None if there is None else pasted(self._scene, car, there)
        name = MESHES.names[int(rng.integers(len(MESHES.names)))]
        there = self._pose(pose, MESHES.mesh(name).size, rng)
        return None if there is None else self._simulated(name, there, int(rng.integers(2**32)))

    def _pose(self, pose: str, size: tuple[float, float, float], rng: Generator) -> Pose | None:
        if pose == "random":
            return random_pose(rng)
        found = self._placing.draw(size, rng)
        return (found[0].x, found[0].y, found[0].z, found[0].yaw) if found else None

    def _simulated(self, name: str, pose: Pose, seed: int) -> Thing:
        recipe = Insert3D(((name, *pose),), seed)
        changed, image = recipe.change_frame(self._scene, {"meshes": MESHES})
        assert image is not None
        return measured(
            image,
            changed.cloud.points,
            changed.visible_box(0),
            changed.cloud.returns[0],
            changed.seed.frames,
            changed.measurements()["visibility_gap"],
        )


def random_pose(rng: Generator) -> Pose:
    """Anywhere in the camera's sector, heading anywhere, on a flat ground, touching anything."""
    distance, bearing = rng.uniform(NEAREST, FARTHEST), rng.uniform(-SECTOR, SECTOR)
    x, y = distance * np.cos(bearing), distance * np.sin(bearing)
    return float(x), float(y), -SENSOR_HEIGHT, float(rng.uniform(-np.pi, np.pi))
