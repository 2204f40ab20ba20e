"""Colours of a mesh by path tracing, with self-shadowing and reflections of itself and the sky.

Needs mitsuba (extra `hq`). The geometry comes from the z-buffer; only the colours differ.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from snellen.errors import MissingExtraError
from snellen.vision.arrays import F64, Ints
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import (
    RenderableMesh,
    ShadedSamples,
    camera_centre,
    linear_from_srgb,
    yaw_rotation,
)
from snellen.vision.rendering.mitsuba_materials import bsdf, environment_map
from snellen.vision.solids.coordinate_frames import CoordinateFrames

PATHS = 64
DEPTH = 5


@lru_cache(maxsize=1)
def _mitsuba() -> Any:
    try:
        mitsuba = import_module("mitsuba")
    except ImportError:
        raise MissingExtraError("Rendering of quality 'hq'", "hq") from None
    mitsuba.set_variant("scalar_rgb")
    return mitsuba


def path_traced_samples(
    drawn: ShadedSamples,
    mesh: RenderableMesh,
    pose: tuple[float, float, float, float],
    frames: CoordinateFrames,
    shape: tuple[int, int],
    light: Light,
    *,
    paths: int = PATHS,
    seed: int = 0,
) -> ShadedSamples:
    """The samples with path-traced colours, `paths` per pixel.

    drawn: of the same mesh, pose, frames and shape. A pixel without a path keeps its colour.
    """
    fragments = drawn.fragments
    n = fragments.samples
    height, width = fragments.depth.shape[0] // n, fragments.depth.shape[1] // n
    if not len(fragments.rows):
        return drawn
    mi = _mitsuba()
    window = fragments.left, fragments.top, width, height
    scene = mi.load_dict(_scene(mi, mesh, pose, frames, shape, window, light))
    rgba = np.array(mi.render(scene, spp=paths, seed=seed), dtype=np.float64)
    pixel = rgba[fragments.rows // n, fragments.columns // n]
    colour = pixel[:, :3] / np.maximum(pixel[:, 3:], 1e-6)
    own = drawn.colours if fragments.shared is None else drawn.colours[fragments.shared]
    return replace(
        drawn,
        fragments=replace(fragments, shared=None),
        colours=np.where(pixel[:, 3:] > 0.5 / paths, colour, own),
    )


def _scene(
    mi: Any,
    mesh: RenderableMesh,
    pose: tuple[float, float, float, float],
    frames: CoordinateFrames,
    shape: tuple[int, int],
    window: tuple[int, int, int, int],
    light: Light,
) -> dict[str, Any]:
    table = light.table()
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": DEPTH, "hide_emitters": True},
        "sensor": _camera(mi, frames, shape, window),
        "sky": {
            "type": "envmap",
            "bitmap": mi.Bitmap(environment_map(table)),
            "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
        },
        "sun": {
            "type": "directional",
            "direction": (-table[0]).tolist(),
            "irradiance": {"type": "rgb", "value": (np.pi * table[1]).tolist()},
        },
    }
    turn = yaw_rotation(pose[3])
    vertices = mesh.vertices @ turn.T + np.asarray(pose[:3])
    normals = mesh.corner_normals @ turn.T
    for index in np.unique(mesh.material):
        faces = np.flatnonzero(mesh.material == index)
        scene[f"part{index}"] = _part(mi, mesh, int(index), faces, vertices, normals)
    return scene


def _part(
    mi: Any,
    mesh: RenderableMesh,
    index: int,
    faces: Ints,
    vertices: F64,
    normals: F64,
) -> Any:
    """The faces of one material, each with its own corners, so that normals may differ."""
    name = mesh.materials[index]
    textured = name == "texture" and mesh.uv is not None
    albedo = linear_from_srgb(mesh.colours[index] / 255.0)
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(bsdf(mi, name, albedo, mesh.texture if textured else None))
    count = 3 * len(faces)
    part = mi.Mesh(
        f"part{index}", count, len(faces), props,
        has_vertex_normals=True, has_vertex_texcoords=textured,
    )  # fmt: skip
    values = mi.traverse(part)
    values["vertex_positions"] = vertices[mesh.faces[faces]].astype(np.float32).ravel()
    values["vertex_normals"] = np.ascontiguousarray(normals[faces], dtype=np.float32).ravel()
    values["faces"] = np.arange(count, dtype=np.uint32)
    if textured and mesh.uv is not None:
        values["vertex_texcoords"] = mesh.uv[faces].astype(np.float32).ravel()
    values.update()
    return part


def _camera(
    mi: Any, frames: CoordinateFrames, shape: tuple[int, int], window: tuple[int, int, int, int]
) -> dict[str, Any]:
    """The camera of the frame, with its full projection, for the pixels of a window.

    Mitsuba's x points left and its y up; a pixel centre is half a pixel from its corner.
    """
    lens, axes = _lens(frames)
    height, width = shape
    left, top, across, down = window
    world = np.eye(4)
    world[:3, :3] = frames.lidar_from_camera[:3, :3] @ axes.T @ np.diag([-1.0, -1.0, 1.0])
    world[:3, 3] = camera_centre(frames)
    return {
        "type": "perspective",
        "fov": float(np.degrees(2 * np.arctan(width / (2 * lens[0, 0])))),
        "fov_axis": "x",
        "principal_point_offset_x": float(0.5 - (lens[0, 2] + 0.5) / width),
        "principal_point_offset_y": float(0.5 - (lens[1, 2] + 0.5) / height),
        "near_clip": 0.1,
        "far_clip": 1000.0,
        "to_world": mi.ScalarTransform4f(world),
        "film": {
            "type": "hdrfilm", "width": width, "height": height, "pixel_format": "rgba",
            "component_format": "float32", "rfilter": {"type": "box"},
            "crop_offset_x": left, "crop_offset_y": top,
            "crop_width": across, "crop_height": down,
        },
        "sampler": {"type": "multijitter", "sample_count": PATHS},
    }  # fmt: skip


def _lens(frames: CoordinateFrames) -> tuple[F64, F64]:
    """Intrinsics (3, 3) with 1 in the corner, and the rotation (3, 3) applied before them."""
    from scipy.linalg import rq

    upper, axes = rq(frames.projection[:, :3])
    signs = np.diag(np.sign(np.diag(upper)))
    upper, axes = upper @ signs, signs @ axes
    return upper / upper[2, 2], np.asarray(axes, dtype=np.float64)
