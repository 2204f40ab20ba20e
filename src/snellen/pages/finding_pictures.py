"""Pictures of findings: images rebuilt or read back, drawn, and shown as a card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from snellen.pages.gallery import Card
from snellen.store.findings import Finding
from snellen.store.journal import Journal
from snellen.store.opened_run import OpenedRun
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Image

BEFORE, AFTER = "before.png", "after.png"


@dataclass(frozen=True, eq=False)
class AnsweredFinding:
    """A finding with its answers.

    said: the answers before (None without a baseline) and after. facts: lines that its caption
    adds. journal: of the run; None where the answers are newer than the run.
    """

    finding: Finding
    said: tuple[Prediction | None, Prediction]
    classes: Sequence[str]
    score: float
    facts: tuple[str, ...] = ()
    journal: Journal | None = None


class FindingPicture(Protocol):
    """A finding drawn."""

    @property
    def finding(self) -> Finding:
        """The finding."""

    @property
    def details(self) -> Mapping[str, Any]:
        """What `recipe.json` stores besides the recipe, as plain values; always with `label`."""

    def files(self) -> dict[str, bytes]:
        """The files of its folder by name, `overlay.png` among them."""

    def card(self, limit: int) -> Card:
        """Its card on the page; limit: maximum bytes of its pictures."""


class CasePictures(Protocol):
    """The images of a case, before anything is drawn on them."""

    @property
    def after(self) -> Image:
        """The case, H x W x 3 uint8 RGB."""

    def same(self, other: CasePictures) -> bool:
        """Whether both show the same case, bit for bit."""

    def drawn(self, answered: AnsweredFinding) -> FindingPicture:
        """The finding drawn on these images."""


class CardKind(Protocol):
    """One way to picture findings."""

    def rebuilt(self, run: OpenedRun, journal: Journal, finding: Finding) -> CasePictures:
        """The images of a case, rebuilt from its recipe."""

    def kept(self, place: Path, details: Mapping[str, Any]) -> CasePictures:
        """The images from a finding's folder.

        details: from `recipe.json`. Missing or broken files raise OSError, ValueError,
        KeyError or a SnellenError.
        """


def as_png(image: Image) -> bytes:
    """H x W x 3 uint8 RGB as a PNG file, compressed for speed."""
    import cv2

    settings = [cv2.IMWRITE_PNG_COMPRESSION, 1]
    if hasattr(cv2, "IMWRITE_PNG_FILTER"):  # not in every OpenCV; one filter takes half the time
        settings += [cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FILTER_UP]
    ok, data = cv2.imencode(".png", image[..., ::-1], settings)
    assert ok
    return bytes(np.asarray(data).tobytes())
