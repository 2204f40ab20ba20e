"""The thresholds two subjects are compared at: matched, or reported as not matched."""

from __future__ import annotations

from snellen.errors import UserError
from snellen.methods.requirements.checks.operating_points import (
    CLOSE,
    OperatingPoint,
    current_point,
    match_operating_points,
    operating_points,
    point_with_precision,
)
from snellen.methods.requirements.comparison.clean_metrics import first_subtasks
from snellen.methods.requirements.comparison.run_side import RequirementsSide, common_units
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.run_comparison import Match, Matched, unmatched


def match_thresholds(a: RequirementsSide, b: RequirementsSide, match: Match | None) -> Matched:
    """B at the threshold to compare it at, with warnings."""
    if match is None:
        return Matched(b, _unmatched(a, b))
    if match == "threshold":
        return Matched(_at(b, a.score))
    return _at_precision(a, b)


def point_of(side: RequirementsSide, other: RequirementsSide) -> OperatingPoint | None:
    """Precision and recall on unchanged scenes of the subtasks that both have; None if unknown."""
    units = common_units(side, other, "correctness")
    return current_point(_clean(side, other, units)) if units else None


def _clean(side: RequirementsSide, other: RequirementsSide, units: list[str]) -> RunEvidence:
    stages = min(len(side.facts["subtasks"]), len(other.facts["subtasks"]))
    return first_subtasks(side.evidence("correctness", units), stages)


def _unmatched(a: RequirementsSide, b: RequirementsSide) -> list[str]:
    points = (point_of(a, b), point_of(b, a))
    measured = [one for one in points if one is not None]
    by = (
        match_operating_points(measured).by
        if len(measured) == 2
        else ("score" if a.score == b.score else None)
    )
    if by is not None:
        return []
    remedy = "Pass --match precision" if len(measured) == 2 else "Run both at one score"
    return [unmatched(a, b, points, remedy)]


def _at(b: RequirementsSide, score: float) -> RequirementsSide:
    if score < b.floor and score < b.score:
        raise UserError(
            f"{b.run.folder}: answers were recorded down to a score of {b.floor:g}, so B can't be "
            f"judged at {score:g}. Run it again with a lower `floor`, or use --match precision."
        )
    return b.at(score)


def _at_precision(a: RequirementsSide, b: RequirementsSide) -> Matched:
    units = common_units(a, b, "correctness")
    if not units:
        raise UserError(
            "--match precision: no common scene is annotated, so precision is "
            "unknown. Use --match threshold."
        )
    precision = current_point(_clean(a, b, units)).precision
    try:
        found = point_with_precision(_clean(b, a, units), precision)
    except UserError:
        best = max((one.precision for one in operating_points(_clean(b, a, units))), default=0.0)
        raise UserError(
            f"--match precision: A has a precision of {precision:.3f} on unchanged scenes, which B "
            f"does not reach at any threshold; its best is {best:.3f}. Use --match threshold."
        ) from None
    moved, warnings = b.at(found.score), []
    if found.precision > precision + CLOSE:
        warnings.append(
            f"A's precision of {precision:.2f} can't be reached: B's answers were recorded down to "
            f"a score of {b.floor:g}, where its precision is still {found.precision:.2f}. Run B "
            "with a lower `floor`"
        )
    return Matched(moved, warnings)
