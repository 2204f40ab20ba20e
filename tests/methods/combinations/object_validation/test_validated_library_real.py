"""Objects of real photographs, validated for a real detector that is read as a classifier."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from snellen.methods.combinations.composition.arrangement import Arrangement
from snellen.methods.combinations.object_validation.validated_library import (
    NO_LABEL,
    validated_library,
)
from snellen.objects.library.open_objects import open_objects
from snellen.subjects.registry import open_subject


def test_what_is_accepted_is_labelled_exactly_on_a_white_canvas_made_otherwise(
    shared: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path))
    train = shared("coco_train128")
    library = open_objects(
        {
            "kind": "coco",
            "annotations": str(train / "instances_train2017.json"),
            "images": str(train / "images"),
            "only": ["person", "giraffe", "broccoli", "umbrella"],
            "limit": 68,
            "limit_per_label": 6,
            "prune": {"recognised": 0, "detail": 0},  # some that the detector does not know
        },
        tmp_path,
    )
    model = str(shared("detectors/yolox_nano.onnx"))
    options = {"kind": "onnx", "model": model, "read_as": "labels"}
    with closing(open_subject(options, tmp_path)) as subject:
        found = validated_library(library, subject, Arrangement())
        again = validated_library(library, subject, Arrangement())
        assert again.why == found.why
        assert {"person", "giraffe"} <= set(found.labels())
        assert NO_LABEL in found.why.values()
        agreed = total = 0
        for label in library.labels():
            for entry in library.entries(label):
                [answer] = subject.predict([_on_white(library.cutout(entry.id).pixels)])
                names = np.array(subject.classes)[answer.present(subject.score)]  # type: ignore[union-attr]
                agreed += (names.tolist() == [label]) == (entry.id not in found.why)
                total += 1
    assert total >= 10
    assert agreed >= total - 1, "another way to scale may tip the scale once, not more often"


def _on_white(pixels: np.ndarray) -> np.ndarray:
    """The cut-out at 576 pixels with a border of 32, by Pillow alone."""
    picture = Pillow.fromarray(pixels)
    scale = 576 / max(picture.size)
    small = picture.resize((round(picture.width * scale), round(picture.height * scale)))
    canvas = Pillow.new("RGB", (small.width + 64, small.height + 64), "white")
    canvas.paste(small, (32, 32), small)
    return np.asarray(canvas)
