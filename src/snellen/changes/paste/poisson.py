"""Poisson blending: the gradients of an object, solved for the colours of its surroundings.

It solves the same problem as OpenCV's `seamlessClone` (normal clone). That function removes three
pixels from every edge (all of a small object), overwrites its mask argument, and raises an error
where an object meets the border of the image.
"""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.stencil import to_bytes
from snellen.vision.arrays import F64, Bools, Image


def poisson(target: Image, colours: Image, inside: Bools) -> Image:
    """The target with the gradients of `colours` between neighbouring pixels that are both inside.

    target, colours: (h, w, 3). inside: (h, w). Pixels around the target keep their values, and the
    rest of the target adapts to the object, as in OpenCV. Colours equal to the target's change
    nothing.
    """
    wanted = colours.astype(np.float64) - target
    return to_bytes(target + _solve(wanted, inside))


def _solve(wanted: F64, inside: Bools) -> F64:
    """The change, 0 around the rectangle, whose gradients are nearest to those of `wanted`.

    Between pixels that are not both inside, the wanted gradient is 0.
    """
    across = (inside[:, 1:] & inside[:, :-1])[..., None] * np.diff(wanted, axis=1)
    down = (inside[1:] & inside[:-1])[..., None] * np.diff(wanted, axis=0)
    divergence = np.zeros_like(wanted)
    divergence[:, :-1] += across
    divergence[:, 1:] -= across
    divergence[:-1] += down
    divergence[1:] -= down
    return _inverse_laplacian(divergence)


def _inverse_laplacian(values: F64) -> F64:
    """The (h, w, 3) field that is 0 just outside and has `values` as five-point Laplacian."""
    from scipy.fft import dstn, idstn

    rows, columns = (
        2 * np.cos(np.pi * np.arange(1, n + 1) / (n + 1)) - 2 for n in values.shape[:2]
    )
    waves = dstn(values, type=1, axes=(0, 1))
    waves /= (rows[:, None] + columns[None, :])[..., None]
    field: F64 = idstn(waves, type=1, axes=(0, 1))
    return field
