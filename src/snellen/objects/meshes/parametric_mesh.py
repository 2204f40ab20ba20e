"""Things of our own, built from numbers: nine kinds, no download."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError, nearest
from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.sizes import KINDS, Size, drawn_size


def parametric(kind: str, rng: np.random.Generator, size: Size | None = None) -> Mesh:
    """A mesh of this kind, its colours drawn and, where no size is given, its size too.

    size: length, width and height in metres. Kinds: those of `sizes.KINDS`. A bus carries KITTI's
    label "Truck" and a motorcyclist "Cyclist", since KITTI has no names of their own for them.

    >>> parametric("sedan", np.random.default_rng(1)).label
    'Car'
    """
    from snellen.objects.meshes.people import pedestrian
    from snellen.objects.meshes.riders import cyclist, motorcyclist
    from snellen.objects.meshes.vehicles import vehicle

    if kind not in KINDS:
        raise UserError(f"There is no mesh '{kind}'{nearest(kind, KINDS)}.")
    wanted = size or drawn_size(kind, rng)
    people = {"pedestrian": pedestrian, "cyclist": cyclist, "motorcyclist": motorcyclist}
    if kind in people:
        return people[kind](wanted, rng)
    return vehicle(kind, wanted, rng)
