"""A covering array with its bound and coverage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from snellen.methods.combinations.covering.members import values_of
from snellen.vision.arrays import Bools, Ints


@dataclass(frozen=True)
class CoveringArray:
    """Rows of label values, ordered by greatest additional coverage.

    `members`: (rows, most) the labels present in each row, ascending and padded with -1; `rows`:
    the same as (rows, labels) 0/1 values, which take far more memory and are made when asked for.
    `bound`: lower bound on the rows of a complete array; `gap`: excess over it as a fraction (0 is
    on the bound; negative if truncated by a row budget). `combinations`: number required;
    `missing`: number of them that no row covers, counted by the verifier; `infeasible`: sets of
    labels that constraints keep from being present together, and `implied`: pairs of labels of
    which the first cannot be present without the second. A combination can be covered unless it has
    such a set present, or the first label of such a pair present and the second absent.
    """

    names: tuple[str, ...]
    members: Ints
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
        return len(self.members) / self.bound - 1

    @cached_property
    def rows(self) -> Bools:
        """(rows, labels) whether each label is present."""
        return values_of(self.members, len(self.names))

    @property
    def complete(self) -> bool:
        """Whether every required combination is covered."""
        return self.missing == 0
