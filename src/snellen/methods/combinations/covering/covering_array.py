"""A covering array and what is known about it."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.vision.arrays import Bools


@dataclass(frozen=True)
class CoveringArray:
    """Rows of label values, shape (rows, labels), ordered by greatest new coverage.

    `bound`: rows that any complete array needs at least; `gap`: how far over it this one is, as a
    fraction (0 is on the bound; negative if a row budget cut it). `combinations`: how many are
    demanded; `missing`: how many of them no row shows, as counted by the verifier; `infeasible`:
    the sets of labels that a constraint keeps from being present together, with which no
    combination can be shown.
    """

    names: tuple[str, ...]
    rows: Bools
    bound: int
    combinations: int
    missing: int
    infeasible: tuple[tuple[str, ...], ...]
    seconds: float
    method: str

    @property
    def gap(self) -> float:
        """Rows over the bound, as a fraction of it."""
        return len(self.rows) / self.bound - 1

    @property
    def complete(self) -> bool:
        """Whether every combination demanded is shown."""
        return self.missing == 0
