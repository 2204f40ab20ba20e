"""Closed parts of meshes: lofts, lathed profiles, tubes, ellipsoids, rounded boxes.

In metres, in the frame of the mesh. Each part is watertight, has faces that point outwards, and
names the finish (a key of the palette of the mesh) of each face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.objects.meshes.mesh import Mesh
from snellen.vision.arrays import F64, Ints32, Texts

Palette = dict[str, tuple[str, tuple[int, int, int]]]


@dataclass(frozen=True, eq=False)
class MeshPart:
    """Vertices (V, 3), faces (F, 3) and the finish (F,) of each face."""

    vertices: F64
    faces: Ints32
    finish: Texts


def lofted(rings: F64, finish: Texts | str, ends: tuple[str, str] | None = None) -> MeshPart:
    """The part whose skin connects rings (S, N, 3), closed by a flat fan at each end.

    finish: (S-1, N) of the quad between points n and n+1 of rings s and s+1, or one for all.
    """
    count, around = rings.shape[:2]
    names = np.broadcast_to(np.asarray(finish, dtype="U16"), (count - 1, around))
    closing = ends or (str(names[0, 0]), str(names[-1, 0]))
    vertices = np.concatenate([rings.reshape(-1, 3), rings[[0, -1]].mean(axis=1)])
    ring = np.arange(around)
    after = (ring + 1) % around
    base = (np.arange(count - 1) * around)[:, None]
    a, b, c, d = base + ring, base + after, base + around + after, base + around + ring
    skin = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2).reshape(-1, 3)
    first = np.stack([after, ring, np.full(around, count * around)], -1)
    shift = (count - 1) * around
    last = np.stack([ring + shift, after + shift, np.full(around, count * around + 1)], -1)
    faces = np.concatenate([skin, first, last]).astype(np.int32)
    every = [np.repeat(names.ravel(), 2), np.full(around, closing[0]), np.full(around, closing[1])]
    return outward(MeshPart(vertices, faces, np.concatenate(every).astype("U16")))


def outward(solid: MeshPart) -> MeshPart:
    """The part with its faces oriented so that its volume is positive."""
    a, b, c = (solid.vertices[solid.faces[:, k]] for k in range(3))
    if np.einsum("ij,ij->i", a, np.cross(b, c)).sum() >= 0:
        return solid
    return MeshPart(solid.vertices, np.ascontiguousarray(solid.faces[:, ::-1]), solid.finish)


def tube(
    path: Sequence[Sequence[float]],
    radii: Sequence[float],
    finish: str,
    *,
    sides: int = 14,
    flat: float = 1.0,
) -> MeshPart:
    """A round rod along a path (P, 3) with a radius at each point and domed ends.

    flat: thickness along the second axis as a share of the radius.
    """
    points, sizes = np.asarray(path, dtype=np.float64), np.asarray(radii, dtype=np.float64)
    points, sizes = _domed(points, sizes)
    along = np.gradient(points, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    reference = np.array([0.0, 1.0, 0.0]) if abs(along[:, 1]).max() < 0.9 else np.eye(3)[2]
    first = np.cross(along, reference)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(along, first)
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    disc = np.cos(turn)[:, None] * first[:, None] * flat + np.sin(turn)[:, None] * second[:, None]
    return lofted(points[:, None] + sizes[:, None, None] * disc, finish)


def _domed(points: F64, sizes: F64) -> tuple[F64, F64]:
    """The path with three more points at each end, over which the radius closes to a dome."""
    lift, shrink = np.array([0.5, 0.85, 0.99]), np.array([0.87, 0.53, 0.14])
    ends = []
    for here, inner in ((0, 1), (-1, -2)):
        way = points[here] - points[inner]
        way = way / np.linalg.norm(way)
        ends.append((points[here] + (lift * sizes[here])[:, None] * way, shrink * sizes[here]))
    grown = np.concatenate([ends[0][0][::-1], points, ends[1][0]])
    return grown, np.concatenate([ends[0][1][::-1], sizes, ends[1][1]])


def ellipsoid(
    centre: Sequence[float], radii: Sequence[float], finish: str, *, rows: int = 12, sides: int = 18
) -> MeshPart:
    """An ellipsoid with its three half-axes along x, y and z."""
    tilt = np.linspace(-np.pi / 2, np.pi / 2, rows + 1)[:, None] * 0.985
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)[None]
    unit = np.stack(
        [np.cos(tilt) * np.cos(turn), np.cos(tilt) * np.sin(turn), np.sin(tilt) + 0 * turn], axis=-1
    )
    return lofted(np.asarray(centre) + unit * np.asarray(radii), finish)


def lathed(
    centre: Sequence[float],
    profile: Sequence[tuple[float, float]],
    finish: Sequence[str],
    *,
    sides: int = 32,
) -> MeshPart:
    """A profile of (radius, y) points rotated about the y axis through the centre.

    finish: one per segment of the profile.
    """
    turn = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    rings = np.stack(
        [
            np.stack([r * np.cos(turn), np.full(sides, y), r * np.sin(turn)], axis=-1)
            for r, y in profile
        ]
    )
    names = np.repeat(np.asarray(finish, dtype="U16")[:, None], sides, axis=1)
    return lofted(rings + np.asarray(centre), names)


def rounded_box(
    low: Sequence[float], high: Sequence[float], finish: str, *, radius: float = 0.03
) -> MeshPart:
    """A box between two corners, with rounded upright edges and bevelled top and bottom."""
    a, b = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    middle, half = (a + b) / 2, (b - a) / 2
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False) + np.pi / 24
    inset = np.array([[radius, 0.0], [0.3 * radius, 0.3 * radius], [0.0, radius]])
    levels = np.concatenate([inset, inset[::-1]])
    heights = np.concatenate([a[2] + inset[:, 1], b[2] - inset[::-1, 1]])
    rings = []
    for (shrink, _), z in zip(levels, heights, strict=True):
        corner = np.sign(np.stack([np.cos(turn), np.sin(turn)], -1)) * (half[:2] - radius)
        arc = np.stack([np.cos(turn), np.sin(turn)], -1) * (radius - 0.9 * shrink)
        flat = middle[:2] + corner + arc
        rings.append(np.column_stack([flat, np.full(len(turn), z)]))
    return lofted(np.stack(rings), finish)


def join_parts(
    name: str, label: str, solids: Sequence[MeshPart], palette: Palette, size: Sequence[float]
) -> Mesh:
    """The mesh of all parts, stretched slightly so that its box is exactly `size`."""
    offsets = np.cumsum([0, *[len(solid.vertices) for solid in solids]])
    faces = np.concatenate([s.faces + o for s, o in zip(solids, offsets, strict=False)])
    finish = np.concatenate([solid.finish for solid in solids])
    keys = sorted(set(finish.tolist()))
    material = np.searchsorted(np.asarray(keys), finish)
    return Mesh(
        name=name,
        label=label,
        vertices=fit_to_size(np.concatenate([solid.vertices for solid in solids]), size),
        faces=faces.astype(np.int32),
        material=material.astype(np.int16),
        materials=tuple(palette[key][0] for key in keys),
        colours=np.array([palette[key][1] for key in keys], dtype=np.uint8),
    )


def fit_to_size(vertices: F64, size: Sequence[float]) -> F64:
    """The vertices scaled to a box of exactly this length, width and height above the origin."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    unit = (vertices - low) / (high - low)
    wanted = np.asarray(size, dtype=np.float64)
    return np.asarray(unit * wanted - wanted * np.array([0.5, 0.5, 0.0]))
