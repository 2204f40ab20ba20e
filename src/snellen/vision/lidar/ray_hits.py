"""The first hits of the rays of a scan on a mesh."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import F64, Ints, Ints32
from snellen.vision.compilation import read_only
from snellen.vision.lidar.scan import LidarScan


@dataclass(frozen=True, eq=False)
class Hits:
    """The rays of a scan that hit a mesh, each at its first hit.

    rays: (H,) ascending indices into the scan; distances: (H,) metres from the laser;
    faces: (H,) the face hit; cosines: (H,) of the angle between ray and face normal, 0 to 1.
    """

    rays: Ints
    distances: F64
    faces: Ints32
    cosines: F64


def hits(scan: LidarScan, vertices: F64, faces: Ints32) -> Hits:
    """The hits of the rays on a mesh: vertices (V, 3) in the LiDAR frame, faces (F, 3).

    Exact in float64: each triangle is tested against all rays in its range of angles. The range of
    the sensor is ignored.
    """
    from snellen.vision.lidar.ray_hit_kernels import cast

    vertices, faces = _checked_mesh(vertices, faces)
    order = np.argsort(scan.bands[:, 0])
    distances, met = cast(
        vertices,
        read_only(faces),
        scan.beams.heights,
        scan.bands,
        scan.first,
        scan.azimuths,
        scan.slopes,
        scan.directions,
        order,
        np.maximum.accumulate(scan.bands[order, 1]),
    )
    rays = np.flatnonzero(met >= 0)
    found = met[rays]
    return Hits(
        rays, distances[rays], found, _cosines(vertices[faces[found]], scan.directions[rays])
    )


def _checked_mesh(vertices: F64, faces: Ints32) -> tuple[F64, Ints32]:
    """The mesh, validated, in the dtypes that the compiled loops take."""
    if vertices.ndim != 2 or vertices.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3:
        raise UserError(
            f"mesh: vertices of shape {vertices.shape} and faces of shape {faces.shape}; expected "
            "(V, 3) and (F, 3)."
        )
    if len(faces) and not 0 <= int(faces.min()) <= int(faces.max()) < len(vertices):
        raise UserError(
            f"mesh: faces refer to vertices {faces.min()} to {faces.max()}, but there are "
            f"{len(vertices)}. Load the mesh again."
        )
    if not np.isfinite(vertices).all():
        raise UserError("mesh: a vertex is not a number. Load the mesh again.")
    return (
        np.ascontiguousarray(vertices, dtype=np.float64),
        np.ascontiguousarray(faces, dtype=np.int32),
    )


def _cosines(triangles: F64, directions: F64) -> F64:
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(normals, axis=1)
    along = np.abs(np.einsum("ij,ij->i", normals, directions))
    return np.asarray(np.clip(along / np.maximum(length, 1e-300), 0.0, 1.0))
