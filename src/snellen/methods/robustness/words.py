"""A run of robustness in words, the same on a terminal and on a page."""

from __future__ import annotations

from snellen.methods.robustness.own_numbers import Correlations, RobustnessNumbers

CONTOURS = {
    "grad-cam": "the edge of the salient region (Grad-CAM)",
    "saliency": "the edge of the salient region (random masks)",
    "mask": "the instance's outline",
    "box": "the instance's box",
}
PASSES = {"dropout": "dropout passes", "views": "augmented views of the scene"}
FEW = 3


def passes_words(how: str | None) -> str:
    """The source of uncertainty, in words."""
    return PASSES.get(how or "", "no passes")


def correlation_words(found: Correlations) -> str:
    """Whether certain instances break less, as a sentence; "" where unknown."""
    correlated = (
        ("score", found.score),
        ("uncertainty", found.uncertainty),
        ("the box entropy relative to the box's size", found.relative_box_entropy),
    )
    lines = []
    for word, correlation in correlated:
        if correlation is None or correlation.value is None:
            continue
        low, high = correlation.low, correlation.high
        sure = "not significant" if low <= 0 <= high else "significant"
        lines.append(
            f"Failure rate and {word}: rank correlation {correlation.value:+.2f} "
            f"(95% interval {low:+.2f} to {high:+.2f}), {sure}."
        )
    return " ".join(lines)


def robustness_rows(found: RobustnessNumbers) -> dict[str, str]:
    """Rows of the terminal table; found: the method's own numbers."""
    levels = ", ".join(
        f"{100 * one.share:g}%: {100 * (one.rate.value or 0):.1f}%" for one in found.by_level
    )
    rows = {
        "instances": f"{found.tested} tested, {found.never_failing} never broke",
        "by distance": f"{levels} (share of the start distance: failure rate)"
        if levels
        else "none",
    }
    worst = [one for one in found.by_instance if one.failing][:FEW]
    if worst:
        rows["least robust"] = ", ".join(
            f"{one.name} in {one.scene} ({one.failing} of {one.tests})" for one in worst
        )
    correlation = found.correlations.uncertainty
    if correlation is not None and correlation.value is not None:
        rows["uncertainty"] = (
            f"rank correlation with the failure rate {correlation.value:+.2f} "
            f"({correlation.low:+.2f} to {correlation.high:+.2f})"
        )
    return rows
