"""A Darknet network in torch equals the one in onnxruntime, and can be exported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import torch

from snellen.subjects.darknet.cfg_file import DarknetModel, read_cfg
from snellen.subjects.darknet.onnx_graph import to_onnx
from snellen.subjects.darknet.torch_network.torch_module import DarknetModule
from snellen.subjects.darknet.weights_file import read_weights, weights_bytes, write_weights
from tests.subjects.darknet.darknet_files import Writer
from tests.subjects.darknet.torch_network.networks import NAMED, random_network, yolov3_tiny

CLOSE = 1e-4


def opened(cfg: Path, weights: Path) -> tuple[DarknetModel, Any, DarknetModule]:
    model = read_cfg(cfg)
    kernels = read_weights(weights, model)
    return model, kernels, DarknetModule(model, kernels).eval()


def assert_as_in_onnx(cfg: Path, weights: Path, batch: Any = None) -> None:
    model, kernels, module = opened(cfg, weights)
    if batch is None:
        shape = (2, 3, *model.size)
        batch = np.random.default_rng(0).random(shape, dtype=np.float32)
    session = onnxruntime.InferenceSession(to_onnx(model, kernels))
    expected = session.run(None, {"image": batch})
    with torch.inference_mode():
        found = module(torch.from_numpy(batch))
    assert len(found) == len(expected) == len(model.heads)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs, atol=CLOSE, rtol=0)


@pytest.mark.parametrize("build", NAMED.values(), ids=NAMED.keys())
def test_networks_of_each_family_give_what_onnxruntime_gives(
    tmp_path: Path, build: Callable[[], Writer]
) -> None:
    assert_as_in_onnx(*build().save(tmp_path))


@pytest.mark.parametrize("seed", range(25))
def test_random_networks_give_what_onnxruntime_gives(tmp_path: Path, seed: int) -> None:
    assert_as_in_onnx(*random_network(seed).save(tmp_path))


def test_random_networks_have_all_kinds_of_layers_and_activations(tmp_path: Path) -> None:
    models = [read_cfg(random_network(seed).save(tmp_path)[0]) for seed in range(25)]
    layers = [layer for model in models for layer in model.layers]
    kinds = {type(layer).__name__ for layer in layers}
    assert kinds == {"Convolutional", "MaxPool", "Route", "Shortcut", "Yolo"}
    activations = {one.activation for one in layers if hasattr(one, "activation")}
    assert len(activations) == 6


def test_yolov3_tiny_at_full_size_gives_what_onnxruntime_gives(tmp_path: Path) -> None:
    cfg, weights = yolov3_tiny().save(tmp_path)
    batch = np.random.default_rng(1).random((1, 3, 416, 416), dtype=np.float32)
    assert_as_in_onnx(cfg, weights, batch)


def test_yolov4_tiny_gives_what_onnxruntime_gives(yolov4_tiny: Path, photographs: Any) -> None:
    import cv2

    images = [cv2.resize(one, (416, 416)) for one in photographs]
    batch = np.stack(images).transpose(0, 3, 1, 2).astype(np.float32) / 255
    cfg, weights = (yolov4_tiny / f"yolov4-tiny.{end}" for end in ("cfg", "weights"))
    assert_as_in_onnx(cfg, weights, np.ascontiguousarray(batch))


def test_real_yolov3_tiny_weights_give_what_onnxruntime_gives(
    shared: Callable[[str], Path],
) -> None:
    cfg = shared("darknet/yolov3-tiny.cfg")
    batch = np.random.default_rng(1).random((1, 3, 416, 416), dtype=np.float32)
    assert_as_in_onnx(cfg, shared("darknet/yolov3-tiny.weights"), batch)


@pytest.mark.parametrize("build", NAMED.values(), ids=NAMED.keys())
def test_written_weights_are_those_that_were_read(
    tmp_path: Path, build: Callable[[], Writer]
) -> None:
    cfg, weights = build().save(tmp_path)
    model, _, module = opened(cfg, weights)
    write_weights(tmp_path / "again.weights", module.kernels(), model)
    assert (tmp_path / "again.weights").read_bytes() == weights.read_bytes()


def test_yolov4_tinys_weights_are_written_as_they_were_read(yolov4_tiny: Path) -> None:
    files = (yolov4_tiny / f"yolov4-tiny.{end}" for end in ("cfg", "weights"))
    cfg, weights = files
    model, _, module = opened(cfg, weights)
    assert weights_bytes(module.kernels(), model)[20:] == weights.read_bytes()[20:]


def test_kernels_of_another_shape_are_not_written(tmp_path: Path) -> None:
    model, kernels, _ = opened(*NAMED["v3"]().save(tmp_path))
    kernels[0] = kernels[1]
    with pytest.raises(ValueError, match="layer 0: arrays of"):
        weights_bytes(kernels, model)


def test_every_parameter_gets_a_gradient(tmp_path: Path) -> None:
    for build in NAMED.values():
        _, _, module = opened(*build().save(tmp_path))
        batch = torch.rand(2, 3, *module.model.size)
        sum(head.square().sum() for head in module.train()(batch)).backward()
        without = [n for n, one in module.named_parameters() if one.grad is None]
        assert without == []


def test_running_statistics_move_in_training_alone_and_by_darknets_share(tmp_path: Path) -> None:
    _, _, module = opened(*NAMED["v3"]().save(tmp_path))
    batch = torch.rand(4, 3, *module.model.size, generator=torch.Generator().manual_seed(0))
    first = module.get_submodule("layer_0")
    before = {key: value.clone() for key, value in module.state_dict().items()}
    module(batch)
    assert all(torch.equal(before[key], value) for key, value in module.state_dict().items())
    module.train()
    module(batch)
    mean = first.convolution(batch).mean(dim=(0, 2, 3))
    expected = 0.99 * before["layer_0.normalisation.running_mean"] + 0.01 * mean
    found = first.normalisation.running_mean
    torch.testing.assert_close(found, expected)


def test_frozen_normalisations_answer_in_training_as_in_evaluation(tmp_path: Path) -> None:
    _, _, module = opened(*NAMED["v4"]().save(tmp_path))
    batch = torch.rand(3, 3, *module.model.size)
    expected = module(batch)
    module.train()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.eval()
    for ours, theirs in zip(module(batch), expected, strict=True):
        assert torch.equal(ours, theirs)


def test_the_backbone_is_what_all_heads_rest_on(tmp_path: Path) -> None:
    _, _, module = opened(*NAMED["tiny_v3"]().save(tmp_path))
    assert module.shared_layers == ("layer_0", "layer_2", "layer_4", "layer_6")
    assert module.head_layers == ("layer_7.convolution", "layer_15.convolution")
