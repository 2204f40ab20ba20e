"""Monte Carlo dropout by hooks, which leave the module itself unchanged."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from snellen.subjects.torch_models.trainable_detector import Resumes, TrainableDetector


@dataclass(frozen=True)
class Dropout:
    """Dropout of input channels of some layers.

    rate: the drop probability of each channel, in [0, 1). layers: names of submodules. seed: of the
    masks.
    """

    rate: float
    layers: tuple[str, ...]
    seed: int = 0

    @contextmanager
    def applied(self, module: nn.Module, number: int) -> Iterator[None]:
        """A context in which the module runs as in pass `number`, the same for every image.

        A layer's mask depends only on the seed, the number and the layer's name. Kept channels are
        scaled by 1 / (1 - rate), so that the mean over passes is the input without dropout.
        """
        handles = [
            module.get_submodule(name).register_forward_pre_hook(self._hook(name, number))
            for name in self.layers
        ]
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def mask(self, layer: str, number: int, channels: int) -> np.ndarray[Any, np.dtype[np.float32]]:
        """(channels,) factors: 0 where dropped, else 1 / (1 - rate)."""
        rng = np.random.default_rng([self.seed, number, zlib.crc32(layer.encode())])
        kept = rng.random(channels) >= self.rate
        return (kept / (1 - self.rate)).astype(np.float32)

    def _hook(self, layer: str, number: int) -> Callable[[nn.Module, Any], Any]:
        def masked(module: nn.Module, given: tuple[Any, ...]) -> tuple[Any, ...]:
            first: Tensor = given[0]
            axis = first.ndim - 1 if isinstance(module, nn.Linear) else 1
            factors = torch.from_numpy(self.mask(layer, number, first.shape[axis])).to(first)
            shape = [1] * first.ndim
            shape[axis] = -1
            return first * factors.reshape(shape), *given[1:]

        return masked


def sampled_outputs(
    detector: TrainableDetector, batch: Tensor, dropout: Dropout, numbers: Sequence[int]
) -> Iterator[Sequence[Tensor]]:
    """The raw outputs of each pass over a batch.

    If the detector can resume, the layers before the dropout run only once; the outputs are the
    same.
    """
    run: Callable[[], Sequence[Tensor]] = partial(detector.outputs, batch)
    if isinstance(detector, Resumes):
        run = partial(detector.after, detector.before(batch, dropout.layers))
    for number in numbers:
        with dropout.applied(detector.module, number):
            found = run()
        yield found


@contextmanager
def evaluation_mode(module: nn.Module) -> Iterator[None]:
    """A context with all submodules in evaluation mode; their modes are restored at the end."""
    before = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, training in before:
            part.training = training


def last_weighted_layer(module: nn.Module, run: Callable[[], Any]) -> str | None:
    """The name of the last convolution or linear layer that `run` executes, or None."""
    ran: list[str] = []
    handles = [
        part.register_forward_pre_hook(lambda *_, name=name: ran.append(name))
        for name, part in weighted_layers(module)
    ]
    try:
        run()
    finally:
        for handle in handles:
            handle.remove()
    return ran[-1] if ran else None


def weighted_layers(module: nn.Module) -> Sequence[tuple[str, nn.Module]]:
    """The convolutions and linear layers of a module, by name."""
    kinds = (nn.Conv1d, nn.Conv2d, nn.Conv3d, nn.ConvTranspose2d, nn.Linear)
    return [(name, part) for name, part in module.named_modules() if isinstance(part, kinds)]
