"""Street furniture: trees, lamps, signs and the skyline."""

from __future__ import annotations

import numpy as np

from snellen.objects.meshes.primitives import MeshPart, ellipsoid, tube
from snellen.starter.streets.body import Body, joined, sheet, skin
from snellen.starter.streets.street_materials import STREET, StreetMaterial
from snellen.vision.arrays import F64


def tree(foot: F64, height: float, rng: np.random.Generator) -> Body:
    """A tree at foot (3,): a trunk and a crown of several balls."""
    stem = 0.38 * height
    trunk = tube(
        [(0, 0, -0.1), (0, 0, 0.25), (0.04, 0, stem), (0.08, 0.05, 0.62 * height)],
        [0.034 * height, 0.024 * height, 0.018 * height, 0.01 * height],
        "bark",
        sides=10,
    )
    leaves = STREET["leaves" if rng.random() < 0.6 else "dark-leaves"]
    balls = _crown(stem, height, rng)
    crown = [skin(_rugged(ball, rng) + foot, ball.faces, leaves) for ball in balls]
    return joined([_at(trunk, foot, STREET["bark"]), *crown])


def _crown(stem: float, height: float, rng: np.random.Generator) -> list[MeshPart]:
    """Overlapping balls around the centre of the crown."""
    middle, radius = (stem + height) / 2, (height - stem) / 2
    balls = [ellipsoid((0, 0, middle), (0.62 * radius, 0.62 * radius, 0.8 * radius), "l", rows=9)]
    for number in range(6):
        turn = 2 * np.pi * (number + rng.uniform(-0.3, 0.3)) / 6
        out, size = 0.5 * radius, radius * rng.uniform(0.4, 0.55)
        up = middle + radius * rng.uniform(-0.45, 0.5)
        centre = (out * np.cos(turn), out * np.sin(turn), up)
        balls.append(ellipsoid(centre, (size, size, 0.85 * size), "l", rows=8, sides=14))
    return balls


def _rugged(ball: MeshPart, rng: np.random.Generator) -> F64:
    """The vertices of a ball, displaced at random like foliage."""
    middle = ball.vertices.mean(axis=0)
    push = rng.uniform(0.82, 1.14, size=(len(ball.vertices), 1))
    return np.asarray(middle + (ball.vertices - middle) * push)


def _at(solid: MeshPart, foot: F64, material: StreetMaterial) -> Body:
    return skin(solid.vertices + foot, solid.faces, material)


def _path(*places: F64) -> list[list[float]]:
    return [place.tolist() for place in places]


def lamp(foot: F64, heading: float, towards: float) -> Body:
    """A street lamp at foot (3,) whose arm reaches over a road with this heading.

    towards: 1 if the road is to the left of the foot, -1 to the right.
    """
    over = towards * np.array([-np.sin(heading), np.cos(heading), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    pole = tube([(0, 0, -0.1), (0, 0, 0.8), (0, 0, 7.0)], [0.09, 0.07, 0.05], "metal", sides=10)
    high = 7.33 * up
    arm = tube(
        _path(6.9 * up, high - 0.1 * up + 0.5 * over, high + 1.7 * over), [0.04] * 3, "m", sides=8
    )
    head = tube(_path(high + 1.5 * over, high + 2.2 * over), [0.11, 0.09], "l", sides=8)
    return joined(
        [_at(pole, foot, STREET["metal"]), _at(arm, foot, STREET["metal"]),
         _at(head, foot, STREET["lamp"])]
    )  # fmt: skip


def sign(foot: F64, heading: float) -> Body:
    """A square sign on a post, facing drivers with this heading."""
    post = tube([(0, 0, -0.1), (0, 0, 1.0), (0, 0, 2.7)], [0.035] * 3, "metal", sides=8)
    aside = 0.3 * np.array([-np.sin(heading), np.cos(heading), 0.0])
    up, before = np.array([0, 0, 0.3]), -0.05 * np.array([np.cos(heading), np.sin(heading), 0.0])
    middle = foot + before + np.array([0, 0, 2.4])
    plate = np.stack([middle - aside - up, middle + aside - up, middle + aside + up,
                      middle - aside + up])  # fmt: skip
    return joined([_at(post, foot, STREET["metal"]), sheet(plate[None], [STREET["sign"]])])


def skyline(ground: float, rng: np.random.Generator) -> Body:
    """Woods at 230 m in every direction, which hide the horizon."""
    count, radius = 240, 230.0
    turn = np.linspace(0, 2 * np.pi, count + 1)
    height = 7.0 + 3.0 * np.convolve(rng.standard_normal(count + 5), np.ones(5) / 2, "valid")
    height[-1] = height[0]
    foot = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full_like(turn, ground)], -1)
    top = foot + np.maximum(height, 4.0)[:, None] * np.array([0.0, 0.0, 1.0])
    corners = np.stack([foot[:-1], foot[1:], top[1:], top[:-1]], axis=1)
    return sheet(corners, [STREET["wood"]])
