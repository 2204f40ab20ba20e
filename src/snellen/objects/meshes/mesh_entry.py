"""The entry of a mesh file in meshes.yaml: class, unit, axes, materials."""

from __future__ import annotations

from typing import Literal, Self

import numpy as np
from pydantic import Field, model_validator

from snellen.configuration import Options
from snellen.vision.arrays import F64

Axis = Literal["x", "y", "z", "-x", "-y", "-z"]
Label = Literal["Car", "Van", "Truck", "Pedestrian", "Cyclist"]

UNITS = {"metre": 1.0, "centimetre": 0.01, "millimetre": 0.001, "inch": 0.0254, "foot": 0.3048}


class MeshEntry(Options):
    """One mesh of a library folder.

    unit: metres per unit of the file, or a name of `UNITS`. up, forward: axes of the file.
    materials: from material names of the file to those of `mesh.MATERIALS`. closed: minimum share
    of edges that are shared by two faces. most_triangles: maximum number of triangles.
    """

    file: str
    label: Label
    unit: Literal["metre", "centimetre", "millimetre", "inch", "foot"] | float = "metre"
    up: Axis = "z"
    forward: Axis = "x"
    materials: dict[str, str] = Field(default_factory=dict)
    closed: float = 0.6
    most_triangles: int = 200_000

    @model_validator(mode="after")
    def _axes_differ(self) -> Self:
        if self.up[-1] == self.forward[-1]:
            raise ValueError(f"up is {self.up} and forward is {self.forward}; they must differ")
        return self

    @property
    def scale(self) -> float:
        """Metres per unit of the file."""
        return UNITS[self.unit] if isinstance(self.unit, str) else self.unit

    def placed(self, vertices: F64) -> F64:
        """(V, 3) in metres, x forward and z up, centred and standing on the ground."""
        forward, up = _axis(self.forward), _axis(self.up)
        turned = vertices @ np.stack([forward, np.cross(up, forward), up], axis=1) * self.scale
        low, high = turned.min(axis=0), turned.max(axis=0)
        middle = (low + high) / 2
        return np.asarray(turned - np.array([middle[0], middle[1], low[2]]))


def _axis(name: str) -> F64:
    sign = -1.0 if name[0] == "-" else 1.0
    return np.asarray(np.eye(3)["xyz".index(name[-1])] * sign)
