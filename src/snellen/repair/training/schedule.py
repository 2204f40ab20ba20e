"""The learning rate over the steps of a training."""

from __future__ import annotations

import math

from snellen.repair.training.options import TrainingOptions


def rate_at(step: int, steps: int, options: TrainingOptions) -> float:
    """The learning rate of the 0-based `step` of `steps`.

    It rises linearly during warm-up, then stays constant, or falls along half a cosine to
    `last_rate` times the rate at the last step.

    >>> options = TrainingOptions(rate=1.0, warm_up=2, last_rate=0.0)
    >>> [round(rate_at(step, 5, options), 3) for step in range(5)]
    [0.5, 1.0, 1.0, 0.5, 0.0]
    """
    if step < options.warm_up:
        return options.rate * (step + 1) / options.warm_up
    if options.schedule == "constant":
        return options.rate
    progress = (step - options.warm_up) / max(1, steps - options.warm_up - 1)
    low = options.last_rate
    return options.rate * (low + (1 - low) * (1 + math.cos(math.pi * min(1.0, progress))) / 2)
