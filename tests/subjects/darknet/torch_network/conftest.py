"""The fixtures of the tests of torch detectors, also used for the torch half of Darknet."""

from __future__ import annotations

from tests.subjects.torch_models.conftest import (  # noqa: F401
    own_cache,
    photographs,
    starter,
    yolov4_tiny,
)
