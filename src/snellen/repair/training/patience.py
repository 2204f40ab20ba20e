"""Early stopping."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Patience:
    """The best epoch so far and whether to stop.

    patience: epochs without improvement after which to stop, None for never. least: the smallest
    improvement that counts. Smaller values are better.

    >>> state = Patience(patience=2, least=0.1)
    >>> for epoch, value in enumerate([3.0, 2.0, 1.95, 1.99]):
    ...     state = state.after(epoch, value)
    >>> state.best, state.epoch, state.over
    (2.0, 1, True)
    """

    patience: int | None
    least: float = 0.0
    best: float = float("inf")
    epoch: int = 0
    waited: int = 0

    def after(self, epoch: int, value: float) -> Patience:
        """The state after an epoch with this value."""
        if value < self.best - self.least or self.best == float("inf"):
            return replace(self, best=value, epoch=epoch, waited=0)
        return replace(self, waited=self.waited + 1)

    @property
    def over(self) -> bool:
        """Whether to stop."""
        return self.patience is not None and self.waited >= self.patience
