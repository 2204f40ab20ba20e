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
    labels that constraints keep from being present together, and `implied`: pairs of labels of
    which the first cannot be present without the second. A combination can be covered unless it has
    such a set present, or the first label of such a pair present and the second absent.
    """

    names: tuple[str, ...]
    rows: Bools
    bound: int
    combinations: int
    missing: int
    infeasible: tuple[tuple[str, ...], ...]
    seconds: float
    method: str
    implied: tuple[tuple[str, str], ...] = ()

    @property
    def gap(self) -> float:
        """Rows above the bound, as a fraction of it."""
        return len(self.rows) / self.bound - 1

    @property
    def complete(self) -> bool:
        """Whether every required combination is covered."""
        return self.missing == 0
