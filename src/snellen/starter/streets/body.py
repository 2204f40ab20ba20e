"""Triangle surfaces of a street, in the LiDAR frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.objects.meshes.mesh import Mesh
from snellen.starter.streets.street_materials import StreetMaterial, materials_of
from snellen.vision.arrays import F32, F64, Ints16, Ints32

Pose = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Body:
    """Triangles with materials; metres in the LiDAR frame (x forward, y left, z up).

    vertices: (V, 3). faces: (F, 3). normals: (F, 3, 3) unit, at the corners. material: (F,) int16,
    index into materials.
    """

    vertices: F64
    faces: Ints32
    normals: F32
    material: Ints16
    materials: tuple[StreetMaterial, ...]


def joined(bodies: Sequence[Body]) -> Body:
    """All bodies as one, with their faces in order."""
    starts = np.cumsum([0, *(len(body.vertices) for body in bodies)])
    shifts = np.cumsum([0, *(len(body.materials) for body in bodies)])
    return Body(
        np.concatenate([body.vertices for body in bodies]),
        np.concatenate([b.faces + s for b, s in zip(bodies, starts, strict=False)]).astype("i4"),
        np.concatenate([body.normals for body in bodies]),
        np.concatenate([b.material + s for b, s in zip(bodies, shifts, strict=False)]).astype("i2"),
        tuple(material for body in bodies for material in body.materials),
    )


def sheet(corners: F64, materials: Sequence[StreetMaterial], which: npt.ArrayLike = 0) -> Body:
    """Flat quads: corners (Q, 4, 3) in order around each; which: its index into materials."""
    count = len(corners)
    halves = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    faces = (4 * np.arange(count, dtype=np.int32)[:, None, None] + halves).reshape(-1, 3)
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    unit = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    normals = np.repeat(unit, 2, axis=0)[:, None].repeat(3, axis=1).astype(np.float32)
    material = np.repeat(np.broadcast_to(np.asarray(which, dtype=np.int16), (count,)), 2)
    return Body(corners.reshape(-1, 3), faces, normals, material, tuple(materials))


def skin(vertices: F64, faces: Ints32, material: StreetMaterial) -> Body:
    """A smooth surface of one material."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    total = np.stack(
        [np.bincount(faces.ravel(), np.repeat(across[:, k], 3), len(vertices)) for k in range(3)], 1
    )
    unit = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
    normals = unit[faces].astype(np.float32)
    return Body(vertices, faces, normals, np.zeros(len(faces), dtype=np.int16), (material,))


def placed_mesh(mesh: Mesh, pose: Pose) -> Body:
    """A mesh at x, y, z (of the ground) and yaw."""
    cos, sin = np.cos(pose[3]), np.sin(pose[3])
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]], dtype=np.float32)
    normals = (mesh.corner_normals.reshape(-1, 3) @ turn.T).reshape(-1, 3, 3)
    return Body(mesh.placed(*pose), mesh.faces, normals, mesh.material, tuple(materials_of(mesh)))
