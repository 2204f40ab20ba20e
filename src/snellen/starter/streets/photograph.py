"""The camera's picture of a street."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from snellen.objects.meshes.mesh import Mesh
from snellen.starter.streets.body import Body, joined
from snellen.starter.streets.grain import grain
from snellen.starter.streets.sky import sky
from snellen.starter.streets.street_road import SENSOR_HEIGHT
from snellen.starter.streets.sunlight import SunMap, sun_map
from snellen.starter.streets.world import World
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import linear_from_srgb, pixel_colours, srgb_from_linear
from snellen.vision.rendering.shadows import SkyOcclusion, sky_occlusion
from snellen.vision.rendering.zbuffer import NEAR, Fragments, zbuffer
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

Floats = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]

OPEN = 10.0
"""Metres by which ground is lifted for the renderer, which darkens what lies close to it."""
HAZE = 700.0
NOISE, GAIN, BLUR = 0.8, 0.012, 0.45
CONTACT = 0.85
ROW = 1024


@dataclass(frozen=True, eq=False)
class CameraView:
    """What the camera sees of a street.

    whole: all of it as one body. owner: (F,) of each face the thing's number, -1 for what has no
    label. seen: the samples.
    """

    whole: Body
    owner: npt.NDArray[np.int32]
    seen: Fragments


def view(street: World, frames: CoordinateFrames, shape: tuple[int, int]) -> CameraView:
    """What the camera sees in a picture of this height and width."""
    parts = [street.fixed, *street.bodies]
    whole = joined(parts)
    owner = np.repeat(np.arange(-1, len(street.bodies)), [len(part.faces) for part in parts])
    points = frames.lidar_to_camera(LidarPoints(whole.vertices))
    near = np.flatnonzero(in_view(np.asarray(points), whole.faces, frames.projection, shape))
    seen = zbuffer(points, whole.faces[near], frames.projection, shape, sharing=True)
    named = np.append(near, -1).astype(np.int32)
    seen = replace(seen, face=named[seen.face], owners=named[seen.owners])
    return CameraView(whole, owner.astype(np.int32), seen)


def in_view(
    points: Floats, faces: npt.NDArray[np.int32], projection: Floats, shape: tuple[int, int]
) -> npt.NDArray[np.bool_]:
    """(F,) which faces are not wholly beyond one side of the picture, or behind the camera.

    Drawing a face that passes beside the camera costs as much as the entire picture.
    """
    u, v, w = (points @ projection[:, :3].T + projection[:, 3]).T
    height, width = shape
    outside = np.stack([w < NEAR, u < -w, u > width * w, v < -w, v > height * w], axis=1)
    return np.asarray(~(outside[faces[:, 0]] & outside[faces[:, 1]] & outside[faces[:, 2]]).any(1))


def photograph(
    street: World,
    shown: CameraView,
    frames: CoordinateFrames,
    light: Light,
    rng: np.random.Generator,
) -> Image:
    """(H, W, 3) uint8 RGB. rng: of clouds and of the camera's noise."""
    whole, seen = shown.whole, shown.seen
    places = seen.interpolated_vertices(whole.vertices, whole.faces)
    normals = seen.interpolated(whole.normals)
    towards = light.table()[0]
    sun = sun_map(whole.vertices, whole.faces, towards, -SENSOR_HEIGHT)
    colours = _colours(street, shown, places, normals, (frames, light, sun))
    rgba = pixel_colours(colours, seen, gamma=1.0)
    height, width = seen.depth.shape[0] // seen.samples, seen.depth.shape[1] // seen.samples
    behind = sky((height, width), frames, light, rng)
    glow = rgba[..., :3] + behind * (1 - rgba[..., 3:])
    return _developed(srgb_from_linear(glow.astype(np.float64)), rng)


def _colours(
    street: World,
    shown: CameraView,
    places: Floats,
    normals: Floats,
    lit_by: tuple[CoordinateFrames, Light, SunMap],
) -> Floats:
    """(K, 3) linear RGB of the shaded samples, hazy where they are far."""
    from snellen.vision.rendering.shading_kernels import FINISHES, face_viewer, shade

    frames, light, sun = lit_by
    whole, seen = shown.whole, shown.seen
    look = whole.look[seen.owners].astype(np.int64)
    eye = _eye(frames)
    face_viewer(normals, places, eye)
    away = np.linalg.norm(places - eye, axis=1)
    albedo = _albedo(whole, look, places, away)
    finish = np.array([FINISHES[one.finish] for one in whole.looks])
    ground = np.array([one.ground for one in whole.looks])[look]
    lift = np.array([0.0, 0.0, SENSOR_HEIGHT])
    raised = places + lift
    raised[ground, 2] += OPEN
    # Ground is raised together with the eye, so that the angles stay.
    every = np.arange(len(look))
    shaded = np.empty((len(look), 3))
    table, sunless = light.table(), light.sunlit(0.0).table()
    through = sun.lit(places, normals)
    hidden = _contact(street, places, ground)
    for part, lens in ((ground, eye + lift + [0, 0, OPEN]), (~ground, eye + lift)):
        some = every[part]
        arguments = (albedo, some, finish, look[part], normals[part], raised[part], lens)
        dark, bright = shade(*arguments, sunless), shade(*arguments, table)
        shaded[part] = dark * (1 - hidden[part, None]) + through[part, None] * (bright - dark)
    haze = (1 - np.exp(-away / HAZE))[:, None]
    return np.asarray(shaded * (1 - haze) + haze * table[3])


def _albedo(whole: Body, look: npt.NDArray[np.int64], places: Floats, away: Floats) -> Floats:
    base = linear_from_srgb(np.array([one.colour for one in whole.looks]) / 255.0)[look]
    rough = np.array([one.grain for one in whole.looks])[look]
    rough_here = rough > 0
    vary = np.ones(len(look))
    spots = grain(places[rough_here], away[rough_here])
    vary[rough_here] = np.exp(rough[rough_here] * spots)
    return np.asarray(np.minimum(base * vary[:, None], 0.95))


def _contact(street: World, places: Floats, ground: npt.NDArray[np.bool_]) -> Floats:
    """(K,) the share of the sky that things hide from the ground around them."""
    hidden = np.zeros(len(places))
    on = np.flatnonzero(ground)
    x, y = places[on, 0], places[on, 1]
    for thing in street.things:
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


def _shares(own: SkyOcclusion, x: Floats, y: Floats) -> Floats:
    """(K,) what is hidden at places in a thing's own frame; in rows, since OpenCV limits them."""
    rows = -(-len(x) // ROW)
    flat = np.zeros((2, rows * ROW))
    flat[0, : len(x)], flat[1, : len(x)] = x, y
    table = own.at(flat[0].reshape(rows, ROW), flat[1].reshape(rows, ROW))
    return np.asarray(table.ravel()[: len(x)], dtype=np.float64)


@lru_cache(maxsize=64)
def _own_occlusion(mesh: Mesh) -> SkyOcclusion:
    return sky_occlusion(mesh.vertices, mesh.faces, closed=mesh.closed_share == 1.0)


def _eye(frames: CoordinateFrames) -> Floats:
    lens, shift = frames.projection[:, :3], frames.projection[:, 3]
    centre = -np.linalg.solve(lens, shift)
    return np.asarray(frames.lidar_from_camera[:3, :3] @ centre + frames.lidar_from_camera[:3, 3])


def _developed(values: Floats, rng: np.random.Generator) -> Image:
    """Sharp values in [0, 1] as a camera gives them: a little soft, and noisy."""
    import cv2

    soft = cv2.GaussianBlur((255 * values).astype(np.float32), (0, 0), BLUR)
    noise = np.sqrt(NOISE + GAIN * soft) * rng.standard_normal(soft.shape, dtype=np.float32)
    return np.asarray(np.clip(np.rint(soft + noise), 0, 255), dtype=np.uint8)
