"""Folders of human data that other rooms can read, such as that of a human study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from snellen.methods.human.estimate import EstimateRequest, HumanEstimate
from snellen.plugins import Registry


@dataclass(frozen=True)
class HumanFormat:
    """A form of human data with estimates of its own.

    recognises: whether a path is of this form, without reading all of it. estimates: the thresholds
    that a request asks for, at least one.
    """

    recognises: Callable[[Path], bool]
    estimates: Callable[[Path, EstimateRequest], list[HumanEstimate]]


HUMAN_FORMATS = Registry("format of human data", "snellen.human_data", {}, HumanFormat)


def human_format(path: Path) -> HumanFormat | None:
    """The registered form of a path; None for the files that this room reads itself."""
    formats: list[HumanFormat] = list(HUMAN_FORMATS.load_all().values())
    return next((one for one in formats if one.recognises(path)), None)
