"""Passes: questions to a subject that can answer at random, such as by Monte Carlo dropout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from snellen.vision.arrays import Bytes


@dataclass(frozen=True, eq=False)
class Pass:
    """An image put to a subject that draws, in place of the image alone.

    image: H x W x 3 uint8 RGB. number: which draw is asked for, from 1 on. The same image and
    number give the same answer, whatever else is in the batch.
    """

    image: Bytes
    number: int


@runtime_checkable
class Draws(Protocol):
    """A subject that takes a `Pass` among its inputs. draws: whether it is set up to."""

    draws: bool
