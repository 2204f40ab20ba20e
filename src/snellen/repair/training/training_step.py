"""One training step."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from snellen.errors import UserError
from snellen.repair.training.anchor import DRIFT, Anchor
from snellen.repair.training.example import Example
from snellen.repair.training.options import TrainingOptions
from snellen.repair.training.tensors import pixels_of, targets_of
from snellen.subjects.torch_models.trainable_detector import TrainableDetector

if TYPE_CHECKING:
    from torch import nn, optim


class DivergedError(UserError):
    """The loss or gradient is not finite. The weights are those before that step."""


def optimiser_of(
    parameters: Sequence[tuple[str, nn.Parameter]], options: TrainingOptions
) -> optim.Optimizer:
    """The optimiser of these parameters, without weight decay on biases and norms."""
    from torch import optim

    groups = [
        {"params": [one for _, one in parameters if one.ndim > 1], "weight_decay": options.decay},
        {"params": [one for _, one in parameters if one.ndim <= 1], "weight_decay": 0.0},
    ]
    if options.optimiser == "adamw":
        return optim.AdamW(groups, lr=options.rate, betas=(options.momentum, 0.999))
    return optim.SGD(groups, lr=options.rate, momentum=options.momentum)


def take_step(
    detector: TrainableDetector,
    optimiser: optim.Optimizer,
    examples: Sequence[Example],
    rate: float,
    clip: float | None,
    anchor: Anchor | None = None,
) -> dict[str, float]:
    """The parts of the loss on these examples, after one optimiser step.

    The step is not taken if the loss or its gradient is not finite.
    """
    import torch

    device = next(detector.module.parameters()).device
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.zero_grad(set_to_none=True)
    batch, targets = pixels_of(examples, device), targets_of(examples, device)
    given = anchor.answers(batch) if anchor else None
    outputs = detector.outputs(batch)
    parts = detector.loss(outputs, targets)
    if anchor and given is not None:
        parts = {**parts, DRIFT: anchor.drift(outputs, given, targets, examples)}
    total: Any = sum(parts.values())
    values = {name: float(value.detach()) for name, value in parts.items()}
    _check_finite(values, rate)
    total.backward()
    own = [one for group in optimiser.param_groups for one in group["params"]]
    norm = torch.nn.utils.clip_grad_norm_(own, clip if clip is not None else math.inf)
    _check_finite({"gradient": float(norm)}, rate)
    optimiser.step()
    return values


def _check_finite(values: dict[str, float], rate: float) -> None:
    bad = [name for name, value in values.items() if not math.isfinite(value)]
    if bad:
        raise DivergedError(f"the loss diverged: {bad[0]} is {values[bad[0]]} at rate {rate:.3g}")


def seed_torch(seed: int, device: Any) -> None:
    """Seed torch's random generators, used by dropout for example.

    Not with `torch.manual_seed`, which records every call for a GPU that is never used.
    """
    import torch

    torch.default_generator.manual_seed(seed)
    if device.type == "cuda":
        torch.cuda.manual_seed(seed)


@contextmanager
def deterministic(device: Any) -> Iterator[None]:
    """Use deterministic algorithms of torch inside the block.

    On a GPU only where torch has one: some layers have none there.
    """
    import torch

    before = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=device.type != "cpu")
    try:
        with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
            yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warn_only)
