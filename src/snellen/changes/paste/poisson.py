"""Poisson blending: an object's gradients, in the light of the place where it is put.

It solves what OpenCV's `seamlessClone` (normal clone) solves, in a few lines of its own, because
that one takes three pixels off every edge (of a small object nothing is left), overwrites the mask
it is given, and raises an error where an object meets the border of the image.
"""

from __future__ import annotations

import numpy as np

from snellen.changes.paste.stencil import to_bytes
from snellen.vision.arrays import F64, Bools, Bytes, Image


def poisson(target: Image, colours: Bytes, inside: Bools) -> Bytes:
    """The target with the gradients of `colours` wherever both pixels of a pair are inside.

    target, colours: h x w x 3. inside: h x w. What surrounds the target keeps its values, and the
    rest of the target bends to meet the object, as with OpenCV. Colours equal to the target's
    change nothing.
    """
    wanted = colours.astype(np.float64) - target
    return to_bytes(target + _bent(wanted, inside))


def _bent(wanted: F64, inside: Bools) -> F64:
    """The change, 0 around the rectangle, whose gradients are nearest to the wanted change's.

    Gradients are wanted where both pixels are inside; elsewhere the wanted gradient is 0.
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
    """The h x w x 3 field that is 0 just outside and whose five-point Laplacian is `values`."""
    from scipy.fft import dstn, idstn

    rows, columns = (
        2 * np.cos(np.pi * np.arange(1, n + 1) / (n + 1)) - 2 for n in values.shape[:2]
    )
    waves = dstn(values, type=1, axes=(0, 1))
    waves /= (rows[:, None] + columns[None, :])[..., None]
    field: F64 = idstn(waves, type=1, axes=(0, 1))
    return field
