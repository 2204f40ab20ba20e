"""A parametric cyclist and motorcyclist: the vehicle, and a figure that sits on it."""

from __future__ import annotations

import numpy as np

from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.people import CLOTHS, Pose, clothing, figure
from snellen.objects.meshes.primitives import (
    MeshPart,
    Palette,
    ellipsoid,
    join_parts,
    lathed,
    rounded_box,
    tube,
)
from snellen.objects.meshes.sizes import Size

RIDING = Pose(
    hip=(-0.22, 0.0, 0.98),
    chest=(0.04, 0.0, 1.34),
    head=(0.16, 0.0, 1.60),
    knees=((0.16, 0.11, 0.86), (0.08, -0.11, 0.66)),
    ankles=((0.0, 0.11, 0.48), (-0.10, -0.11, 0.22)),
    elbows=((0.20, 0.25, 1.12), (0.20, -0.25, 1.12)),
    hands=((0.40, 0.25, 1.03), (0.40, -0.25, 1.03)),
)
ASTRIDE = Pose(
    hip=(-0.30, 0.0, 0.86),
    chest=(-0.13, 0.0, 1.27),
    head=(-0.02, 0.0, 1.53),
    knees=((0.16, 0.22, 0.70), (0.16, -0.22, 0.70)),
    ankles=((-0.12, 0.22, 0.33), (-0.12, -0.22, 0.33)),
    elbows=((0.10, 0.33, 1.10), (0.10, -0.33, 1.10)),
    hands=((0.36, 0.34, 1.02), (0.36, -0.34, 1.02)),
)


def cyclist(size: Size, rng: np.random.Generator) -> Mesh:
    """A person on a bicycle of this length, width and height in metres."""
    helmet = "helmet" if rng.random() < 0.5 else None
    solids = [*_bicycle(), *figure(RIDING, helmet=helmet)]
    return join_parts("cyclist", "Cyclist", solids, _palette(rng), size)


def motorcyclist(size: Size, rng: np.random.Generator) -> Mesh:
    """A person on a motorcycle of this length, width and height in metres."""
    solids = [*_motorcycle(), *figure(ASTRIDE, helmet="helmet-full")]
    return join_parts("motorcyclist", "Cyclist", solids, _palette(rng), size)


def _palette(rng: np.random.Generator) -> Palette:
    frame, shell = (CLOTHS[int(i)] for i in rng.integers(len(CLOTHS), size=2))
    return {
        **clothing(rng),
        "frame": ("paint", frame),
        "helmet": ("paint", shell),
        "visor": ("glass", (20, 22, 24)),
        "tyre": ("tyre", (24, 24, 25)),
        "metal": ("chrome", (170, 172, 176)),
        "seat": ("plastic", (22, 22, 23)),
        "headlight": ("light-front", (225, 230, 235)),
        "taillight": ("light-rear", (170, 14, 16)),
    }


def hoop(x: float, radius: float, thickness: float, finish: str) -> MeshPart:
    """An upright tyre or rim at x: a round rod bent to a circle."""
    turn = np.linspace(0, 2 * np.pi, 41)
    path = np.stack([x + radius * np.cos(turn), 0 * turn, radius * np.sin(turn)], axis=-1)
    path[:, 2] += radius + thickness if finish == "tyre" else 0.33
    return tube(path.tolist(), np.full(41, thickness).tolist(), finish, sides=8)


def _bicycle() -> list[MeshPart]:
    hub_rear, hub_front = (-0.53, 0.0, 0.33), (0.53, 0.0, 0.33)
    crank, _saddle, neck = (-0.09, 0.0, 0.29), (-0.24, 0.0, 0.86), (0.36, 0.0, 0.86)
    rods = [
        (crank, (-0.22, 0.0, 0.80), 0.02), (crank, neck, 0.022), ((-0.20, 0.0, 0.76), neck, 0.018),
        (crank, hub_rear, 0.014), ((-0.21, 0.0, 0.76), hub_rear, 0.012),
        (neck, hub_front, 0.018), ((0.34, 0.0, 0.82), (0.33, 0.0, 1.02), 0.016),
    ]  # fmt: skip
    solids = [_rod(a, b, r, "frame") for a, b, r in rods]
    for x in (-0.53, 0.53):
        solids += [hoop(x, 0.312, 0.018, "tyre"), hoop(x, 0.288, 0.011, "metal"), *_spokes(x)]
        solids.append(lathed((x, 0, 0.33), [(0.01, -0.05), (0.03, -0.04), (0.03, 0.04),
                                            (0.01, 0.05)], ["metal"] * 3, sides=12))  # fmt: skip
    solids.append(_rod((0.36, -0.27, 1.03), (0.36, 0.27, 1.03), 0.014, "metal"))
    solids.append(ellipsoid((-0.25, 0.0, 0.885), (0.13, 0.07, 0.035), "seat"))
    solids.append(_rod((0.0, 0.09, 0.40), (0.0, 0.15, 0.40), 0.02, "seat"))
    solids.append(_rod((-0.12, -0.15, 0.16), (-0.12, -0.09, 0.16), 0.02, "seat"))
    solids.append(lathed((-0.09, 0, 0.29), [(0.01, -0.06), (0.09, -0.055), (0.09, -0.045),
                                            (0.01, 0.06)], ["metal"] * 3, sides=20))  # fmt: skip
    solids.append(ellipsoid((0.42, 0.0, 0.93), (0.03, 0.035, 0.035), "headlight", rows=6, sides=10))
    solids.append(ellipsoid((-0.33, 0.0, 0.76), (0.02, 0.03, 0.03), "taillight", rows=6, sides=10))
    return solids


def _spokes(x: float) -> list[MeshPart]:
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    return [
        _rod((x, 0, 0.33), (x + 0.285 * np.cos(t), 0, 0.33 + 0.285 * np.sin(t)), 0.0025, "metal",
             sides=4)
        for t in turns
    ]  # fmt: skip


def _rod(
    first: tuple[float, float, float],
    last: tuple[float, float, float],
    radius: float,
    finish: str,
    sides: int = 10,
) -> MeshPart:
    middle = tuple((np.asarray(first) + np.asarray(last)) / 2)
    return tube([first, middle, last], [radius] * 3, finish, sides=sides)


def _motorcycle() -> list[MeshPart]:
    solids = []
    for x, wide in ((-0.68, 0.075), (0.72, 0.055)):
        profile = [(0.21, -wide), (0.27, -wide), (0.31, -0.5 * wide), (0.32, 0.0),
                   (0.31, 0.5 * wide), (0.27, wide), (0.21, wide)]  # fmt: skip
        solids.append(lathed((x, 0, 0.32), profile, ["tyre"] * 6, sides=36))
        half = [(0.2, 0.98), (0.19, 1.02), (0.06, 1.1), (0.03, 1.1)]
        hub = [(r, -y * wide) for r, y in half[::-1]] + [(r, y * wide) for r, y in half]
        finish = ["metal", "seat", "metal", "metal", "metal", "seat", "metal"]
        solids.append(lathed((x, 0, 0.32), hub, finish, sides=24))
    for side in (-1, 1):
        solids.append(_rod((0.72, 0.09 * side, 0.32), (0.46, 0.09 * side, 0.98), 0.026, "metal"))
        solids.append(_rod((-0.68, 0.11 * side, 0.32), (-0.18, 0.09 * side, 0.42), 0.03, "seat"))
        solids.append(ellipsoid((0.42, 0.33 * side, 1.22), (0.03, 0.07, 0.05), "seat", rows=8,
                                sides=12))  # fmt: skip
        solids.append(_rod((0.40, 0.26 * side, 1.0), (0.42, 0.32 * side, 1.22), 0.009, "metal"))
    solids += [
        _rod((0.38, -0.36, 1.02), (0.38, 0.36, 1.02), 0.016, "seat"),
        ellipsoid((0.12, 0.0, 0.84), (0.29, 0.15, 0.14), "frame"),
        ellipsoid((0.48, 0.0, 0.90), (0.17, 0.17, 0.20), "frame"),
        ellipsoid((0.62, 0.0, 0.90), (0.055, 0.09, 0.09), "headlight"),
        rounded_box((-0.22, -0.15, 0.28), (0.30, 0.15, 0.68), "seat", radius=0.06),
        ellipsoid((-0.42, 0.0, 0.80), (0.40, 0.13, 0.07), "seat"),
        ellipsoid((-0.66, 0.0, 0.74), (0.22, 0.12, 0.10), "frame"),
        ellipsoid((-0.87, 0.0, 0.76), (0.04, 0.08, 0.045), "taillight", rows=8, sides=14),
        tube([(0.2, -0.17, 0.25), (-0.3, -0.18, 0.27), (-0.85, -0.2, 0.40)], [0.03, 0.04, 0.055],
             "metal"),
        ellipsoid((0.72, 0.0, 0.58), (0.26, 0.075, 0.09), "frame"),
    ]  # fmt: skip
    return solids
