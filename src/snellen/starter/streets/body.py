"""Surfaces that stand in a street, in the LiDAR frame, and how they are joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.objects.meshes.mesh import Mesh
from snellen.starter.streets.street_materials import StreetMaterial, materials_of

Floats = npt.NDArray[np.float64]
Pose = tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Body:
    """Triangles with their looks; metres in the LiDAR frame (x forward, y left, z up).

    vertices: (V, 3). faces: (F, 3). normals: (F, 3, 3) unit, at the corners. look: (F,) int16,
    index into looks.
    """

    vertices: Floats
    faces: npt.NDArray[np.int32]
    normals: npt.NDArray[np.float32]
    look: npt.NDArray[np.int16]
    looks: tuple[StreetMaterial, ...]


def joined(bodies: Sequence[Body]) -> Body:
    """All of them as one, their faces one after the other."""
    starts = np.cumsum([0, *(len(body.vertices) for body in bodies)])
    shifts = np.cumsum([0, *(len(body.looks) for body in bodies)])
    return Body(
        np.concatenate([body.vertices for body in bodies]),
        np.concatenate([b.faces + s for b, s in zip(bodies, starts, strict=False)]).astype("i4"),
        np.concatenate([body.normals for body in bodies]),
        np.concatenate([b.look + s for b, s in zip(bodies, shifts, strict=False)]).astype("i2"),
        tuple(look for body in bodies for look in body.looks),
    )


def sheet(corners: Floats, looks: Sequence[StreetMaterial], which: npt.ArrayLike = 0) -> Body:
    """Flat quads: corners (Q, 4, 3) one after the other around, each with one of the looks."""
    count = len(corners)
    halves = np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32)
    faces = (4 * np.arange(count, dtype=np.int32)[:, None, None] + halves).reshape(-1, 3)
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    unit = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    normals = np.repeat(unit, 2, axis=0)[:, None].repeat(3, axis=1).astype(np.float32)
    look = np.repeat(np.broadcast_to(np.asarray(which, dtype=np.int16), (count,)), 2)
    return Body(corners.reshape(-1, 3), faces, normals, look, tuple(looks))


def skin(vertices: Floats, faces: npt.NDArray[np.int32], look: StreetMaterial) -> Body:
    """A surface of one look, smooth all over."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    total = np.stack(
        [np.bincount(faces.ravel(), np.repeat(across[:, k], 3), len(vertices)) for k in range(3)], 1
    )
    unit = total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-12)
    normals = unit[faces].astype(np.float32)
    return Body(vertices, faces, normals, np.zeros(len(faces), dtype=np.int16), (look,))


def placed_mesh(mesh: Mesh, pose: Pose) -> Body:
    """A mesh at x, y, z (of the ground) and yaw."""
    cos, sin = np.cos(pose[3]), np.sin(pose[3])
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]], dtype=np.float32)
    normals = (mesh.corner_normals.reshape(-1, 3) @ turn.T).reshape(-1, 3, 3)
    return Body(mesh.placed(*pose), mesh.faces, normals, mesh.material, tuple(materials_of(mesh)))
