"""The fixtures of the tests of torch detectors; the torch half of Darknet needs them as well."""

from __future__ import annotations

from tests.subjects.torch_models.conftest import (  # noqa: F401
    own_cache,
    photographs,
    starter,
    yolov4_tiny,
)
