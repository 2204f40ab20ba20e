"""The compiled loop that gives each sample its colour from material, normal, view and light.

Vectors are in the LiDAR frame (z up). The light is the table of `Light.table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.compiled import compiled

Array = Any

# Per material: gloss (share of mirror reflection seen head on), mirror sharpness of the sun's
# highlight, strength of that highlight, share of the environment that a mirror direction shows.
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
HORIZON_SOFTNESS = 0.06


@compiled
def environment(up: float, light: Array, channel: int) -> float:
    """Radiance from a direction of this upward component: ground, horizon or sky."""
    if up < -HORIZON_SOFTNESS:
        return light[4, channel] * (1.0 - 0.35 * min(-up, 1.0))
    sky = light[3, channel] + (light[2, channel] - light[3, channel]) * max(up, 0.0) ** 0.6
    if up >= HORIZON_SOFTNESS:
        return sky
    share = (up + HORIZON_SOFTNESS) / (2 * HORIZON_SOFTNESS)
    return light[4, channel] * (1 - share) + sky * share


@compiled
def shade(
    albedo: Array, finish: Array, normal: Array, towards: Array, height: Array, light: Array
) -> Array:
    """(S, 3) linear RGB.

    albedo: (S, 3) linear. finish: (S, 4) row of FINISHES. normal: (S, 3), any length, turned to the
    viewer here. towards: (S, 3) to the viewer, any length. height: (S,) metres above the ground.
    """
    colour = np.empty((len(albedo), 3))
    for i in range(len(albedo)):
        n = normal[i] / max(np.sqrt((normal[i] ** 2).sum()), 1e-12)
        v = towards[i] / max(np.sqrt((towards[i] ** 2).sum()), 1e-12)
        facing = (n * v).sum()
        if facing < 0:
            n, facing = -n, -facing
        mirror = 2 * facing * n - v
        lit = max((n * light[0]).sum(), 0.0)
        gleam = max((mirror * light[0]).sum(), 0.0) ** finish[i, 1] * finish[i, 2]
        fresnel = finish[i, 0] + (1 - finish[i, 0]) * (1 - facing) ** 5 * finish[i, 3]
        up = 0.5 + 0.5 * n[2]
        # Close to the ground, and most under the body, less of sky and ground is seen.
        opening = 1.0 - (0.75 - 0.45 * up) * np.exp(-max(height[i], 0.0) / 0.28)
        for c in range(3):
            sky = 0.35 * light[2, c] + 0.65 * light[3, c]
            ambient = (light[4, c] * (1 - up) + sky * up) * opening
            diffuse = albedo[i, c] * (ambient + light[1, c] * lit)
            reflected = environment(mirror[2], light, c) * opening
            colour[i, c] = (
                diffuse * (1 - fresnel) + fresnel * reflected + gleam * light[1, c] * (lit > 0)
            )
    return colour
