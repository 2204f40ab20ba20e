"""The output of `snellen check`, as text or JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from snellen.engine.checkup import Checkup
from snellen.engine.trial import Trial
from snellen.pages.overlay import contact_sheet, draw_prediction, save
from snellen.report.check_facts import (
    reading_remarks,
    suggestion_values,
    understood,
    understood_words,
    unverified,
)
from snellen.scenes.frame import Frame
from snellen.subjects.passes import Pass
from snellen.subjects.subject import Input, Task
from snellen.vision.arrays import Image


def save_looks(trial: Trial, path: Path) -> None:
    """Write one picture with each scene of the trial and the subject's answer."""
    subject = trial.subject
    drawn = [
        draw_prediction(_picture(look.image), look.prediction, subject.classes, subject.score)
        for look in trial.looks
    ]
    save(contact_sheet(drawn), path)


def _picture(shown: Input) -> Image:
    """A viewable image: the input, a frame's image, or black where it has none."""
    if isinstance(shown, Pass):
        return shown.image
    if not isinstance(shown, Frame):
        return shown
    return np.zeros((360, 480, 3), dtype=np.uint8) if shown.image is None else shown.image


def checkup_facts(checkup: Checkup, picture: Path) -> dict[str, Any]:
    """The facts of a checkup as plain values."""
    trial = checkup.trial
    subject, scenes = trial.subject, trial.scenes
    annotated = sum(scene.annotations is not None for scene in scenes)
    search = checkup.search
    best = None if search is None else search.suggestion
    return {
        "subject": {
            "name": subject.name,
            "task": str(subject.task),
            "classes": len(subject.classes),
            "score": subject.score,
            "batch": subject.batch,
            "deterministic": subject.deterministic,
            "fingerprint": subject.fingerprint,
        },
        "scenes": {
            "count": len(scenes),
            "annotated": annotated,
            "classes": len(scenes.classes),
            "shared_classes": len(trial.shared_classes),
            "skipped": len(scenes.skipped),
        },
        "understood": understood(subject),
        "ap": None if checkup.accuracy is None else checkup.accuracy.to_json(),
        "suggestions": [] if best is None else [suggestion_values(best, checkup)],
        "readings_tried": 0 if search is None else search.readings,
        "confusions": [one.to_json() for one in checkup.confusions],
        "unverified": unverified(checkup),
        "warnings": [*warnings(trial), *reading_remarks(checkup)],
        "seconds_an_input": round(trial.seconds, 4),
        "objects": {look.scene.id: trial.objects(look) for look in trial.looks},
        "picture": str(picture),
    }


def print_checkup(checkup: Checkup, picture: Path, *, as_json: bool = False) -> None:
    """Print the facts of a checkup, the subject's speed, warnings and suggestions."""
    facts, trial = checkup_facts(checkup, picture), checkup.trial
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    console = Console(highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in [*_lines(facts, trial), *_accuracy_lines(checkup)]:
        table.add_row(f"[dim]{name}[/]", escape(value))
    console.print(table)
    for warning in facts["warnings"]:
        console.print(f"[yellow]warning:[/] {escape(warning)}")
    for sentence in facts["unverified"]:
        console.print(f"[yellow]not verified:[/] {escape(sentence)}")
    for one in facts["suggestions"]:
        console.print(f"[bold]suggestion:[/] {escape(one['words'])}")
    console.print(f"Next: snellen run {escape(str(trial.campaign.file))}")


def _accuracy_lines(checkup: Checkup) -> list[tuple[str, str]]:
    """The AP, and what came of other readings."""
    accuracy, search = checkup.accuracy, checkup.search
    if accuracy is None:
        return []
    of = "" if accuracy.scenes == accuracy.of else f" of {accuracy.of}"
    lines = [
        (
            "AP",
            f"{accuracy.ap.value:.3f}, 95% interval {accuracy.ap.low:.3f} to "
            f"{accuracy.ap.high:.3f} (boxes, IoU 0.50 to 0.95; annotated scenes: "
            f"{accuracy.scenes}{of}, objects: {accuracy.objects}, classes: {accuracy.classes})",
        )
    ]
    if search is not None:
        outcome = (
            "none is better beyond chance"
            if search.suggestion is None
            else "one is better, see below"
        )
        lines.append(("readings", f"{search.readings} tried: {outcome}"))
    return lines


TASKS = {
    Task.DETECTION: "a detector: a box, a class and a score for each object",
    Task.SEGMENTATION: "an instance segmenter: a mask, a class and a score for each object",
    Task.LABELS: "a multi-label classifier: a score for each class",
    Task.DETECTION_3D: "a camera+LiDAR detector: a 3D box, a class and a score for each object",
}
"""What a subject of each task answers."""
SHOWN = 8
"""Class names that are listed."""


def _lines(facts: dict[str, Any], trial: Trial) -> list[tuple[str, str]]:
    subject = facts["subject"]
    again = "the same each time" if subject["deterministic"] else "may differ between calls"
    rate = 1 / max(1e-9, facts["seconds_an_input"])
    return [
        ("subject", f"{subject['name']}, {TASKS[trial.subject.task]}"),
        *([("decoder", words)] if (words := understood_words(trial.subject)) else []),
        ("classes", f"{subject['classes']}: {_some(trial.subject.classes)}"),
        ("threshold", f"{subject['score']:g}; what scores less does not count"),
        ("answers", f"{again}; {subject['batch']} per call"),
        (
            "speed",
            f"{1000 * facts['seconds_an_input']:.1f} ms per input, {rate:.1f} inputs per second",
        ),
        ("data", _data_words(facts, trial)),
        ("annotations", _annotation_words(facts)),
        ("found", ", ".join(f"{count} in {name}" for name, count in facts["objects"].items())),
        ("picture", facts["picture"]),
    ]


def _data_words(facts: dict[str, Any], trial: Trial) -> str:
    if trial.campaign.scenes is None:
        return "none needed: the method composes its own images"
    kind = trial.campaign.scenes["kind"]
    return f"{facts['scenes']['count']} scenes of kind {kind}"


def _annotation_words(facts: dict[str, Any]) -> str:
    scenes = facts["scenes"]
    if not scenes["annotated"]:
        return "none, so what is found cannot be compared with the truth"
    return (
        f"in {scenes['annotated']} of {scenes['count']} scenes; {scenes['shared_classes']} of "
        f"their {scenes['classes']} classes are also the subject's"
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def warnings(trial: Trial) -> list[str]:
    """Warnings: what looks wrong but may be intended."""
    found = []
    if trial.scenes.skipped:
        found.append(
            f"{len(trial.scenes.skipped)} invalid items are skipped, such as "
            f"{trial.scenes.skipped[0].where}: {trial.scenes.skipped[0].why}"
        )
    annotated = any(scene.annotations is not None for scene in trial.scenes)
    if annotated and trial.scenes.classes and not trial.shared_classes:
        found.append(
            "the scenes and the subject have no class name in common: the scenes have "
            f"{_some(trial.scenes.classes)}; the subject has {_some(trial.subject.classes)}. Set "
            "`classes` under `subject` to the names in the scenes"
        )
    if not any(trial.objects(look) for look in trial.looks):
        found.append(
            f"the subject detects nothing in these scenes at threshold {trial.subject.score:g}; "
            "check its preprocessing and `score`"
        )
    return found
