"""What a method adds to the comparison of two of its runs; by default nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from snellen.errors import UserError
from snellen.methods.compared_number import ComparedNumber
from snellen.store.case_rows import CaseRow, case_rows
from snellen.store.compared_run import ComparedRun

Match: TypeAlias = Literal["threshold", "precision"]
"""How B's operating point is matched to A's."""


@dataclass(frozen=True, eq=False)
class RunSide:
    """One of two runs, judged at a score threshold. rows: its cases on the common scenes."""

    run: ComparedRun
    score: float
    rows: Sequence[CaseRow]


class Point(Protocol):
    """Precision and recall of a subject at its threshold."""

    @property
    def precision(self) -> float:
        """The share of its detections that are correct."""

    @property
    def recall(self) -> float:
        """The share of the objects that it detects."""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""


class OwnComparison:
    """What a method adds to a comparison; warnings: what makes it unfair."""

    warnings: Sequence[str] = ()

    def to_json(self) -> dict[str, Any]:
        """Values for machines."""
        return {"clean": {}, "requirements": []}

    def lines(self) -> list[str]:
        """Lines for people."""
        return []

    def numbers(self) -> Sequence[ComparedNumber]:
        """What a gate against a baseline decides on besides failures and faults."""
        return ()


class Matched(NamedTuple):
    """B as it is compared with A, and warnings about that."""

    side: RunSide
    warnings: Sequence[str] = ()


class RunComparison:
    """How runs of a method are compared beyond their failure rates.

    ignored_options: options that may differ without a warning.
    """

    ignored_options: frozenset[str] = frozenset()

    def side(self, run: ComparedRun, scenes: Sequence[str]) -> RunSide:
        """A run as it was judged, on these scenes."""
        return RunSide(run, run.subject["score"], case_rows(run.journal, scenes))

    def matched(self, a: RunSide, b: RunSide, match: Match | None) -> Matched:
        """B at the threshold that it is compared at."""
        if match is None:
            return Matched(b, [] if a.score == b.score else [unmatched(a, b)])
        if match == "precision" or a.score != b.score:
            raise UserError(
                f"--match {match}: runs of method {b.run.method} can't be judged at another "
                f"threshold. Run {b.run.folder} again with subject.score={a.score:g}, or "
                "leave out --match."
            )
        return Matched(b)

    def point(self, side: RunSide, other: RunSide) -> Point | None:
        """Precision and recall of a side on unchanged scenes; None where unknown."""
        return None

    def own(self, a: RunSide, b: RunSide, scenes: int, seed: int) -> OwnComparison:
        """What the method compares besides failure rates; scenes: how many both examined."""
        return OwnComparison()


def unmatched(
    a: RunSide,
    b: RunSide,
    points: tuple[Point | None, Point | None] = (None, None),
    remedy: str = "Run both at one score",
) -> str:
    """The warning that two runs are judged at different operating points."""
    thresholds = [
        f"at score {side.score:g}"
        + (f" (precision {point.precision:.2f} on unchanged scenes)" if point else "")
        for side, point in zip((a, b), points, strict=True)
    ]
    return (
        f"operating points are not matched: A is judged {thresholds[0]}, B {thresholds[1]}; this "
        f"alone can produce a ranking (the published one mixed 0.05 and 0.5). {remedy}"
    )
