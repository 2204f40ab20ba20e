"""A mesh: its surface, materials and colours, and its vertices at a pose."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.vision.arrays import F32, F64, Bytes, Image, Ints16, Ints32

MATERIALS = (
    "paint", "glass", "tyre", "chrome", "light-front", "light-rear",
    "cloth", "skin", "hair", "plastic", "texture",
)  # fmt: skip
CREASE = np.cos(np.radians(40.0))
"""Cosine of the angle between faces above which their edge is sharp."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """A textured mesh in its own frame, in metres.

    x forward, y left, z up, with the origin on the ground below the centre of its box. label: name
    of the class in KITTI ("Car", "Van", "Truck", "Pedestrian", "Cyclist"). vertices: (V, 3). faces:
    (F, 3) indices, counter-clockwise seen from outside. material: (F,) index into `materials`,
    which are names of `MATERIALS` (a name may occur twice, with two colours). colours: (M, 3) uint8
    RGB. Faces of the material "texture" take their colour from `texture` (H, W, 3) at `uv`
    (F, 3, 2), in [0, 1] from the lower left of the image.
    """

    name: str
    label: str
    vertices: F64
    faces: Ints32
    material: Ints16
    materials: tuple[str, ...]
    colours: Bytes
    uv: F32 | None = None
    texture: Image | None = None

    def __post_init__(self) -> None:
        for field, kind in (("vertices", np.float64), ("faces", np.int32), ("material", np.int16)):
            value = np.ascontiguousarray(getattr(self, field), dtype=kind)
            value.flags.writeable = False
            object.__setattr__(self, field, value)
        _check(self)

    @cached_property
    def size(self) -> tuple[float, float, float]:
        """Length, width and height of its box, in metres."""
        length, width, height = np.ptp(self.vertices, axis=0)
        return float(length), float(width), float(height)

    @cached_property
    def id(self) -> str:
        """A hash of its content: 16 hexadecimal digits."""
        digest = hashlib.sha256(repr((self.label, self.materials)).encode())
        for values in (self.vertices, self.faces, self.material, self.colours):
            digest.update(np.ascontiguousarray(values).tobytes())
        for extra in (self.uv, self.texture):
            digest.update(b"-" if extra is None else np.ascontiguousarray(extra).tobytes())
        return digest.hexdigest()[:16]

    def placed(self, x: float, y: float, z: float, yaw: float) -> F64:
        """(V, 3) vertices in the LiDAR frame, standing on ground of height z at (x, y).

        yaw in radians, counter-clockwise from +x seen from above.
        """
        cos, sin = np.cos(yaw), np.sin(yaw)
        turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(self.vertices @ turn.T + np.array([x, y, z]))

    @cached_property
    def corner_normals(self) -> F32:
        """(F, 3, 3) unit normals at the corners, smooth except across edges above 40 degrees."""
        return corner_normals(self.vertices, self.faces)

    @cached_property
    def volume(self) -> float:
        """Signed volume in cubic metres, positive if the faces point outwards.

        Overlapping parts count separately.
        """
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)

    @cached_property
    def closed_share(self) -> float:
        """Share of edges shared by two faces in opposite directions; 1 is watertight."""
        turned = np.concatenate([self.faces[:, [k, (k + 1) % 3]] for k in range(3)]).astype(
            np.int64
        )
        low, high = turned.min(axis=1), turned.max(axis=1)
        _, edge = np.unique(low * len(self.vertices) + high, return_inverse=True)
        forward = np.bincount(edge, weights=turned[:, 0] == low)
        backward = np.bincount(edge, weights=turned[:, 0] != low)
        return float(np.mean((forward == 1) & (backward == 1)))


def corner_normals(vertices: F64, faces: Ints32) -> F32:
    """(F, 3, 3) unit normals at the corners of the faces, averaged over smooth edges."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    areas = np.cross(b - a, c - a)
    units = areas / np.maximum(np.linalg.norm(areas, axis=1, keepdims=True), 1e-30)
    order = np.argsort(faces.ravel(), kind="stable")
    owner = order // 3
    _, starts, counts = np.unique(faces.ravel()[order], return_index=True, return_counts=True)
    start, count = np.repeat(starts, counts), np.repeat(counts, counts)
    rank = np.arange(len(order)) - start
    total = np.zeros((len(order), 3))
    for step in range(int(counts.max())):
        here = np.flatnonzero(step < count)
        other = owner[start[here] + (rank[here] + step) % count[here]]
        near = np.einsum("ij,ij->i", units[owner[here]], units[other]) > CREASE
        total[here[near]] += areas[other[near]]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    smooth = np.where(length > 1e-20, total / np.maximum(length, 1e-30), units[owner])
    result = np.empty((len(order), 3), dtype=np.float32)
    result[order] = smooth
    return result.reshape(-1, 3, 3)


def _check(mesh: Mesh) -> None:
    unknown = set(mesh.materials) - set(MATERIALS)
    if unknown:
        raise ValueError(f"{mesh.name}: unknown materials {sorted(unknown)}; known: {MATERIALS}")
    if mesh.colours.shape != (len(mesh.materials), 3):
        raise ValueError(
            f"{mesh.name}: colours have shape {mesh.colours.shape}, expected "
            f"({len(mesh.materials)}, 3) for {mesh.materials}"
        )
    if mesh.material.shape != (len(mesh.faces),):
        raise ValueError(f"{mesh.name}: {len(mesh.material)} materials for {len(mesh.faces)} faces")
    if "texture" in mesh.materials and (mesh.uv is None or mesh.texture is None):
        raise ValueError(f"{mesh.name}: the material 'texture' needs uv and texture")
