"""A moving average of a module's weights, which wanders less than the weights themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor, nn


class Average:
    """`decay * average + (1 - decay) * weights` after each step, for all of a module's state.

    The decay starts low, (1 + n) / (10 + n) after n steps, so that the start is soon forgotten.
    Whole numbers, such as counts of batches, are copied.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.state = {name: one.detach().clone() for name, one in module.state_dict().items()}

    def update(self, module: nn.Module) -> None:
        """Take in the module's present weights."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, one in module.state_dict().items():
            own = self.state[name]
            if own.is_floating_point():
                own.lerp_(one.detach(), 1 - decay)  # exact where nothing changed
            else:
                own.copy_(one)

    def restore(self, state: Mapping[str, Tensor], steps: int) -> None:
        """Go on from a checkpoint."""
        self.steps = steps
        for name, one in self.state.items():
            one.copy_(state[name])


@contextmanager
def worn(module: nn.Module, average: Average | None) -> Iterator[None]:
    """The module with its averaged weights inside the block, where there is an average."""
    if average is None:
        yield
        return
    with lent(module, average.state):
        yield


@contextmanager
def lent(module: nn.Module, state: Mapping[str, Tensor]) -> Iterator[None]:
    """The module with other weights inside the block."""
    own = {name: one.detach().clone() for name, one in module.state_dict().items()}
    module.load_state_dict(state)
    try:
        yield
    finally:
        module.load_state_dict(own)
