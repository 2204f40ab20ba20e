"""Models in files that torch runs by itself: TorchScript and exported programs."""

from __future__ import annotations

import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.subjects.recognition import is_torch_program, recognise_subject
from snellen.subjects.registry import open_subject
from snellen.vision.detections import Detections

torch: Any = pytest.importorskip("torch", reason="the extra 'torch' is not installed")

SIZE = 64
CLASSES = ["ant", "bee", "cat"]
ROWS = 84
"""Cells of strides 8, 16 and 32."""


class RedFinder(torch.nn.Module):  # type: ignore[misc]
    """One box in YOLOv8's layout: its left half red, its score the mean of red."""

    def forward(self, image: Any) -> Any:
        red = image[:, 0].mean(dim=(1, 2))
        empty = torch.zeros(image.shape[0], 4 + len(CLASSES), ROWS)
        box = torch.tensor([16.0, 32.0, 32.0, 64.0])  # centre, width and height
        place = torch.zeros(ROWS)
        place[5] = 1.0
        found = empty + torch.cat([box, torch.zeros(3)])[None, :, None] * place
        scores = torch.zeros(4 + len(CLASSES))
        scores[5] = 1.0  # bee
        return found + red[:, None, None] * scores[None, :, None] * place


@pytest.fixture(params=["net.pt", "net.pt2"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The network in each format."""
    path, example = tmp_path / str(request.param), torch.rand(1, 3, SIZE, SIZE)
    if path.suffix == ".pt2":
        torch.export.save(torch.export.export(RedFinder(), (example,)), path)
        return path
    facts = {"imgsz": [SIZE, SIZE], "names": dict(enumerate(CLASSES)), "task": "detect"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        traced = torch.jit.trace(RedFinder(), example)
        torch.jit.save(traced, str(path), _extra_files={"config.txt": json.dumps(facts)})
    return path


def image(red: int) -> Any:
    made = np.zeros((32, 32, 3), np.uint8)
    made[..., 0] = red
    return made


def test_a_program_answers_in_pixels_of_the_image(file: Path) -> None:
    values = {"kind": "torch-program", "model": file.name, "classes": CLASSES}
    subject = open_subject(values, file.parent)
    full, half = subject.predict([image(255), image(153)])
    assert isinstance(full, Detections)
    assert isinstance(half, Detections)
    assert full.boxes.tolist() == [[0.0, 0.0, 16.0, 32.0]]
    assert full.labels.tolist() == [CLASSES.index("bee")]
    assert full.scores[0] == pytest.approx(1.0, abs=1e-3)
    assert half.scores[0] == pytest.approx(0.6, abs=1e-3)


def test_names_and_size_come_from_the_exporter(file: Path) -> None:
    if file.suffix == ".pt2":
        pytest.skip("an exported program has no names")
    subject = open_subject({"kind": "torch-program", "model": str(file)}, file.parent)
    assert subject.classes == tuple(CLASSES)


def test_a_program_is_recognised_and_weights_are_not(file: Path, tmp_path: Path) -> None:
    assert recognise_subject(file).values == {"kind": "torch-program", "model": str(file)}
    weights = tmp_path / "weights.pt"
    torch.save({"a": torch.zeros(2)}, weights)
    assert not is_torch_program(weights)
    with pytest.raises(UserError, match="Export the network to ONNX"):
        recognise_subject(weights)
    with pytest.raises(UserError, match="neither TorchScript nor an exported program"):
        open_subject({"kind": "torch-program", "model": str(weights)}, tmp_path)


def test_a_damaged_program_and_a_device_that_is_not_there_are_errors(file: Path) -> None:
    values = {"kind": "torch-program", "model": str(file), "classes": CLASSES}
    with pytest.raises(UserError, match=r"subject\.device: found 'cuda:9'.*Use cpu"):
        open_subject({**values, "device": "cuda:9"}, file.parent)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in parts.items():
            code = "/code/" in name or name.endswith("models/model.json")
            archive.writestr(name, b"broken(" if code else data)
    with pytest.raises(UserError, match="torch cannot load it"):
        open_subject(values, file.parent)
