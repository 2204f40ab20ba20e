"""Rendering of a placed mesh: shaded samples and anti-aliased pixel colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Bytes, Ints16, Ints32
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.zbuffer import NEAR, Fragments, zbuffer
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints


class RenderableMesh(Protocol):
    """What the renderer needs of a mesh; see `objects.meshes.mesh.Mesh`."""

    @property
    def vertices(self) -> F64: ...  # noqa: D102
    @property
    def faces(self) -> Ints32: ...  # noqa: D102
    @property
    def material(self) -> Ints16: ...  # noqa: D102
    @property
    def materials(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def colours(self) -> Bytes: ...  # noqa: D102
    @property
    def corner_normals(self) -> F32: ...  # noqa: D102
    @property
    def closed_share(self) -> float: ...  # noqa: D102
    @property
    def uv(self) -> F32 | None: ...  # noqa: D102
    @property
    def texture(self) -> Bytes | None: ...  # noqa: D102


@dataclass(frozen=True, eq=False)
class ShadedSamples:
    """The samples of a mesh with their positions and colours.

    fragments: in the image; K of its samples are shaded. colours: (K, 3) linear RGB. places:
    (K, 3) metres and normals: (K, 3) unit, facing the camera, in the mesh's own frame.
    """

    fragments: Fragments
    colours: F64
    places: F64
    normals: F64


def shaded_samples(
    mesh: RenderableMesh,
    pose: tuple[float, float, float, float],
    frames: CoordinateFrames,
    shape: tuple[int, int],
    *,
    light: Light | None = None,
    samples: int = 2,
    near: float = NEAR,
    sharing: bool = False,
) -> ShadedSamples:
    """The shaded samples of a mesh at a pose x, y, z (of the ground), yaw in the LiDAR frame.

    shape: height and width of the image in pixels. samples: per side of a pixel. near: metres from
    the camera below which nothing is drawn. sharing: samples of a pixel on the same face are shaded
    once.
    """
    from snellen.vision.rendering.shading_kernels import face_viewer

    turn, origin = yaw_rotation(pose[3]), np.asarray(pose[:3], dtype=np.float64)
    points = frames.lidar_to_camera(LidarPoints(mesh.vertices @ turn.T + origin))
    closed = mesh.closed_share == 1.0
    fragments = zbuffer(
        points, mesh.faces, frames.projection, shape,
        samples=samples, near=near, closed=closed, sharing=sharing,
    )  # fmt: skip
    places = fragments.interpolated_vertices(mesh.vertices, mesh.faces)
    normals = fragments.interpolated(mesh.corner_normals)
    eye = (camera_centre(frames) - origin) @ turn
    face_viewer(normals, places, eye)
    table = (light or Light()).table()
    table[0] = table[0] @ turn
    return ShadedSamples(
        fragments, _colours(mesh, fragments, normals, places, eye, table), places, normals
    )


def yaw_rotation(yaw: float) -> F64:
    """(3, 3) rotation by yaw radians about z, counter-clockwise seen from above."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    return np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])


def camera_centre(frames: CoordinateFrames) -> F64:
    """(3,) the camera centre in the LiDAR frame: the null point of the projection."""
    lens, shift = frames.projection[:, :3], frames.projection[:, 3]
    centre = -np.linalg.solve(lens, shift)
    return np.asarray(frames.lidar_from_camera[:3, :3] @ centre + frames.lidar_from_camera[:3, 3])


def _colours(
    mesh: RenderableMesh, fragments: Fragments, normals: F64, places: F64, eye: F64, light: F64
) -> F64:
    """(K, 3) linear RGB of the shaded samples; everything in the mesh's own frame."""
    from snellen.vision.rendering.shading_kernels import FINISHES, shade

    material = mesh.material[fragments.owners].astype(np.int64)
    albedo, pick = linear_from_srgb(mesh.colours / 255.0), material
    if mesh.texture is not None and mesh.uv is not None:
        textured = np.array([name == "texture" for name in mesh.materials])[material]
        albedo, pick = albedo[material], np.arange(len(material))
        albedo[textured] = _texels(mesh.texture, fragments.interpolated(mesh.uv)[textured])
    finish = np.array([FINISHES[name] for name in mesh.materials])
    return np.asarray(shade(albedo, pick, finish, material, normals, places, eye, light))


def _texels(texture: Bytes, uv: F64) -> F64:
    """(S, 3) linear RGB of the texture at uv, from its lower left, nearest texel."""
    height, width = texture.shape[:2]
    column = np.clip((uv[:, 0] * width).astype(int), 0, width - 1)
    row = np.clip(((1 - uv[:, 1]) * height).astype(int), 0, height - 1)
    return linear_from_srgb(texture[row, column, :3] / 255.0)


def pixel_colours(
    colour: F64,
    fragments: Fragments,
    mask: Bools | None = None,
    gamma: float | None = None,
) -> F32:
    """(h, w, 4) values multiplied by alpha: the mean light of the covered samples of each pixel.

    colour: (K, 3) linear RGB of the shaded samples. mask: (S,) the samples that count, None for
    all. gamma: a value is the light to the power 1 / gamma; None for sRGB.
    """
    from snellen.vision.rendering.shading_kernels import pixel_means

    counted = np.ones(len(fragments.rows), dtype=bool) if mask is None else mask
    shared = np.arange(len(fragments.rows)) if fragments.shared is None else fragments.shared
    rgba = pixel_means(
        colour,
        shared,
        fragments.rows,
        fragments.columns,
        counted,
        fragments.samples,
        fragments.depth.shape,
    )
    if gamma is None:
        rgba[..., :3] = srgb_from_linear(rgba[..., :3])
    elif gamma != 1:
        rgba[..., :3] **= np.float32(1 / gamma)
    rgba[..., :3] *= rgba[..., 3:]
    return np.asarray(rgba)


def linear_from_srgb(values: F64) -> F64:
    """Linear light of sRGB values in [0, 1]."""
    low = values <= 0.04045
    return np.asarray(np.where(low, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def srgb_from_linear(values: F64) -> F64:
    """SRGB values in [0, 1] of linear light, clipped at 1.

    >>> srgb_from_linear(linear_from_srgb(np.array([0.0, 0.5, 1.0]))).round(6).tolist()
    [0.0, 0.5, 1.0]
    """
    light = np.clip(values, 0.0, 1.0)
    low = light <= 0.0031308
    return np.asarray(np.where(low, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055))
