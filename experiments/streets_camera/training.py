"""Training of the camera's detector: `python -m experiments.streets_camera.training`.

Needs torch. It takes about eight minutes on one core, a quarter of them for the pictures.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from experiments.streets_camera.architecture import (
    HEAD,
    MIDDLE,
    OUTPUTS,
    SIDES,
    TRUNK,
    ConvolutionLayer,
    cells,
)
from experiments.streets_camera.cell_targets import CellTargets, cell_targets
from experiments.streets_camera.onnx_graph import camera_model
from experiments.streets_camera.training_pictures import (
    TrainingPicture,
    augmented,
    training_picture,
)

SEED, PICTURES = 900, 72
STEPS, BATCH, RATE = 1400, 4, 2e-3
FAR = 4.0

log = logging.getLogger(__name__)


def _layer(layer: ConvolutionLayer) -> nn.Sequential:
    convolution = nn.Conv2d(layer.inputs, layer.outputs, 3, layer.stride, 1, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(layer.outputs), nn.ReLU())


class StreetCameraNetwork(nn.Module):  # type: ignore[misc]
    """The network in torch; `weights` returns those of the ONNX model."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.ModuleList([_layer(layer) for layer in TRUNK])
        self.side = nn.ModuleList([nn.Conv2d(count, MIDDLE, 1) for count in SIDES])
        self.head = nn.ModuleList([_layer(layer) for layer in HEAD])
        self.out = nn.Conv2d(MIDDLE, OUTPUTS, 1)
        assert self.out.bias is not None
        nn.init.constant_(self.out.bias[:4], 0.0)
        nn.init.constant_(self.out.bias[4:], -4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(B, 4 + K, A) raw outputs of each cell."""
        given = []
        for layer, part in zip(TRUNK, self.trunk, strict=True):
            x = x + part(x) if layer.added else part(x)
            given += [x] if layer.given else []
        merged: list[torch.Tensor] = []
        for side, feature in zip(reversed(list(self.side)), reversed(given), strict=True):
            more = functional.interpolate(merged[0], scale_factor=2.0) if merged else 0.0
            merged.insert(0, side(feature) + more)
        flat = []
        for level in merged:
            for part in self.head:
                level = part(level)
            flat.append(self.out(level).flatten(2))
        return torch.cat(flat, dim=2)

    def weights(self) -> dict[str, npt.NDArray[Any]]:
        """Kernels and biases of all convolutions, with batch norms folded in."""
        found: dict[str, npt.NDArray[Any]] = {}
        for name, parts in (("trunk", self.trunk), ("head", self.head)):
            for number, part in enumerate(parts):
                kernel, bias = _folded(part[0], part[1])
                found[f"{name}.{number}.weight"], found[f"{name}.{number}.bias"] = kernel, bias
        plain = {f"side.{number}": part for number, part in enumerate(self.side)}
        for name, part in {**plain, "out": self.out}.items():
            found[f"{name}.weight"] = part.weight.detach().numpy()
            found[f"{name}.bias"] = part.bias.detach().numpy()
        return found


def _folded(convolution: Any, norm: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    kernel = convolution.weight * factor[:, None, None, None]
    bias = norm.bias - norm.running_mean * factor
    return kernel.detach().numpy(), bias.detach().numpy()


def _boxes(raw: torch.Tensor) -> torch.Tensor:
    """(B, A, 4) xyxy in pixels."""
    place = torch.from_numpy(cells()).T
    middle = place[:2] + raw[:, :2] * place[2]
    half = torch.exp(raw[:, 2:4].clamp(-FAR, FAR)) * place[2]
    return torch.cat([middle - half, middle + half], dim=1).transpose(1, 2)


def _loss(raw: torch.Tensor, wanted: Sequence[CellTargets]) -> torch.Tensor:
    """Focal loss of the classes, and generalised IoU of the boxes."""
    kinds, boxes, there, free = (
        torch.from_numpy(np.stack([one[part] for one in wanted])) for part in range(4)
    )
    scores = raw[:, 4:].transpose(1, 2)
    entropy = functional.binary_cross_entropy_with_logits(scores, kinds, reduction="none")
    right = torch.exp(-entropy)
    weight = torch.where(kinds > 0, 0.3, 0.7) * (1 - right) ** 2 * (~free)[..., None]
    count = max(int(there.sum()), 1)
    apart = 1 - _generalised_iou(_boxes(raw)[there], boxes[there])
    return ((weight * entropy).sum() + 1.5 * apart.sum()) / count


def _generalised_iou(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    common = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(0)
    around = torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])
    shared, hull = common.prod(1), around.prod(1)
    union = (a[:, 2:] - a[:, :2]).prod(1) + (b[:, 2:] - b[:, :2]).prod(1) - shared
    return shared / (union + 1e-6) - (hull - union) / (hull + 1e-6)


def train(data: Sequence[TrainingPicture], steps: int = STEPS) -> StreetCameraNetwork:
    """A network trained on the pictures; deterministic on one machine."""
    torch.manual_seed(SEED)
    rng = np.random.default_rng(SEED)
    network = StreetCameraNetwork()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 50, max(0.02, 1 - step / steps))
        batch = [augmented(data[k], rng) for k in rng.choice(len(data), BATCH)]
        images = np.stack([one.image for one in batch]).transpose(0, 3, 1, 2)
        loss = _loss(network(torch.from_numpy(images.copy())), [cell_targets(one) for one in batch])
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        if step % 50 == 0:
            log.info("step %d of %d: loss %.3f", step, steps, float(loss.detach()))
    network.eval()
    return network


def main(out: Path) -> None:
    """Make the pictures, train, and write the model."""
    import onnx

    logging.basicConfig(level=logging.INFO)
    network = train([training_picture(SEED, index) for index in range(PICTURES)])
    onnx.save(camera_model(network.weights()), str(out))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
