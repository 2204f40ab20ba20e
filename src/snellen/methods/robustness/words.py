"""A run of robustness in words, the same on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CONTOURS = {
    "grad-cam": "the edge of what the subject's answer rests on (Grad-CAM)",
    "saliency": "the edge of what the subject's answer rests on (random masks)",
    "mask": "the instance's outline",
    "box": "the instance's box",
}
PASSES = {"dropout": "dropout passes", "views": "other views of the scene"}
CORRELATED = {
    "score": "score",
    "uncertainty": "uncertainty",
    "relative_box_entropy": "the box's entropy relative to its size",
}
FEW = 3


def passes_words(how: str | None) -> str:
    """Where uncertainty comes from."""
    return PASSES.get(how or "", "no passes")


def correlation_words(found: Mapping[str, Any]) -> str:
    """Whether sure instances break less, as a sentence; "" where that is not known."""
    lines = []
    for name, word in CORRELATED.items():
        told = found["correlations"].get(name)
        if told is None or told["value"] is None:
            continue
        low, high = told["low"], told["high"]
        sure = "not clearly different from none" if low <= 0 <= high else "beyond chance"
        lines.append(
            f"Failure rate and {word}: rank correlation {told['value']:+.2f} "
            f"(95% interval {low:+.2f} to {high:+.2f}), {sure}."
        )
    return " ".join(lines)


def robustness_rows(found: Mapping[str, Any]) -> dict[str, str]:
    """Rows of the terminal's table; found: the method's own numbers."""
    levels = ", ".join(
        f"{100 * one['share']:g}%: {100 * one['rate']['value']:.1f}%" for one in found["by_level"]
    )
    rows = {
        "instances": f"{found['tested']} tested, {found['never_failing']} never broke",
        "by distance": f"{levels} (share of the start distance: failure rate)"
        if levels
        else "none",
    }
    worst = [one for one in found["by_instance"] if one["failing"]][:FEW]
    if worst:
        rows["least robust"] = ", ".join(
            f"{one['name']} in {one['scene']} ({one['failing']} of {one['tests']})" for one in worst
        )
    told = found["correlations"].get("uncertainty")
    if told is not None and told["value"] is not None:
        rows["uncertainty"] = (
            f"rank correlation with the failure rate {told['value']:+.2f} "
            f"({told['low']:+.2f} to {told['high']:+.2f})"
        )
    return rows
