"""The light of a scene: direction, colour and brightness of sun, sky and ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.vision.arrays import F64

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Light:
    """Sun, sky and ground, in linear light; a white sheet in full daylight is about 1.

    sun_direction: towards the sun, LiDAR frame (x forward, y left, z up), any length. sun, zenith,
    horizon, ground: linear RGB. exposure: a factor on everything. ambient: the light of a
    level white sheet from the sky alone, linear RGB; None derives it from zenith and horizon.
    """

    sun_direction: Vector = (-0.35, 0.45, 0.82)
    sun: Vector = (0.80, 0.76, 0.68)
    zenith: Vector = (0.30, 0.40, 0.56)
    horizon: Vector = (0.66, 0.70, 0.74)
    ground: Vector = (0.17, 0.16, 0.15)
    exposure: float = 1.0
    ambient: Vector | None = None

    def table(self) -> F64:
        """(6, 3) unit sun direction, sun, zenith, horizon, ground, ambient; exposure included."""
        towards = np.asarray(self.sun_direction, dtype=np.float64)
        open_sky = 0.35 * np.asarray(self.zenith) + 0.65 * np.asarray(self.horizon)
        ambient = open_sky if self.ambient is None else np.asarray(self.ambient)
        glow = np.array([self.sun, self.zenith, self.horizon, self.ground, ambient])
        return np.vstack([towards / np.linalg.norm(towards), glow * self.exposure])

    def sunlit(self, share: float) -> Light:
        """The light with only this share of the sun, 0 for full shade."""
        red, green, blue = self.sun
        return replace(self, sun=(share * red, share * green, share * blue))


OVERCAST = Light(
    sun_direction=(0.0, 0.0, 1.0),
    sun=(0.12, 0.12, 0.12),
    zenith=(0.62, 0.64, 0.66),
    horizon=(0.52, 0.53, 0.55),
    ground=(0.18, 0.18, 0.17),
)
