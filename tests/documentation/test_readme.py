"""The Python of the front page runs as it stands there."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import snellen as sn
from snellen.scenes.coco.writer import write_coco
from snellen.vision.arrays import Image
from tests.documentation.blocks import blocks
from tests.subjects.decoders.encodings import Known, yolov8
from tests.subjects.model_file.model_graphs import constant_model


def test_the_code_of_the_front_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    scenes = sn.open_scenes({"kind": "synthetic", "count": 10})
    write_coco(scenes, tmp_path / "val")
    planted = sn.open_subject({"kind": "planted"})
    known = Known(np.array([[1.0, 2, 5, 6]]), np.array([1]), np.array([0.8]), (64, 96), classes=6)
    metadata = {"names": str(dict(enumerate(planted.classes)))}
    constant_model(tmp_path / "yolox_nano.onnx", (1, 3, 64, 96), yolov8(known), metadata)

    def detect(image: Image) -> object:
        """A faulty detector: where it finds an even number of objects, it loses one."""
        found = planted.predict([image])[0]
        assert isinstance(found, sn.Detections)
        return found if len(found) % 2 else found[slice(1, None)]

    [block] = [one for one in blocks() if (one.page, one.language) == ("README.md", "python")]
    names = {"detect": detect, "names": planted.classes}
    exec(compile(block.text, block.place, "exec"), names)
    assert isinstance(names["run"], sn.Run)
    assert names["run"].faults, "the planted fault is found"
    assert names["result"] is not None
