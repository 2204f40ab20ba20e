"""Passes: inputs of a stochastic subject, such as one with Monte Carlo dropout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from snellen.vision.arrays import Bytes


@dataclass(frozen=True, eq=False)
class Pass:
    """One stochastic pass over an image, given to a subject in place of the image.

    image: H x W x 3 uint8 RGB. number: of the pass, from 1. The same image and number give the same
    answer, whatever else is in the batch.
    """

    image: Bytes
    number: int


@runtime_checkable
class Draws(Protocol):
    """A subject that accepts a `Pass` as input. draws: whether it is configured to."""

    draws: bool
