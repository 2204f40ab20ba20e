"""Plausibility of a loaded mesh: size, triangle count and surface."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.mesh_entry import UNITS, MeshEntry
from snellen.objects.meshes.sizes import KITTI

MIN_TRIANGLES = 50
WITHIN = (3.0, 3.0, 1.9)


def check_mesh(mesh: Mesh, path: str, entry: MeshEntry) -> None:
    """Raise a `UserError` if size, triangle count or surface is not plausible."""
    if not MIN_TRIANGLES <= len(mesh.faces) <= entry.most_triangles:
        raise UserError(
            f"{path}: has {len(mesh.faces)} triangles, expected {MIN_TRIANGLES} to "
            f"{entry.most_triangles}. Simplify it, or raise 'most_triangles'."
        )
    if not plausible(mesh.size, entry.label):
        raise UserError(_wrong_size(mesh, path, entry))
    if mesh.closed_share < entry.closed:
        raise UserError(
            f"{path}: only {mesh.closed_share:.0%} of its edges are shared by two faces, expected "
            f"at least {entry.closed:.0%}; a LiDAR would see through it. Close its surface, or "
            "lower 'closed'."
        )


def plausible(size: tuple[float, float, float], label: str) -> bool:
    """Whether the size is within a factor of 3, 3 and 1.9 (height) of the class mean in KITTI.

    >>> plausible((4.2, 1.7, 1.5), "Car"), plausible((157.0, 84.0, 61.0), "Car")
    (True, False)
    """
    ratio = np.asarray(size) / np.asarray(KITTI[label][0])
    return bool(np.all((ratio < WITHIN) & (ratio > 1 / np.asarray(WITHIN))))


def _wrong_size(mesh: Mesh, path: str, entry: MeshEntry) -> str:
    raw = np.asarray(mesh.size) / entry.scale
    fits = [
        name
        for name, scale in UNITS.items()
        if plausible((raw[0] * scale, raw[1] * scale, raw[2] * scale), entry.label)
    ]
    found = " x ".join(f"{side:.2f}" for side in mesh.size)
    mean = " x ".join(f"{side:.2f}" for side in KITTI[entry.label][0])
    advice = f"Set 'unit: {fits[0]}'" if fits else "Set 'unit' to the number of metres per unit"
    return (
        f"{path}: is {found} m (length x width x height) with unit '{entry.unit}', which is not "
        f"plausible for a {entry.label} (mean {mean} m). {advice}, or correct 'up' and 'forward'."
    )
