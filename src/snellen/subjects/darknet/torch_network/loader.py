"""Opens a Darknet network as a torch detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from snellen.subjects.darknet.cfg_file import read_cfg
from snellen.subjects.darknet.head_decoder import head_decoder
from snellen.subjects.darknet.torch_network.detector import DarknetDetector, DarknetSource
from snellen.subjects.darknet.torch_network.head_settings import read_settings
from snellen.subjects.darknet.torch_network.torch_module import DarknetModule
from snellen.subjects.darknet.weights_file import read_weights
from snellen.subjects.fingerprints import fingerprint_of
from snellen.subjects.model_file.model_options import existing_file
from snellen.subjects.model_file.network import NetworkInput
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.torch_models.options import TorchOptions
from snellen.vision.arrays import AnyArray

Opened = tuple[DarknetDetector, str, dict[str, Any]]


def open_darknet_detector(options: TorchOptions, folder: Path) -> Opened:
    """The detector, its name, and the parts of its fingerprint besides its parameters."""
    assert options.cfg is not None
    assert options.weights is not None
    cfg = existing_file(folder, options.cfg, "subject.cfg")
    weights = existing_file(folder, options.weights, "subject.weights")
    model = read_cfg(cfg)
    model = replace(model, size=options.size or model.size)
    module = DarknetModule(model, read_weights(weights, model)).eval()
    layers = fingerprint_of(layers=[repr(layer) for layer in model.layers])
    source = ModelSource(str(cfg), folder, layers, weights.stem)
    like = open_model(_Network(module), options.of_model(), source, head_decoder(model.heads))
    origin = DarknetSource(weights.stem, cfg.read_text(encoding="utf-8"))
    detector = DarknetDetector(module, like.reader, read_settings(cfg), origin)
    return detector, weights.stem, {"reading": like.fingerprint}


class _Network:
    """The module as a `Network`, for the factory of model files."""

    forward_batch = 1

    def __init__(self, module: DarknetModule) -> None:
        self._module = module
        self.metadata: Mapping[str, str] = {}
        shape = (None, module.model.channels, *module.model.size)
        self.input = NetworkInput(shape, np.dtype(np.float32))
        self.output_names = tuple(f"head_{order}" for order in range(len(module.model.heads)))
        self.runtime = f"torch {torch.__version__}"

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        """One array per head."""
        with torch.inference_mode():
            return [one.numpy() for one in self._module(torch.from_numpy(tensor))]

    def close(self) -> None:
        """Nothing to release."""
