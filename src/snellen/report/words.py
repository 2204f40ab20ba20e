"""What the numbers of a summary mean, in plain words, the same on a terminal and on a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.methods.fusion.words import fusion_steps
from snellen.methods.requirements.words import gate_steps, requirement_verdict
from snellen.report.finding_folder import replay_command

REPORT = "report.html"
WIDE = 0.1
"""An interval of a rate wider than this asks for more cases."""


def percent(rate: dict[str, Any]) -> str:
    """A rate with its interval.

    >>> percent({"value": 0.25, "low": 0.1, "high": 0.5, "confidence": 0.95})
    '25.0% (95% interval 10.0% to 50.0%)'
    """
    if rate["value"] is None:
        return "no cases"
    value, low, high = (f"{100 * rate[key]:.1f}%" for key in ("value", "low", "high"))
    return f"{value} ({100 * rate['confidence']:.0f}% interval {low} to {high})"


def points(difference: dict[str, Any]) -> str:
    """A difference of two rates in percentage points, with its interval.

    >>> points({"value": 0.25, "low": -0.1, "high": 0.5, "confidence": 0.95})
    '+25.0 points (95% interval -10.0 to +50.0)'
    >>> points({"value": -0.0, "low": -0.0004, "high": 0.0, "confidence": 0.95})
    '0.0 points (95% interval 0.0 to 0.0)'
    """
    value, low, high = (_signed(difference[key]) for key in ("value", "low", "high"))
    return f"{value} points ({100 * difference['confidence']:.0f}% interval {low} to {high})"


def _signed(share: float) -> str:
    """In points, with its sign unless it is nothing."""
    rounded = round(100 * share, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def verdict(summary: dict[str, Any]) -> str:
    """What the failure rate means, read against the controls; or what requirements come to."""
    if summary.get("requirements"):
        return requirement_verdict(summary["requirements"])
    rate, failing = summary["failure_rate"], summary["failing_cases"]
    if rate["value"] is None:
        return "No case was judged, so there is no verdict."
    if not failing:
        return (
            f"No failure in {summary['test_cases']} cases. With {100 * rate['confidence']:.0f}% "
            f"confidence the true rate is below {100 * rate['high']:.1f}%."
        )
    if "combinations" in summary:
        return _composed_verdict(summary["combinations"])
    if summary["method"] == "identity":
        return (
            "The same question got different answers. This is the subject's own noise, which the "
            "failures that other methods find have to be read against."
        )
    difference = summary["difference"]
    if difference is None or difference["value"] is None:
        return "This run has no controls, so the rate can't be told from the subject's own noise."
    if difference["low"] > 0:
        return (
            "The failures are real: cases fail more often than controls, where nothing may change, "
            f"by {points(difference)}."
        )
    return (
        "Not proven: cases don't fail clearly more often than controls, where nothing may change; "
        f"the difference is {points(difference)}. More scenes or more controls would tell."
    )


def _composed_verdict(found: Mapping[str, Any]) -> str:
    """How many compositions fail, and how many of them only because labels are together."""
    images, failing = found["images"], found["error_images"]["images"]
    together, unknown = found["causes"]["interaction"], found["causes"]["undiagnosed"]["images"]
    told = f"Of {images:,} compositions {failing:,} fail"
    if unknown == failing:
        return f"{told}. Why was not asked, so what is interaction and what is not can't be told."
    told += (
        f"; {together['images']:,} of them though every object alone is recognised: interaction "
        f"errors, {percent(together['rate'])}."
    )
    others = [
        f"{found['causes'][name]['images']:,} {words}"
        for name, words in BLAMED.items()
        if found["causes"][name]["images"]
    ]
    return f"{told} Of the rest, {' and '.join(others)}." if others else told


BLAMED = {
    "single-object": "have an object that is wrong alone, too",
    "background": "have a background that is wrong when bare",
    "undiagnosed": "were not looked into",
}


def unit_word(summary: Mapping[str, Any]) -> str:
    """What the units of a run are called, in the plural."""
    return "rows" if "combinations" in summary else "scenes"


def control_words(summary: Mapping[str, Any]) -> str:
    """What the controls of a run are."""
    if "combinations" in summary:
        return "single objects of compositions, which must get exactly their label"
    return "cases in which nothing may change"


def next_steps(summary: dict[str, Any], folder: Path, worst: str | None = None) -> list[str]:
    """What a person would want to do now. worst: the id of the worst finding, if there is one."""
    steps = []
    if summary["units"]["left_out"] or summary["units"]["errors"]:
        retry = " --retry-errors" if summary["units"]["errors"] else ""
        steps.append(f"examine the rest with: snellen run {folder / 'config.yaml'} --resume{retry}")
    if (folder / REPORT).exists():
        shown = next((words for key, words in SHOWN.items() if summary.get(key)), "")
        steps.append(f"look at {folder / REPORT} in a browser{shown}")
    elif summary["failing_cases"] or summary.get("requirements"):
        steps.append(f"make the report with: snellen report {folder}")
    if summary["failing_cases"] and summary["method"] == "identity":
        steps.append(_unsteady(summary))
    elif worst is not None:
        steps.append(f"see the worst finding fail again: {replay_command(folder, worst)}")
    steps += fusion_steps(summary)
    steps += _more_cases(summary, folder)
    return steps


SHOWN = {
    "combinations": ", its map shows which labels go wrong together",
    "requirements": ", its curves show from which visual change on it breaks",
    "fusion": ", its findings can be turned in 3D",
    "robustness": ", it shows around which instances insertions break them",
}
"""What a page has to look at, by the key of the summary."""


def _unsteady(summary: dict[str, Any]) -> str:
    told = (
        "set `deterministic: false` for it, so that findings are asked again before they are "
        "counted"
        if summary["subject"]["deterministic"]
        else "its findings are asked again before they are counted"
    )
    return f"the subject gives different answers to the same question; {told}"


def _more_cases(summary: dict[str, Any], folder: Path) -> list[str]:
    rate, steps = summary["failure_rate"], []
    if "combinations" in summary:
        return _more_compositions(summary)
    if summary.get("requirements"):
        return gate_steps(summary["requirements"], folder)
    if rate["value"] is not None and rate["high"] - rate["low"] > WIDE:
        steps.append(
            "the interval is wide; more scenes make it narrower, more cases in the same scenes less"
        )
    if summary["method"] == "insertion" and not summary["test_cases"]:
        steps.append(
            "nothing was inserted: see with `snellen check` that the subject finds objects, and "
            "with `snellen objects show` that the library has their labels"
        )
    return steps


def _more_compositions(summary: dict[str, Any]) -> list[str]:
    found, rate, steps = summary["combinations"], summary["failure_rate"], []
    unusable = found["coverage"]["unusable"]
    if unusable:
        steps.append(
            f"{len(unusable)} labels were never shown for want of a usable object; the report says "
            "why. More objects cover them"
        )
    if rate["value"] is not None and rate["high"] - rate["low"] > WIDE:
        steps.append("the interval is wide; more `images` a row make it narrower")
    return steps
