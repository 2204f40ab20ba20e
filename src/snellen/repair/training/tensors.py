"""Examples as tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from snellen.repair.training.example import Example
from snellen.subjects.torch_models.trainable_detector import Targets

if TYPE_CHECKING:
    from torch import Tensor


def pixels_of(examples: Sequence[Example], device: Any) -> Tensor:
    """(N, 3, H, W) float32 from 0 to 1."""
    import torch

    stacked = np.stack([one.pixels for one in examples])
    batch = torch.from_numpy(stacked).to(device).permute(0, 3, 1, 2)
    return batch.to(torch.float32).div(255).contiguous()


def targets_of(examples: Sequence[Example], device: Any) -> list[Targets]:
    """The targets of each example."""
    import torch

    def tensor(array: Any) -> Tensor:
        return torch.from_numpy(np.array(array)).to(device)

    return [
        Targets(
            boxes=tensor(one.boxes),
            labels=tensor(one.labels),
            weights=tensor(one.weights),
            ignored=tensor(one.ignored),
        )
        for one in examples
    ]
