"""A Darknet network as a detector that can be tested, explained, sampled and trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from snellen.subjects.darknet.torch_network.box_overlap import iou
from snellen.subjects.darknet.torch_network.head_settings import HeadSettings
from snellen.subjects.darknet.torch_network.model_export import save_darknet
from snellen.subjects.darknet.torch_network.torch_module import DarknetModule, PartialPass
from snellen.subjects.darknet.torch_network.yolo_drift import yolo_drift
from snellen.subjects.darknet.torch_network.yolo_heads import HeadValues, read_head
from snellen.subjects.darknet.torch_network.yolo_loss import yolo_loss
from snellen.subjects.decoders.outputs import Outputs
from snellen.subjects.model_file.letterbox import Letterbox
from snellen.subjects.model_file.model_subject import OutputReader
from snellen.subjects.torch_models.trainable_detector import Targets
from snellen.vision.detections import Detections

DISTANCE_WEIGHT = 1e-3
"""Weight of the distance to a box, which decides only where nothing overlaps it."""


@dataclass(frozen=True)
class DarknetSource:
    """The source of a network: its name, and the text of its cfg."""

    name: str
    cfg: str


class DarknetDetector:
    """A Darknet network; see `TrainableDetector`.

    reader: converts its outputs to detections as for `kind: darknet`. settings: training settings
    of its heads.
    """

    def __init__(
        self,
        module: DarknetModule,
        reader: OutputReader,
        settings: Sequence[HeadSettings],
        source: DarknetSource,
    ) -> None:
        self.module, self.reader = module, reader
        self.settings, self.source = tuple(settings), source
        self.classes = reader.table.names
        self.size = module.model.size
        self.fit = reader.preprocessing.fit
        self.heads, self.backbone = module.head_layers, module.shared_layers
        self._ids = np.flatnonzero(reader.table.places >= 0)

    def outputs(self, batch: Tensor) -> list[Tensor]:
        """The input of each head, (N, A * (5 + C), h, w), for images (N, 3, H, W) from 0 to 1."""
        found: list[Tensor] = self.module(batch)
        return found

    def before(self, batch: Tensor, layers: Sequence[str]) -> PartialPass:
        """The state for a batch before the first of the named layers runs."""
        numbers = [int(name.partition(".")[0].removeprefix("layer_")) for name in layers]
        return self.module.run(PartialPass(0, batch), min(numbers, default=0))

    def after(self, midway: PartialPass) -> list[Tensor]:
        """The raw outputs, as of `outputs`, from that state."""
        return list(self.module.run(midway, len(self.module.model.layers)).heads)

    def decode(
        self, outputs: Sequence[Tensor], frames: Sequence[Letterbox], floor: float
    ) -> list[Detections]:
        """The detections of each image in its own pixels, as for `kind: darknet`."""
        reader = replace(self.reader, settings=replace(self.reader.settings, floor=floor))
        names = tuple(f"head_{order}" for order in range(len(outputs)))
        arrays = [one.detach().cpu().numpy() for one in outputs]
        found = []
        for number, frame in enumerate(frames):
            own = Outputs(names, tuple(array[number] for array in arrays))
            answer = reader.prediction(own, frame)
            assert isinstance(answer, Detections)
            found.append(answer)
        return found

    def scores(self, outputs: Sequence[Tensor], boxes: Tensor, label: int) -> Tensor:
        """(K,) log-odds of an object plus those of the class, of the prediction for each box.

        outputs: of one image. The prediction for a box has the highest product of IoU and class
        probability.
        """
        place = int(self._ids[label])
        read = [read_head(*pair, self.size) for pair in zip(outputs, self._yolos, strict=True)]
        found = torch.cat([one.boxes[0].flatten(0, 2) for one in read])
        odds = torch.cat([_odds(one, place) for one in read])
        with torch.no_grad():
            rank = iou(boxes.to(found)[:, None], found) * odds.sigmoid().prod(-1)
            rank = rank - DISTANCE_WEIGHT * _distances(boxes.to(found), found) / max(self.size)
        return odds[rank.argmax(1)].sum(-1)

    def loss(self, outputs: Sequence[Tensor], targets: Sequence[Targets]) -> dict[str, Tensor]:
        """The parts `box`, `objectness` and `classes`; see `yolo_loss`."""
        own = [replace(one, labels=self._network_ids(one.labels)) for one in targets]
        return yolo_loss(outputs, own, self._yolos, self.settings, self.size)

    def drift(
        self, outputs: Sequence[Tensor], given: Sequence[Tensor], free: Sequence[Targets]
    ) -> Tensor:
        """How far the outputs have moved from those given; see `yolo_drift`."""
        return yolo_drift(outputs, given, free, self._yolos, self.settings, self.size)

    def save(self, folder: Path) -> dict[str, Any]:
        """Write cfg, weights, names and ONNX; returns the configuration of cfg and weights."""
        return save_darknet(self.module, self.reader, self.source.name, self.source.cfg, folder)

    @property
    def _yolos(self) -> Any:
        return self.module.model.heads

    def _network_ids(self, labels: Tensor) -> Tensor:
        return torch.from_numpy(self._ids).to(labels.device)[labels.long()]


def _odds(values: HeadValues, label: int) -> Tensor:
    """(A * h * w, 2) log-odds of one image: of an object, and of the class."""
    return torch.stack([values.objectness[0], values.classes[0, ..., label]], -1).flatten(0, 2)


def _distances(first: Tensor, second: Tensor) -> Tensor:
    """(K, M) distances between the centres of boxes (K, 4) and (M, 4)."""
    return torch.cdist((first[:, :2] + first[:, 2:]) / 2, (second[:, :2] + second[:, 2:]) / 2)
