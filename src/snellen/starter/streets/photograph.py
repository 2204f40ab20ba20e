"""The camera's picture of a street."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from snellen.objects.meshes.mesh import Mesh
from snellen.starter.streets.body import Body, joined
from snellen.starter.streets.grain import grain
from snellen.starter.streets.sky import sky
from snellen.starter.streets.street_road import SENSOR_HEIGHT
from snellen.starter.streets.sunlight import SunMap, sun_map
from snellen.starter.streets.world import World
from snellen.vision.arrays import F64, Bools, Bytes, Ints, Ints32
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import linear_from_srgb, pixel_colours, srgb_from_linear
from snellen.vision.rendering.shadows import SkyOcclusion, sky_occlusion
from snellen.vision.rendering.zbuffer import NEAR, Fragments, zbuffer
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

OPEN = 10.0
"""Metres by which the ground is lifted for the renderer, which darkens surfaces near it."""
HAZE = 700.0
NOISE, GAIN, BLUR = 0.8, 0.012, 0.45
CONTACT = 0.85
ROW = 1024


@dataclass(frozen=True, eq=False)
class CameraView:
    """The rasterised view of a street.

    whole: the street as one body. owner: (F,) the object's number of each face, -1 without a
    label. fragments: the samples.
    """

    whole: Body
    owner: Ints32
    fragments: Fragments


def camera_view(street: World, frames: CoordinateFrames, shape: tuple[int, int]) -> CameraView:
    """The view in a picture of this height and width."""
    parts = [street.fixed, *street.bodies]
    whole = joined(parts)
    owner = np.repeat(np.arange(-1, len(street.bodies)), [len(part.faces) for part in parts])
    points = frames.lidar_to_camera(LidarPoints(whole.vertices))
    near = np.flatnonzero(in_view(np.asarray(points), whole.faces, frames.projection, shape))
    fragments = zbuffer(points, whole.faces[near], frames.projection, shape, sharing=True)
    named = np.append(near, -1).astype(np.int32)
    fragments = replace(fragments, face=named[fragments.face], owners=named[fragments.owners])
    return CameraView(whole, owner.astype(np.int32), fragments)


def in_view(points: F64, faces: Ints32, projection: F64, shape: tuple[int, int]) -> Bools:
    """(F,) whether a face may be visible: not entirely beyond one side, or behind the camera.

    Drawing a face that passes beside the camera costs as much as the whole picture.
    """
    u, v, w = (points @ projection[:, :3].T + projection[:, 3]).T
    height, width = shape
    outside = np.stack([w < NEAR, u < -w, u > width * w, v < -w, v > height * w], axis=1)
    return np.asarray(~(outside[faces[:, 0]] & outside[faces[:, 1]] & outside[faces[:, 2]]).any(1))


def photograph(
    street: World,
    view: CameraView,
    frames: CoordinateFrames,
    light: Light,
    rng: np.random.Generator,
) -> Bytes:
    """(H, W, 3) uint8 RGB. rng: for clouds and camera noise."""
    whole, fragments = view.whole, view.fragments
    places = fragments.interpolated_vertices(whole.vertices, whole.faces)
    normals = fragments.interpolated(whole.normals)
    towards = light.table()[0]
    sun = sun_map(whole.vertices, whole.faces, towards, -SENSOR_HEIGHT)
    colours = _colours(street, view, places, normals, (frames, light, sun))
    rgba = pixel_colours(colours, fragments, gamma=1.0)
    height, width = (
        fragments.depth.shape[0] // fragments.samples,
        fragments.depth.shape[1] // fragments.samples,
    )
    behind = sky((height, width), frames, light, rng)
    glow = rgba[..., :3] + behind * (1 - rgba[..., 3:])
    return _developed(srgb_from_linear(glow.astype(np.float64)), rng)


def _colours(
    street: World,
    view: CameraView,
    places: F64,
    normals: F64,
    lit_by: tuple[CoordinateFrames, Light, SunMap],
) -> F64:
    """(K, 3) linear RGB of the shaded samples, hazy where they are far."""
    from snellen.vision.rendering.shading_kernels import FINISHES, face_viewer, shade

    frames, light, sun = lit_by
    whole, fragments = view.whole, view.fragments
    material = whole.material[fragments.owners].astype(np.int64)
    eye = _eye(frames)
    face_viewer(normals, places, eye)
    away = np.linalg.norm(places - eye, axis=1)
    albedo = _albedo(whole, material, places, away)
    finish = np.array([FINISHES[one.finish] for one in whole.materials])
    ground = np.array([one.ground for one in whole.materials])[material]
    lift = np.array([0.0, 0.0, SENSOR_HEIGHT])
    raised = places + lift
    raised[ground, 2] += OPEN
    # Ground is raised together with the eye, so that the angles do not change.
    every = np.arange(len(material))
    shaded = np.empty((len(material), 3))
    table, sunless = light.table(), light.sunlit(0.0).table()
    through = sun.lit(places, normals)
    hidden = _contact(street, places, ground)
    for part, lens in ((ground, eye + lift + [0, 0, OPEN]), (~ground, eye + lift)):
        some = every[part]
        arguments = (albedo, some, finish, material[part], normals[part], raised[part], lens)
        dark, bright = shade(*arguments, sunless), shade(*arguments, table)
        shaded[part] = dark * (1 - hidden[part, None]) + through[part, None] * (bright - dark)
    haze = (1 - np.exp(-away / HAZE))[:, None]
    return np.asarray(shaded * (1 - haze) + haze * table[3])


def _albedo(whole: Body, material: Ints, places: F64, away: F64) -> F64:
    base = linear_from_srgb(np.array([one.colour for one in whole.materials]) / 255.0)[material]
    rough = np.array([one.grain for one in whole.materials])[material]
    rough_here = rough > 0
    vary = np.ones(len(material))
    spots = grain(places[rough_here], away[rough_here])
    vary[rough_here] = np.exp(rough[rough_here] * spots)
    return np.asarray(np.minimum(base * vary[:, None], 0.95))


def _contact(street: World, places: F64, ground: Bools) -> F64:
    """(K,) the share of the sky that objects hide from the ground around them."""
    hidden = np.zeros(len(places))
    on = np.flatnonzero(ground)
    x, y = places[on, 0], places[on, 1]
    for thing in street.objects:
        px, py, _, yaw = thing.pose
        reach = max(thing.mesh.size[:2]) / 2 + 1.3
        near = on[(np.abs(x - px) < reach) & (np.abs(y - py) < reach)]
        if not len(near):
            continue
        dx, dy = places[near, 0] - px, places[near, 1] - py
        cos, sin = np.cos(yaw), np.sin(yaw)
        own = _own_occlusion(thing.mesh)
        share = _shares(own, dx * cos + dy * sin, dy * cos - dx * sin)
        hidden[near] = np.maximum(hidden[near], CONTACT * share)
    return hidden


def _shares(own: SkyOcclusion, x: F64, y: F64) -> F64:
    """(K,) the hidden share at places in an object's frame; in rows, since OpenCV limits them."""
    rows = -(-len(x) // ROW)
    flat = np.zeros((2, rows * ROW))
    flat[0, : len(x)], flat[1, : len(x)] = x, y
    table = own.at(flat[0].reshape(rows, ROW), flat[1].reshape(rows, ROW))
    return np.asarray(table.ravel()[: len(x)], dtype=np.float64)


@lru_cache(maxsize=64)
def _own_occlusion(mesh: Mesh) -> SkyOcclusion:
    return sky_occlusion(mesh.vertices, mesh.faces, closed=mesh.closed_share == 1.0)


def _eye(frames: CoordinateFrames) -> F64:
    lens, shift = frames.projection[:, :3], frames.projection[:, 3]
    centre = -np.linalg.solve(lens, shift)
    return np.asarray(frames.lidar_from_camera[:3, :3] @ centre + frames.lidar_from_camera[:3, 3])


def _developed(values: F64, rng: np.random.Generator) -> Bytes:
    """The picture of sharp values in [0, 1], with blur and noise."""
    import cv2

    soft = cv2.GaussianBlur((255 * values).astype(np.float32), (0, 0), BLUR)
    noise = np.sqrt(NOISE + GAIN * soft) * rng.standard_normal(soft.shape, dtype=np.float32)
    return np.asarray(np.clip(np.rint(soft + noise), 0, 255), dtype=np.uint8)
