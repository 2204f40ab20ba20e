"""Whether boxes shift systematically: too little for one case to fail, but in nearly all cases."""

from __future__ import annotations

import numpy as np

from snellen.pages.markup import Child, Markup, tag
from snellen.pages.tables import figure, section, table
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.store.estimate import Estimate
from snellen.store.number_model import NumberModel
from snellen.store.rates import JudgedCases
from snellen.vision.arrays import F64
from snellen.vision.boxes.box_shifts import SHIFT_IOU, SHIFT_SIZE, SHIFT_X, SHIFT_Y

MARGIN = 0.05
"""The share of the box size beyond which a mean shift is reported."""
FEWEST = 3
"""The minimum number of scenes for an interval."""
AXES = {
    SHIFT_X: ("shift right", "shift left"),
    SHIFT_Y: ("shift down", "shift up"),
    SHIFT_SIZE: ("grow", "shrink"),
}
"""Of each measurement that can be reported, the words for a positive and a negative mean."""
UNITS = {SHIFT_X: " of their width", SHIFT_Y: " of their height", SHIFT_SIZE: ""}
NAMES = {
    SHIFT_X: "to the right, share of the width",
    SHIFT_Y: "down, share of the height",
    SHIFT_SIZE: "log of the ratio of side lengths",
    SHIFT_IOU: "1 - IoU",
}


class MeanShift(NumberModel):
    """One measurement of shift, a mean over scenes; None with fewer than 3 scenes."""

    tests: Estimate | None
    controls: Estimate | None


class ShiftNumbers(NumberModel):
    """The shift of boxes in tests and controls.

    tests, controls: of the measurement `axis`, the one with the clearest shift. reported: its
    interval in tests lies beyond 5% of the box size. any_change: so does that in controls, on the
    same side. axes: every measurement, by name.
    """

    tests: Estimate | None
    controls: Estimate | None
    axis: str
    reported: bool
    any_change: bool
    sentence: str
    axes: dict[str, MeanShift]


def mean_by_scene(values: F64) -> Estimate | None:
    """The mean of one value for each scene, (S,), with its t interval; NaN is left out."""
    from scipy.special import stdtrit

    known = values[np.isfinite(values)]
    if len(known) < FEWEST:
        return None
    mean, error = float(known.mean()), float(known.std(ddof=1) / np.sqrt(len(known)))
    half = float(stdtrit(len(known) - 1, (1 + CONFIDENCE) / 2)) * error
    value, low, high = (round(end, 6) for end in (mean, mean - half, mean + half))
    return Estimate.of(Interval(value, low, high, "t interval by scene"))


def scene_means(cases: JudgedCases, name: str) -> F64:
    """The mean of a measurement in each scene that has it, by rising index of the scene."""
    values = cases.measured(name)
    known = np.isfinite(values)
    sums = np.bincount(cases.scenes[known], values[known])
    counts = np.bincount(cases.scenes[known])
    return np.asarray(sums[counts > 0] / counts[counts > 0])


def shift_numbers(tests: JudgedCases, controls: JudgedCases) -> ShiftNumbers | None:
    """Whether boxes shift systematically; None if no case has the measurements.

    controls: exposed to the same disturbance as the tests.
    """
    if not np.isfinite(tests.measured(SHIFT_X)).any():
        return None
    axes = {
        name: MeanShift(
            tests=mean_by_scene(scene_means(tests, name)),
            controls=mean_by_scene(scene_means(controls, name)),
        )
        for name in NAMES
    }
    axis = max(AXES, key=lambda name: abs(nearest_end(axes[name].tests)))
    shift = axes[axis]
    ends = nearest_end(shift.tests), nearest_end(shift.controls)
    reported = abs(ends[0]) > MARGIN
    any_change = reported and abs(ends[1]) > MARGIN and ends[0] * ends[1] > 0
    return ShiftNumbers(
        tests=shift.tests,
        controls=shift.controls,
        axis=axis,
        reported=reported,
        any_change=any_change,
        sentence=_sentence(axis, shift, reported=reported, any_change=any_change),
        axes=axes,
    )


def nearest_end(shift: Estimate | None) -> float:
    """The end of an interval that is nearest to 0; 0 if it includes 0, or without an interval."""
    if shift is None or shift.low <= 0 <= shift.high:
        return 0.0
    return shift.low if shift.low > 0 else shift.high


def _sentence(axis: str, shift: MeanShift, *, reported: bool, any_change: bool) -> str:
    if shift.tests is None or shift.tests.value is None:
        return f"unknown: boxes could be compared in fewer than {FEWEST} scenes"
    if not reported:
        return f"no systematic shift of boxes beyond {MARGIN:.0%} of their size is shown"
    way = AXES[axis][shift.tests.value < 0]
    says = f"in the mean over scenes, boxes {way} by {_amount(shift.tests)}{UNITS[axis]}"
    if shift.controls is None:
        return f"{says}; there are too few controls to compare with"
    cause = ": any change of the picture shifts them" if any_change else ""
    return f"{says}; in controls by {_amount(shift.controls)}{cause}"


def _amount(shift: Estimate) -> str:
    value, low, high = (f"{100 * one:.1f}%" for one in (shift.value or 0.0, shift.low, shift.high))
    return f"{value} (95% interval {low} to {high})"


def shift_rows(found: ShiftNumbers | None) -> dict[str, str]:
    """A row of the terminal table, if a shift is reported."""
    return {"box shift": found.sentence} if found is not None and found.reported else {}


def shift_steps(found: ShiftNumbers | None) -> list[str]:
    """What to look at, if a shift is reported."""
    if found is None or not found.reported:
        return []
    return [
        "boxes shift systematically, too little for a single case to fail: see `Box shifts` in the "
        "report"
    ]


def shift_section(found: ShiftNumbers | None) -> Markup | None:
    """The mean shift of boxes in tests and controls, by direction."""
    if found is None or found.tests is None:
        return None
    rows: list[list[Child]] = [
        [NAMES[name], *(one and figure(one, "{:.1f}%") for one in (shift.tests, shift.controls))]
        for name, shift in found.axes.items()
    ]
    words = found.sentence[0].upper() + found.sentence[1:] + "."
    return section(
        "Box shifts",
        tag("p", words),
        table(["shift of objects found in both", "cases", "controls"], rows, "Mean shift by scene"),
        id="shift",
    )
