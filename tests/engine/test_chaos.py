"""Answers of a subject that fails all the time are never attributed to another case."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.store.journal import Journal, journal_of
from tests.engine import chaotic_callable, chaotic_program
from tests.engine.numbered_images import CLASSES, Schedule, image_bytes, number_of

REPEATS = 4
TIMED_OUT = "within"


@dataclass(frozen=True)
class Chaos:
    """A subject, and when it fails."""

    subject: dict[str, Any]
    schedule: Schedule


def chaos(kind: str, folder: Path) -> Chaos:
    common = {"kind": kind, "batch": 3}
    if kind == "python":
        target = "tests.engine.chaotic_callable:ChaoticCallable"
        return Chaos({**common, "target": target, "classes": [*CLASSES]}, chaotic_callable.SCHEDULE)
    marks = folder / "marks"
    marks.mkdir()
    command = [sys.executable, "-S", chaotic_program.__file__, str(marks)]
    timeout = chaotic_program.TIMEOUT
    return Chaos(
        {**common, "command": command, "images": "ppm", "timeout": timeout},
        chaotic_program.SCHEDULE,
    )


def run(kind: str, folder: Path, images: int) -> Chaos:
    """Ask a chaotic subject about numbered images, each several times."""
    pictures = folder / "pictures"
    pictures.mkdir()
    for number in range(images):
        (pictures / f"{number}.ppm").write_bytes(image_bytes(number))
    found = chaos(kind, folder)
    timeout = chaotic_callable.TIMEOUT if kind == "python" else 10.0
    run_campaign(
        campaign_from(
            {
                "method": "identity",
                "identity": {"repeats": REPEATS},
                "subject": found.subject,
                "scenes": {"kind": "folder", "path": "pictures"},
                "engine": {
                    "workers": 0,
                    "cache": False,
                    "item_timeout": timeout,
                    "retries": 2,
                    "backoff": 0.0,
                    "give_up": 1000,
                },
                "out": "run",
            },
            folder / "chaos.yaml",
        )
    )
    return found


def answers(journal: Journal) -> Iterator[tuple[int, int]]:
    """The number of each answered image, and the number that its answer is about."""
    values = dict(journal.rows("SELECT number, value FROM predictions"))
    rows = journal.rows(
        "SELECT scene, before, after FROM cases JOIN units ON units.number = cases.unit"
    )
    for scene, before, after in rows:
        for row in (before, after):
            found = json.loads(values[row])
            yield int(Path(scene).stem), number_of(found["boxes"], found["labels"])


def check(kind: str, folder: Path, images: int) -> int:
    """Run, compare every answer and every error with what was due; the number of cases."""
    schedule = run(kind, folder, images).schedule
    with closing(journal_of(folder / "run")) as journal:
        asked = list(answers(journal))
        assert [pair for pair in asked if pair[0] != pair[1]] == []
        ended = dict(journal.rows("SELECT scene, status FROM units"))
        rows = journal.rows("SELECT scene, message FROM errors JOIN units ON number = unit")
    assert len(ended) == images, "every image was examined"
    errors = {int(Path(scene).stem): message for scene, message in rows}
    due = {number for number in range(images) if schedule.persistent(number)}
    assert due - errors.keys() == set(), "every error is recorded"
    # On a busy machine an innocent image may take too long; nothing else may go wrong.
    assert [errors[one] for one in errors.keys() - due if TIMED_OUT not in errors[one]] == []
    assert all(errors.values()), "with its reason"
    done = [scene for scene, status in ended.items() if status == "done"]
    assert len(asked) == 2 * REPEATS * len(done)
    return len(asked) // 2


@pytest.mark.parametrize("kind", ["python", "subprocess"])
def test_no_answer_of_a_chaotic_subject_goes_to_another_case(kind: str, tmp_path: Path) -> None:
    faults = chaotic_callable.FAULTS if kind == "python" else chaotic_program.FAULTS
    assert len(faults) >= 25
    assert check(kind, tmp_path, 3 * len(faults)) > 150


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["python", "subprocess"])
def test_nor_in_ten_thousand_cases(kind: str, tmp_path: Path) -> None:
    assert check(kind, tmp_path, 3_100) > 10_000
