"""A detector of generated objects that does not look at the left edge of the image."""

from __future__ import annotations

from typing import Any

from snellen.api import ADAPTERS, Detections

BLIND = 0.2
"""The share of the image's width that it does not look at."""


class OneEyed:
    """The planted subject, which finds every generated object, without those at the left edge."""

    name = "one-eyed"

    def __init__(self, blind: float = BLIND) -> None:
        adapter = ADAPTERS.load("planted")
        self._perfect = adapter.open(adapter.options(), None)
        self._blind = blind
        self.classes = self._perfect.classes

    def __call__(self, images: list[Any]) -> list[Detections]:
        """What it finds in each image."""
        pairs = zip(images, self._perfect.predict(images), strict=True)
        return [self._seen(found, image.shape[1]) for image, found in pairs]

    def _seen(self, found: Detections, width: int) -> Detections:
        centres = (found.boxes[:, 0] + found.boxes[:, 2]) / 2
        return found[centres >= self._blind * width]
