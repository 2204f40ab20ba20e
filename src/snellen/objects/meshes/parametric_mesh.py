"""Parametric meshes of nine kinds, without any download."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.sizes import KINDS, Size, random_size


def parametric(kind: str, rng: np.random.Generator, size: Size | None = None) -> Mesh:
    """A mesh of a kind of `sizes.KINDS`, with random colours and, unless given, a random size.

    size: length, width and height in metres. A bus is labelled "Truck" and a motorcyclist
    "Cyclist", because KITTI has no classes for them.

    >>> parametric("sedan", np.random.default_rng(1)).label
    'Car'
    """
    from snellen.objects.meshes.people import pedestrian
    from snellen.objects.meshes.riders import cyclist, motorcyclist
    from snellen.objects.meshes.vehicles import vehicle

    if kind not in KINDS:
        raise UserError(f"unknown mesh '{kind}'{nearest(kind, KINDS)}.")
    wanted = size or random_size(kind, rng)
    people = {"pedestrian": pedestrian, "cyclist": cyclist, "motorcyclist": motorcyclist}
    if kind in people:
        return people[kind](wanted, rng)
    return vehicle(kind, wanted, rng)
