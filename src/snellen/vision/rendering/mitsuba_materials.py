"""Materials and sky as mitsuba scene descriptions."""

from __future__ import annotations

from typing import Any

import numpy as np

from snellen.vision.arrays import F32, F64, Bytes

# Roughness, specular, clear coat and metallic share of mitsuba's principled BSDF.
FINISHES = {
    "paint": (0.35, 0.5, 1.0, 0.0),
    "glass": (0.05, 0.8, 0.0, 0.0),
    "tyre": (0.8, 0.25, 0.0, 0.0),
    "chrome": (0.18, 0.9, 0.0, 0.9),
    "light-front": (0.1, 0.8, 0.5, 0.3),
    "light-rear": (0.15, 0.6, 0.5, 0.0),
    "cloth": (0.95, 0.1, 0.0, 0.0),
    "skin": (0.55, 0.35, 0.0, 0.0),
    "hair": (0.5, 0.35, 0.0, 0.0),
    "plastic": (0.5, 0.4, 0.0, 0.0),
    "texture": (0.5, 0.4, 0.2, 0.0),
}
ROWS, COLUMNS = 64, 128


def bsdf(mi: Any, name: str, albedo: F64, texture: Bytes | None) -> dict[str, Any]:
    """The BSDF of a material: linear RGB albedo (3,), or a texture (H, W, 3)."""
    roughness, specular, coat, metallic = FINISHES[name]
    colour: Any = {"type": "rgb", "value": albedo.tolist()}
    if texture is not None:
        bitmap = mi.Bitmap(np.ascontiguousarray(texture[..., :3]))
        colour = {"type": "bitmap", "bitmap": bitmap, "raw": False}
    surface: dict[str, Any] = {
        "type": "principled", "base_color": colour, "roughness": roughness,
        "specular": specular, "metallic": metallic,
    }  # fmt: skip
    if coat:
        surface |= {"clearcoat": coat, "clearcoat_gloss": 0.95}
    return {"type": "twosided", "bsdf": surface}


def environment_map(table: F64) -> F32:
    """(64, 128, 3) environment radiance of a `Light.table`, top row straight up.

    The sky is scaled so that it gives level ground the ambient light of the table.
    """
    up = np.cos(np.pi * (np.arange(ROWS) + 0.5) / ROWS)
    zenith, horizon, ground, ambient = table[2], table[3], table[4], table[5]
    sky = horizon + (zenith - horizon) * np.sqrt(np.maximum(up, 0))[:, None]
    weight = np.maximum(up, 0) * np.sqrt(1 - up**2)
    mean = (sky * weight[:, None]).sum(axis=0) / weight.sum()
    sky *= ambient / np.maximum(mean, 1e-6)
    rows = np.where((up > 0)[:, None], sky, ground)
    return np.repeat(rows[:, None], COLUMNS, axis=1).astype(np.float32)
