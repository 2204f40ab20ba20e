"""Compiled loops that shade samples by material, normal, view and light.

Vectors are in one frame with z up. The light is the table of `Light.table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import AnyArray
from snellen.vision.compilation import compiled

# Per material: gloss (share of mirror reflection seen head on), sharpness of the sun's highlight,
# strength of that highlight, share of the environment in mirror reflections.
FINISHES = {
    "paint": (0.045, 220.0, 0.9, 1.0),
    "glass": (0.075, 700.0, 2.0, 1.0),
    "tyre": (0.015, 6.0, 0.03, 0.3),
    "chrome": (0.55, 90.0, 0.8, 0.9),
    "light-front": (0.16, 200.0, 0.9, 1.0),
    "light-rear": (0.06, 200.0, 0.9, 1.0),
    "cloth": (0.0, 4.0, 0.02, 0.2),
    "skin": (0.02, 12.0, 0.05, 0.3),
    "hair": (0.02, 18.0, 0.08, 0.3),
    "plastic": (0.03, 20.0, 0.10, 0.5),
    "texture": (0.03, 40.0, 0.25, 0.6),
}
HORIZON_SOFTNESS = 0.05
SKYLINE = 0.16
SKYLINE_SOFTNESS = 0.14


@compiled
def environment(up: float, light: AnyArray, channel: int) -> Any:
    """Radiance from a direction with this upward component: ground, surroundings or sky."""
    ground = light[4, channel]
    if up < -HORIZON_SOFTNESS:
        return ground * (1.0 - 0.35 * min(-up, 1.0))
    sky = light[3, channel] + (light[2, channel] - light[3, channel]) * np.sqrt(max(up, 0.0))
    around = 0.45 * ground + 0.16 * sky
    if up < HORIZON_SOFTNESS:
        share = (up + HORIZON_SOFTNESS) / (2 * HORIZON_SOFTNESS)
        return ground * (1 - share) + around * share
    share = min(max((up - SKYLINE) / SKYLINE_SOFTNESS, 0.0), 1.0)
    return around * (1 - share) + sky * share


@compiled
def face_viewer(normals: AnyArray, places: AnyArray, eye: AnyArray) -> None:
    """Normalise normals (S, 3) at places (S, 3) and turn them towards the eye, in place."""
    for i in range(len(normals)):
        length, facing = 0.0, 0.0
        for d in range(3):
            length += normals[i, d] ** 2
            facing += normals[i, d] * (eye[d] - places[i, d])
        scale = (1.0 if facing >= 0 else -1.0) / max(np.sqrt(length), 1e-12)
        for d in range(3):
            normals[i, d] *= scale


@compiled
def shade(
    albedo: AnyArray,
    pick: AnyArray,
    finish: AnyArray,
    material: AnyArray,
    normal: AnyArray,
    place: AnyArray,
    eye: AnyArray,
    light: AnyArray,
) -> AnyArray:
    """(S, 3) linear RGB of samples.

    albedo: (K, 3) linear, of which sample i has row pick[i]. finish: (M, 4) rows of FINISHES, of
    which it has row material[i]. normal: (S, 3) unit, facing the eye (3,). place: (S, 3) metres, z
    above the ground.
    """
    colour = np.empty((len(normal), 3))
    for i in range(len(normal)):
        base, gloss = albedo[pick[i]], finish[material[i]]
        nx, ny, nz = normal[i, 0], normal[i, 1], normal[i, 2]
        vx, vy, vz = eye[0] - place[i, 0], eye[1] - place[i, 1], eye[2] - place[i, 2]
        scale = 1.0 / max(np.sqrt(vx * vx + vy * vy + vz * vz), 1e-12)
        facing = min((nx * vx + ny * vy + nz * vz) * scale, 1.0)
        mx = 2 * facing * nx - vx * scale
        my = 2 * facing * ny - vy * scale
        mz = 2 * facing * nz - vz * scale
        lit = max(nx * light[0, 0] + ny * light[0, 1] + nz * light[0, 2], 0.0)
        gleam = 0.0
        if lit > 0:
            aligned = mx * light[0, 0] + my * light[0, 1] + mz * light[0, 2]
            # Beyond this it is below a thousandth, and powers are expensive.
            if (1 - aligned) * gloss[1] < 7.0:
                gleam = aligned ** gloss[1] * gloss[2]
        grazing = (1 - facing) * (1 - facing)
        fresnel = gloss[0] + (1 - gloss[0]) * grazing * grazing * (1 - facing) * gloss[3]
        up = 0.5 + 0.5 * nz
        # Near the ground, and mostly under the body, less of sky and ground is visible.
        low = max(place[i, 2], 0.0)
        opening = 1.0 - (0.75 - 0.45 * up) * np.exp(-low / 0.28) if low < 2.0 else 1.0
        for c in range(3):
            ambient = (light[4, c] * (1 - up) + light[5, c] * up) * opening
            diffuse = base[c] * (ambient + light[1, c] * lit)
            reflected = environment(mz, light, c) * opening
            colour[i, c] = diffuse * (1 - fresnel) + fresnel * reflected + gleam * light[1, c]
    return colour


@compiled
def pixel_means(
    colour: AnyArray,
    shared: AnyArray,
    rows: AnyArray,
    columns: AnyArray,
    mask: AnyArray,
    samples: int,
    shape: Any,
) -> AnyArray:
    """(h, w, 4) float32: the mean light, at most 1, of the masked samples of each pixel, and alpha.

    colour: (K, 3), of which the samples at rows and columns (S,) of a grid of this shape take the
    rows shared (S,). mask: (S,) the samples that count.
    """
    height, width = shape[0] // samples, shape[1] // samples
    rgba = np.zeros((height, width, 4), dtype=np.float32)
    for i in range(len(rows)):
        if mask[i]:
            pixel = rgba[rows[i] // samples, columns[i] // samples]
            for c in range(3):
                pixel[c] += colour[shared[i], c]
            pixel[3] += 1
    for r in range(height):
        for c in range(width):
            count = rgba[r, c, 3]
            if count > 0:
                for k in range(3):
                    rgba[r, c, k] = min(rgba[r, c, k] / count, np.float32(1.0))
                rgba[r, c, 3] = count / (samples * samples)
    return rgba
