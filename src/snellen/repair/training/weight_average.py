"""Moving averages and interpolation of weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor, nn


def copied(module: nn.Module) -> dict[str, Tensor]:
    """A copy of a module's state."""
    return {name: one.detach().clone() for name, one in module.state_dict().items()}


class Average:
    """`decay * average + (1 - decay) * weights` after each step, for all of a module's state.

    The decay starts low, (1 + n) / (10 + n) after n steps, so that the initial weights fade
    quickly. Integers, such as counts of batches, are copied.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay, self.steps = decay, 0
        self.state = copied(module)

    def update(self, module: nn.Module) -> None:
        """Add the module's current weights to the average."""
        self.steps += 1
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, one in module.state_dict().items():
            own = self.state[name]
            if own.is_floating_point():
                own.lerp_(one.detach(), 1 - decay)  # exact where nothing changed
            else:
                own.copy_(one)

    def restore(self, state: Mapping[str, Tensor], steps: int) -> None:
        """Restore the average from a checkpoint."""
        self.steps = steps
        for name, one in self.state.items():
            one.copy_(state[name])


def interpolate_state(
    state: Mapping[str, Tensor], given: Mapping[str, Tensor], share: float
) -> dict[str, Tensor]:
    """Linear interpolation from `state` (share 0) to `given` (share 1).

    Integers, such as counts of batches, are those of `state`.
    """
    return {
        name: one.lerp(given[name].to(one), share) if one.is_floating_point() else one
        for name, one in state.items()
    }


@contextmanager
def temporary_state(module: nn.Module, state: Mapping[str, Tensor]) -> Iterator[None]:
    """The module with other weights inside the block."""
    own = copied(module)
    module.load_state_dict(state)
    try:
        yield
    finally:
        module.load_state_dict(own)
