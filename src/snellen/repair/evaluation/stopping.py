"""When to stop repairing: the failure rate on held-out scenes no longer falls."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.statistics.intervals import Interval


def still_falls(steps: Sequence[Interval], patience: int = 1) -> bool:
    """Whether another round of test and repair is worth its while.

    steps: the change of the held-out failure rate in each round so far: the difference of an
    `Evaluation` of that round's subject against the one before it, both replays of the same run. A
    round falls if its whole interval is below zero; stop after `patience` rounds in a row that do
    not. The same held-out scenes decide each time, so keep others for the final figure.

    >>> down, flat = Interval(-0.1, -0.2, -0.05, "x"), Interval(-0.01, -0.05, 0.03, "x")
    >>> still_falls([]), still_falls([down]), still_falls([down, flat])
    (True, True, False)
    >>> still_falls([down, flat], patience=2)
    True
    """
    if patience < 1:
        raise ValueError(f"a patience of {patience}, expected 1 or more")
    last = list(steps)[-patience:]
    return len(last) < patience or any(step.high < 0 for step in last)
