"""Heat maps against hand-computed gradients, at every layer, and on real photographs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from snellen.errors import UserError
from snellen.subjects.explainer import Explainer
from snellen.subjects.model_file.letterbox import Letterbox
from snellen.subjects.registry import open_subject
from snellen.subjects.torch_models.grad_cam import grad_cam
from snellen.subjects.torch_models.heat_map import in_image
from tests.subjects.torch_models.tiny_detector import TinyDetector

BOX = [4.0, 2.0, 6.0, 4.0]
"""The block in row 1, column 2."""


@pytest.fixture
def detector() -> TinyDetector:
    found = TinyDetector(seed=3)
    found.module.eval()
    return found


@pytest.fixture
def batch() -> torch.Tensor:
    return torch.rand(1, 3, 8, 12, generator=torch.Generator().manual_seed(1))


def by_hand(detector: TinyDetector, batch: torch.Tensor, label: int) -> dict[str, Any]:
    """Features and gradients of the score of row 1, column 2, in plain numpy."""
    module: Any = detector.module
    kernel = module.features.weight.detach().numpy()
    image = batch.numpy()[0]
    blocks = image.reshape(3, 4, 2, 6, 2)
    features = np.einsum("fcij,cyixj->fyx", kernel, blocks)
    features += module.features.bias.detach().numpy()[:, None, None]
    before = np.pad(np.maximum(features, 0), ((0, 0), (1, 1), (1, 1)))
    mixing = module.mixed.weight.detach().numpy()
    mixed = np.zeros((4, 4, 6))
    for y in range(4):
        for x in range(6):
            window = before[:, y : y + 3, x : x + 3]
            mixed[:, y, x] = np.einsum("fcij,cij->f", mixing, window)
    mixed += module.mixed.bias.detach().numpy()[:, None, None]
    head = module.head.weight.detach().numpy()[label, :, 0, 0]
    of_mixed = np.zeros_like(mixed)
    of_mixed[:, 1, 2] = head * (mixed[:, 1, 2] > 0)
    of_features = np.zeros((4, 6, 8))
    of_features[:, 1:4, 2:5] = np.einsum("f,fcij->cij", of_mixed[:, 1, 2], mixing)
    of_features = of_features[:, 1:-1, 1:-1] * (features > 0)
    return {"mixed": (mixed, of_mixed), "features": (features, of_features)}


def normed(heat: Any) -> Any:
    heat = np.maximum(heat, 0)
    return heat / heat.max() if heat.max() > 0 else heat


@pytest.mark.parametrize("layer", ["mixed", "features"])
@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("weighting", ["mean", "local"])
def test_a_named_layers_map_is_the_one_reckoned_by_hand(
    detector: TinyDetector, batch: torch.Tensor, layer: str, label: int, weighting: str
) -> None:
    features, gradient = by_hand(detector, batch, label)[layer]
    weights = gradient.mean(axis=(1, 2), keepdims=True) if weighting == "mean" else gradient
    expected = normed((weights * features).sum(axis=0))
    found = grad_cam(detector, batch, BOX, label, layer=layer, weighting=weighting)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_some_of_the_maps_by_hand_are_not_empty(
    detector: TinyDetector, batch: torch.Tensor
) -> None:
    known = [by_hand(detector, batch, label) for label in (0, 1)]
    maps = [normed((f * g).sum(axis=0)) for one in known for f, g in one.values()]
    assert sum(one.max() > 0 for one in maps) >= 3


def test_without_a_name_grad_cam_looks_at_what_the_last_convolution_reads(
    detector: TinyDetector, batch: torch.Tensor
) -> None:
    features, gradient = by_hand(detector, batch, 0)["mixed"]
    read, gradient = np.maximum(features, 0), gradient * 1.0
    read_gradient = np.zeros_like(gradient)
    read_gradient[:, 1, 2] = detector.module.head.weight.detach().numpy()[0, :, 0, 0]
    expected = normed((read_gradient.mean(axis=(1, 2), keepdims=True) * read).sum(axis=0))
    found = grad_cam(detector, batch, BOX, 0, weighting="mean")
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_without_a_name_local_weighting_looks_beyond_the_one_place_of_the_head(
    detector: TinyDetector, batch: torch.Tensor
) -> None:
    features, gradient = by_hand(detector, batch, 1)["features"]
    expected = normed((gradient * features).sum(axis=0))
    found = grad_cam(detector, batch, BOX, 1)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_module_is_left_as_it_was(detector: TinyDetector, batch: torch.Tensor) -> None:
    before = {key: value.clone() for key, value in detector.module.state_dict().items()}
    grad_cam(detector, batch, BOX, 0)
    with torch.no_grad():
        grad_cam(detector, batch, BOX, 0, layer="mixed")
    assert all(torch.equal(before[key], one) for key, one in detector.module.state_dict().items())
    assert all(one.grad is None for one in detector.module.parameters())
    assert not any(part._forward_hooks or part._forward_pre_hooks for part in _parts(detector))


def test_frozen_parameters_do_not_keep_an_answer_from_being_explained(
    detector: TinyDetector, batch: torch.Tensor
) -> None:
    expected = grad_cam(detector, batch, BOX, 0, layer="mixed")
    detector.module.requires_grad_(False)
    assert np.array_equal(grad_cam(detector, batch, BOX, 0, layer="mixed"), expected)


def test_a_wrong_name_is_answered_with_the_layers_there_are(
    detector: TinyDetector, batch: torch.Tensor
) -> None:
    with pytest.raises(UserError, match=r"no layer 'mixd'\. Did you mean 'mixed'\? Its layers are"):
        grad_cam(detector, batch, BOX, 0, layer="mixd")
    with pytest.raises(UserError, match=r"features, mixed, dropped, head"):
        grad_cam(detector, batch, BOX, 0, layer="zzz")


def test_a_layer_without_maps_is_refused(detector: TinyDetector, batch: torch.Tensor) -> None:
    detector.module.add_module("idle", nn.Linear(2, 2))
    with pytest.raises(UserError, match=r"layer 'idle' has no output \(N, C, h, w\)"):
        grad_cam(detector, batch, BOX, 0, layer="idle")


def test_a_map_lies_where_the_image_lies_in_the_input() -> None:
    heat = np.zeros((8, 8), dtype=np.float32)
    heat[5, 6] = 0.5
    frame = Letterbox(image=(40, 80), network=(80, 80), content=(40, 80), offset=(20, 0))
    found = in_image(heat, frame)
    assert found.shape == (40, 80)
    assert found.max() == 1
    y, x = np.argwhere(found == 1).mean(axis=0)
    assert abs(y + 20 - 54.5) <= 1
    assert abs(x - 64.5) <= 1


def test_a_users_detector_explains_through_the_subject(detector: TinyDetector) -> None:
    target = "tests.subjects.torch_models.tiny_detector:TinyDetector"
    subject = open_subject(
        {
            "kind": "torch",
            "target": target,
            "arguments": {"seed": 3},
            "explain": {"layer": "mixed", "weighting": "mean"},
        },
        Path(),
    )
    assert isinstance(subject, Explainer)
    image = np.random.default_rng(0).integers(0, 256, (16, 24, 3), dtype=np.uint8)
    import cv2

    small = cv2.resize(image, (12, 8), interpolation=cv2.INTER_LINEAR)
    batch = torch.from_numpy(small.transpose(2, 0, 1)[None] / np.float32(255))
    heat = grad_cam(detector, batch, BOX, 0, layer="mixed", weighting="mean")
    expected = in_image(heat, Letterbox((16, 24), (8, 12), (8, 12), (0, 0)))
    found = subject.heat_map(image, [8, 4, 12, 8], 0)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    with pytest.raises(UserError, match="label: found 7, expected 0 to 1"):
        subject.heat_map(image, [8, 4, 12, 8], 7)


def test_what_speaks_for_a_persons_box_lies_in_it(yolov4_tiny: Path, photographs: Any) -> None:
    values = {"kind": "torch", "cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights"}
    subject: Any = open_subject(values, yolov4_tiny)
    hits = []
    for image in photographs:
        found = subject.predict([image])[0].above(0.6)
        for box, label in zip(found.boxes, found.labels, strict=True):
            heat = subject.heat_map(image, box, int(label))
            assert heat.shape == image.shape[:2]
            assert heat.dtype == np.float32
            assert heat.min() >= 0
            assert heat.max() == 1
            y, x = np.unravel_index(heat.argmax(), heat.shape)
            hits.append(box[0] <= x < box[2] and box[1] <= y < box[3])
    assert len(hits) >= 5
    assert all(hits)


def _parts(detector: TinyDetector) -> list[Any]:
    return list(detector.module.modules())
