"""`findings/<id>/`: one finding as plain files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.disk.json_text import read_small_json
from snellen.errors import UserError
from snellen.pages.finding_pictures import CardKind, CasePictures, FindingPicture
from snellen.store.explanations import RecordedExplanation
from snellen.store.findings import Finding
from snellen.store.run_folder import FINDINGS

RECIPE, REPLAY, EXPLANATION = "recipe.json", "replay.txt", "explanation.json"


def replay_command(folder: Path, id: str) -> str:
    """The one command that replays a case.

    >>> replay_command(Path("runs/my run"), "ab12")
    "snellen replay 'runs/my run' ab12"
    """
    return f"snellen replay {shlex.quote(str(folder))} {id}"


def explain_command(folder: Path, id: str) -> str:
    """The one command that explains a finding."""
    return f"snellen explain {shlex.quote(str(folder))} {id}"


def write_finding(
    folder: Path,
    picture: FindingPicture,
    explanation: RecordedExplanation | None = None,
    out: Path | None = None,
) -> Path:
    """Write the folder of a finding of the run in `folder`, whole or not at all; its path.

    explanation: of the finding, if it has one. out: written there, not to the run.
    """
    finding = picture.finding
    place = (out or folder) / FINDINGS / finding.id
    with _whole(place) as draft:
        write_pictures(draft, picture)
        write_atomically(
            draft / RECIPE,
            (json.dumps(_facts(picture), indent=2) + "\n").encode(errors="backslashreplace"),
        )
        command = replay_command(folder.resolve(), finding.id)
        write_atomically(draft / REPLAY, f"{command}\n".encode(errors="backslashreplace"))
        if explanation is not None:
            write_explanation(draft, explanation)
    return place


def write_explanation(place: Path, explanation: RecordedExplanation) -> None:
    """Write an explanation into a finding's folder."""
    text = json.dumps(explanation.to_json(), indent=2)
    write_atomically(place / EXPLANATION, f"{text}\n".encode(errors="backslashreplace"))


def _facts(picture: FindingPicture) -> dict[str, Any]:
    finding = picture.finding
    details = dict(picture.details)
    return {
        "id": finding.id,
        "scene": finding.scene,
        "role": finding.role,
        "status": finding.status,
        "label": details.pop("label"),
        "recipe": finding.recipe,
        **details,
    }


def write_pictures(place: Path, picture: FindingPicture) -> None:
    """Write the files that picture a finding into a folder."""
    for name, data in picture.files().items():
        write_atomically(place / name, data)


def kept(folder: Path, finding: Finding, cards: CardKind) -> CasePictures | None:
    """The pictures from an earlier report, or None if missing or broken."""
    place = folder / FINDINGS / finding.id
    try:
        facts = read_small_json(place / RECIPE)
        if facts["recipe"] != finding.recipe or facts["scene"] != finding.scene:
            return None
        return cards.kept(place, facts)
    except (OSError, ValueError, KeyError, TypeError, UserError, BadZipFile):
        return None


@contextmanager
def _whole(place: Path) -> Iterator[Path]:
    """A new folder that appears once complete; an existing one is filled file by file."""
    if place.exists():
        yield place
        return
    with new_folder(place) as draft:
        yield draft
