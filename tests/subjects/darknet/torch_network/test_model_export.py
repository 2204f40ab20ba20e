"""A fine-tuned module is exported, and every kind of subject answers like it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from snellen.subjects.darknet.cfg_file import read_cfg
from snellen.subjects.darknet.torch_network.model_export import onnx_subject
from snellen.subjects.darknet.weights_file import read_weights
from snellen.subjects.registry import open_subject
from tests.subjects.darknet.torch_network.networks import NAMED
from tests.subjects.torch_models.answer_comparison import assert_same


def tuned(folder: Path, name: str) -> Any:
    """A subject whose module has all parameters and running statistics changed."""
    cfg, weights = NAMED[name]().save(folder)
    (folder / "some.names").write_text("cat\n???\ndog\n", encoding="utf-8")
    values = {"cfg": cfg.name, "weights": weights.name, "names": "some.names"}
    subject: Any = open_subject({"kind": "torch", "letterbox": "centre", **values}, folder)
    module = subject.detector.module
    rng = torch.Generator().manual_seed(0)
    batch = torch.rand(4, 3, *module.model.size, generator=rng)
    module.train()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.01)
    sum(head.square().mean() for head in module(batch)).backward()
    optimiser.step()
    module.eval()
    return subject


def picture() -> Any:
    return np.random.default_rng(0).integers(0, 256, (70, 90, 3), dtype=np.uint8)


@pytest.mark.parametrize("name", NAMED)
def test_saved_weights_are_read_back_identical(tmp_path: Path, name: str) -> None:
    subject = tuned(tmp_path, name)
    subject.detector.save(tmp_path / "out")
    model = read_cfg(tmp_path / "out" / "net.cfg")
    found = read_weights(tmp_path / "out" / "net.weights", model)
    before = read_weights(tmp_path / "net.weights", model)
    for index, expected in subject.detector.module.kernels().items():
        for part in ("kernel", "bias", "scale", "mean", "variance"):
            ours, theirs = getattr(found[index], part), getattr(expected, part)
            assert (ours is None) == (theirs is None)
            if theirs is not None:
                assert np.array_equal(ours, theirs)
                assert not np.array_equal(ours, getattr(before[index], part))


@pytest.mark.parametrize("name", NAMED)
def test_saved_files_open_as_torch_darknet_and_onnx_with_the_same_answers(
    tmp_path: Path, name: str
) -> None:
    subject = tuned(tmp_path, name)
    out = tmp_path / "out"
    saved = subject.detector.save(out)
    [expected] = subject.predict([picture()])
    assert len(expected) > 0
    again: Any = open_subject(saved, out)
    assert again.predict([picture()]) == [expected]
    assert again.classes == ("cat", "dog")
    for values in ({**saved, "kind": "darknet"}, onnx_subject(subject.detector.reader, "net")):
        other: Any = open_subject(values, out)
        assert other.classes == ("cat", "dog")
        [found] = other.predict([picture()])
        assert_same(found, expected)


def test_yolov4_tiny_saved_answers_as_before(
    tmp_path: Path, yolov4_tiny: Path, photographs: Any
) -> None:
    values = {"kind": "torch", "cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights"}
    subject: Any = open_subject(values, yolov4_tiny)
    saved = subject.detector.save(tmp_path)
    expected = subject.predict(photographs)
    assert open_subject(saved, tmp_path).predict(photographs) == expected
    other: Any = open_subject(onnx_subject(subject.detector.reader, "yolov4-tiny"), tmp_path)
    for found, known in zip(other.predict(photographs), expected, strict=True):
        assert_same(found, known)


def test_the_onnx_file_has_names_and_one_output_that_other_programs_know(tmp_path: Path) -> None:
    tuned(tmp_path, "v3").detector.save(tmp_path / "out")
    model = onnx.load(tmp_path / "out" / "net.onnx")
    onnx.checker.check_model(model, full_check=True)
    facts = {one.key: one.value for one in model.metadata_props}
    assert facts["names"] == "{0: 'cat', 1: '???', 2: 'dog'}"
    [output] = model.graph.output
    shape = [side.dim_value for side in output.type.tensor_type.shape.dim]
    assert shape == [0, 3 * 16 * 16 + 2 * 32 * 32, 8]
