"""A covering array with its bound and coverage."""

from __future__ import annotations

from dataclasses import dataclass

from snellen.vision.arrays import Bools


@dataclass(frozen=True)
class CoveringArray:
    """Rows of label values, (rows, labels), ordered by greatest additional coverage.

    `bound`: lower bound on the rows of a complete array; `gap`: excess over it as a fraction (0 is
    on the bound; negative if truncated by a row budget). `combinations`: number required;
    `missing`: number of them that no row covers, counted by the verifier; `infeasible`: sets of
    labels that a constraint forbids together, so that combinations with them cannot be covered.
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
        """Rows above the bound, as a fraction of it."""
        return len(self.rows) / self.bound - 1

    @property
    def complete(self) -> bool:
        """Whether every required combination is covered."""
        return self.missing == 0
