"""The materials of a street, for camera and LiDAR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from snellen.changes.insert3d.lidar_surfaces import Surface, surfaces_of
from snellen.objects.meshes.mesh import Mesh

Colour = tuple[int, int, int]


class StreetMaterial(NamedTuple):
    """One material.

    colour: sRGB. finish: the renderer's name of the material. surface: for the LiDAR. grain: the
    relative variation of the colour. deep: metres within which a beam returns, as from leaves.
    ground: whether it is on the ground. even: whether the intensity is the same at flat angles, as
    of KITTI's roads: 0.2 to 0.3 from 5 to 25 m.
    """

    colour: Colour
    finish: str
    surface: Surface
    grain: float = 0.0
    deep: float = 0.0
    ground: bool = False
    even: bool = True


ROUGH = "cloth"
_ASPHALT, _STONE = Surface(0.34, 0.0, 0.97), Surface(0.42, 0.0, 0.97)

STREET: dict[str, StreetMaterial] = {
    "asphalt": StreetMaterial((118, 118, 121), ROUGH, _ASPHALT, 0.16, ground=True),
    "parking": StreetMaterial((106, 105, 107), ROUGH, _ASPHALT, 0.20, ground=True),
    "mark": StreetMaterial((226, 226, 220), ROUGH, Surface(0.85, 0.0, 0.98), 0.06, ground=True),
    "gutter": StreetMaterial((122, 120, 116), ROUGH, _STONE, 0.12, ground=True),
    "kerb": StreetMaterial((164, 161, 153), ROUGH, _STONE, 0.10, ground=True),
    "pavement": StreetMaterial((150, 145, 138), ROUGH, _STONE, 0.13, ground=True),
    "yard": StreetMaterial((118, 122, 92), ROUGH, Surface(0.45, 0.0, 0.95), 0.22, ground=True),
    "field": StreetMaterial((104, 118, 78), ROUGH, Surface(0.45, 0.0, 0.90), 0.25, ground=True),
    "frame": StreetMaterial((224, 221, 212), ROUGH, Surface(0.50, 0.0, 0.97)),
    "pane": StreetMaterial((38, 46, 54), "glass", Surface(0.10, 0.95, 0.35)),
    "door": StreetMaterial((84, 58, 44), "plastic", Surface(0.30, 0.1, 0.96), 0.10),
    "roof": StreetMaterial((122, 72, 58), ROUGH, Surface(0.35, 0.0, 0.95), 0.18),
    "slate": StreetMaterial((84, 86, 92), ROUGH, Surface(0.30, 0.0, 0.95), 0.15),
    "bark": StreetMaterial((92, 76, 62), ROUGH, Surface(0.35, 0.0, 0.96), 0.25),
    "leaves": StreetMaterial((78, 108, 52), ROUGH, Surface(0.48, 0.0, 0.80), 0.55, 0.35),
    "dark-leaves": StreetMaterial((58, 88, 46), ROUGH, Surface(0.48, 0.0, 0.80), 0.55, 0.35),
    "wood": StreetMaterial((70, 88, 60), ROUGH, Surface(0.40, 0.0, 0.70), 0.35, 1.0),
    "metal": StreetMaterial((96, 102, 104), "plastic", Surface(0.35, 0.3, 0.97)),
    "lamp": StreetMaterial((210, 212, 208), "plastic", Surface(0.50, 0.2, 0.95)),
    "sign": StreetMaterial((36, 84, 168), "plastic", Surface(0.95, 0.0, 0.99)),
}

WALLS: tuple[Colour, ...] = (
    (196, 178, 146), (178, 120, 96), (206, 200, 188), (164, 148, 130), (188, 168, 120),
    (150, 92, 74), (174, 182, 176), (212, 192, 164), (142, 132, 124),
)  # fmt: skip


def wall(colour: Colour) -> StreetMaterial:
    """A wall of a colour."""
    return StreetMaterial(colour, ROUGH, Surface(0.50, 0.0, 0.97), 0.12)


def materials_of(mesh: Mesh) -> Sequence[StreetMaterial]:
    """The materials of a mesh, in order."""
    surfaces = surfaces_of(mesh.materials)
    return [
        StreetMaterial((int(red), int(green), int(blue)), finish, surface, even=False)
        for (red, green, blue), finish, surface in zip(
            mesh.colours, mesh.materials, surfaces, strict=True
        )
    ]
