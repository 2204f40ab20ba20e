"""The rate that changed images are tested against: given, or taken from the data."""

from __future__ import annotations

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.estimate import EstimateRequest
from snellen.vision.arrays import F64

GIVEN = "given"
CLEAN = "unchanged images"
LITTLE = "images changed by at most 0.2"
HALF = "the least changed bins with half of the answers"


def reference(own: F64, request: EstimateRequest, where: str) -> F64:
    """(R,) the given rate, or that of the data, (R,), which row 0 must have."""
    if request.p0 is not None:
        return np.full(len(own), request.p0)
    if np.isnan(own[0]):
        raise UserError(
            f"{where}: has no answers on unchanged or hardly changed images to compare with. "
            "Give the rate with --p0."
        )
    return np.where(np.isnan(own), own[0], own)
