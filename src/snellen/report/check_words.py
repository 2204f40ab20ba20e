"""What `snellen check` understood, for a person or a machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from snellen.engine.trial import Trial
from snellen.pages.overlay import contact_sheet, draw_prediction, save
from snellen.scenes.frame import Frame
from snellen.subjects.passes import Pass
from snellen.subjects.subject import Input
from snellen.vision.arrays import Image


def save_looks(trial: Trial, path: Path) -> None:
    """Write one picture with each scene of the trial and what the subject saw in it."""
    subject = trial.subject
    drawn = [
        draw_prediction(_picture(look.image), look.prediction, subject.classes, subject.score)
        for look in trial.looks
    ]
    save(contact_sheet(drawn), path)


def _picture(shown: Input) -> Image:
    """What a person can look at: an image, a frame's image, or black where it has none."""
    if isinstance(shown, Pass):
        return shown.image
    if not isinstance(shown, Frame):
        return shown
    return np.zeros((360, 480, 3), dtype=np.uint8) if shown.image is None else shown.image


def checkup(trial: Trial, picture: Path) -> dict[str, Any]:
    """The facts of a trial as plain values."""
    subject, scenes = trial.subject, trial.scenes
    annotated = sum(scene.annotations is not None for scene in scenes)
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
        "seconds_an_input": round(trial.seconds, 4),
        "objects": {look.scene.id: trial.objects(look) for look in trial.looks},
        "picture": str(picture),
    }


def print_checkup(trial: Trial, picture: Path, *, as_json: bool = False) -> None:
    """Print what was understood, how fast the subject is, and anything that looks wrong."""
    facts = checkup(trial, picture)
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    console = Console(highlight=False)
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    for name, value in _lines(facts, trial):
        table.add_row(f"[dim]{name}[/]", escape(value))
    console.print(table)
    for warning in warnings(trial):
        console.print(f"[yellow]look[/] {escape(warning)}")
    console.print(f"Next: snellen run {escape(str(trial.campaign.file))}")


def _lines(facts: dict[str, Any], trial: Trial) -> list[tuple[str, str]]:
    subject, scenes = facts["subject"], facts["scenes"]
    names = ", ".join(trial.subject.classes[:8]) + (", ..." if subject["classes"] > 8 else "")
    again = "the same every time" if subject["deterministic"] else "perhaps not the same every time"
    rate = 1 / max(1e-9, facts["seconds_an_input"])
    return [
        ("subject", f"{subject['name']}: {subject['task']}, threshold {subject['score']:g}"),
        ("classes", f"{subject['classes']}: {names}"),
        ("answers", f"{again}; {subject['batch']} inputs a call"),
        ("speed", f"{1000 * facts['seconds_an_input']:.1f} ms an input, {rate:.1f} a second"),
        (
            "scenes",
            f"{scenes['count']}, {scenes['annotated']} with annotations; "
            f"{scenes['classes']} classes, {scenes['shared_classes']} of them known to the subject"
            if scenes["count"]
            else "none",
        ),
        ("seen", ", ".join(f"{count} in {name}" for name, count in facts["objects"].items())),
        ("picture", facts["picture"]),
    ]


def warnings(trial: Trial) -> list[str]:
    """What looks wrong, though it may be right."""
    found = []
    if trial.scenes.skipped:
        found.append(
            f"{len(trial.scenes.skipped)} invalid items are left out, such as "
            f"{trial.scenes.skipped[0].where}: {trial.scenes.skipped[0].why}"
        )
    annotated = any(scene.annotations is not None for scene in trial.scenes)
    if annotated and trial.scenes.classes and not trial.shared_classes:
        found.append(
            "no class of the scenes has the name of a class of the subject; "
            "are the subject's `classes` right?"
        )
    if not any(trial.objects(look) for look in trial.looks):
        found.append(
            f"the subject sees nothing in these scenes at threshold {trial.subject.score:g}; "
            "are its preprocessing and `score` right?"
        )
    return found
