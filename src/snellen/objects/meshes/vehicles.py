"""Parametric cars, vans, lorries and buses."""

from __future__ import annotations

import numpy as np

from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.primitives import (
    MeshPart,
    Palette,
    ellipsoid,
    join_parts,
    lathed,
    rounded_box,
)
from snellen.objects.meshes.sizes import KINDS, Size
from snellen.objects.meshes.vehicle_body import lower_body
from snellen.objects.meshes.vehicle_cabin import cabin
from snellen.objects.meshes.vehicle_style import STYLES, VehicleStyle

Colour = tuple[int, int, int]

PAINTS: tuple[Colour, ...] = (
    (196, 198, 200), (150, 154, 158), (92, 96, 101), (28, 29, 32), (232, 232, 230),
    (34, 52, 96), (122, 22, 26), (70, 96, 120), (52, 74, 58), (168, 158, 138),
)  # fmt: skip


def vehicle(kind: str, size: Size, rng: np.random.Generator) -> Mesh:
    """A sedan, hatchback, suv, van, lorry or bus of this length, width and height in metres."""
    paint = PAINTS[int(rng.integers(len(PAINTS)))]
    solids = _lorry(size) if kind == "lorry" else _car(STYLES[kind], size)
    return join_parts(kind, KINDS[kind][0], solids, _palette(paint, rng), size)


def _palette(paint: Colour, rng: np.random.Generator) -> Palette:
    grey = int(rng.integers(150, 205))
    return {
        "paint": ("paint", paint),
        "glass": ("glass", (22, 26, 28)),
        "trim": ("plastic", (30, 31, 33)),
        "gap": ("plastic", (12, 12, 13)),
        "plate": ("plastic", (225, 226, 222)),
        "tyre": ("tyre", (24, 24, 25)),
        "rim": ("chrome", (grey, grey, grey + 3)),
        "chrome": ("chrome", (205, 207, 210)),
        "headlight": ("light-front", (186, 193, 198)),
        "taillight": ("light-rear", (170, 14, 16)),
        "container": ("plastic", (214, 216, 214)),
    }


def _car(style: VehicleStyle, size: Size) -> list[MeshPart]:
    length, width, _height = size
    wheels = [
        wheel(((0.5 - axle) * length, side * (width / 2 - 0.11), style.wheel), style.wheel, side)
        for axle in style.axles
        for side in (-1, 1)
    ]
    return [*lower_body(style, size), cabin(style, size), *wheels, *_mirrors(style, size)]


def wheel(centre: tuple[float, float, float], radius: float, side: int) -> MeshPart:
    """A wheel whose rim faces left (side 1) or right (-1)."""
    half = 0.09 + 0.06 * max(radius - 0.33, 0)
    profile = [
        (0.10, -half), (0.80 * radius, -half), (0.95 * radius, -0.92 * half),
        (radius, -0.7 * half), (radius, 0.7 * half), (0.95 * radius, 0.92 * half),
        (0.70 * radius, half), (0.66 * radius, 0.86 * half), (0.60 * radius, 0.6 * half),
        (0.30 * radius, 0.75 * half), (0.27 * radius, 0.75 * half), (0.05, 0.85 * half),
    ]  # fmt: skip
    names = ["tyre"] * 6 + ["rim", "rim", "rim", "gap", "rim"]
    turned = [(r, y * side) for r, y in profile]
    return _add_spokes(lathed(centre, turned, names, sides=40))


def _add_spokes(solid: MeshPart) -> MeshPart:
    """The wheel with dark openings between five spokes."""
    finish = solid.finish.copy()
    openings = finish[8 * 80 : 9 * 80].reshape(40, 2)
    openings[(np.arange(40) % 8) >= 3] = "gap"
    return MeshPart(solid.vertices, solid.faces, finish)


def _mirrors(style: VehicleStyle, size: Size) -> list[MeshPart]:
    """Two mirrors at the foot of the front pillars; the box of the vehicle includes them."""
    length, width, height = size
    share = style.cabin_base[0] + 0.11 * (style.cabin_base[1] - style.cabin_base[0])
    share = min(share, style.cabin_base[0] + 0.9 / length)
    z = height * (style.bonnet[1] + 0.07)
    return [
        ellipsoid(((0.5 - share) * length, side * (width / 2 - 0.03), z), (0.055, 0.085, 0.065),
                  "paint", rows=8, sides=12)
        for side in (-1, 1)
    ]  # fmt: skip


def _lorry(size: Size) -> list[MeshPart]:
    """A cab, a container behind it, a frame, and two more axles."""
    length, width, height = size
    long = 1.9
    move = np.array([length / 2 - long / 2, 0.0, 0.0])
    cab = [
        MeshPart(part.vertices + move, part.faces, part.finish)
        for part in _car(STYLES["cab"], (long, width * 0.96, min(height * 0.9, 2.75)))
    ]
    rear, front = -length / 2, length / 2 - long - 0.18
    box = rounded_box((rear, -width / 2, 1.05), (front, width / 2, height), "container")
    frame = rounded_box((rear + 0.1, -0.45, 0.6), (front + 1.0, 0.45, 1.0), "gap")
    guard = rounded_box(
        (rear + 0.05, -0.45 * width, 0.45), (rear + 0.17, 0.45 * width, 0.62), "trim"
    )
    lamps = [
        rounded_box((rear - 0.01, y - 0.17, 0.66), (rear + 0.1, y + 0.17, 0.82), "taillight")
        for y in (-0.4 * width, 0.4 * width)
    ]
    skirts = [
        rounded_box((rear + 2.9, y - 0.03, 0.5), (front - 0.5, y + 0.03, 1.0), "trim")
        for y in (-0.46 * width, 0.46 * width)
    ]
    wheels = [
        wheel((rear + at, side * (width / 2 - 0.16), 0.47), 0.47, side)
        for at in (1.1, 2.2)
        for side in (-1, 1)
    ]
    return [*cab, box, frame, guard, *lamps, *skirts, *wheels]
