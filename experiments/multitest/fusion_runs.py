"""Runs of the method `fusion`, and the searches in their journals."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from snellen.changes.insert3d.insert3d import Insert3D
from snellen.changes.registry import recipe_from_json
from snellen.contract.verdict import Status
from snellen.engine.campaign import campaign_from
from snellen.engine.progress import display_run
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.report.summary import write_summary
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL
from snellen.vision.detections3d import Detections3D

HERE = Path(__file__).parent


@dataclass(frozen=True, eq=False)
class AskedInsertion:
    """One tested insertion. failing: with a hard event."""

    recipe: Insert3D
    before: Detections3D
    after: Detections3D
    measurements: Mapping[str, float]
    failing: bool = False


@dataclass(frozen=True, eq=False)
class FrameSearch:
    """The search of one frame.

    cases: all tested insertions, in order. chains: of each chain of insertions the numbers of the
    accepted cases.
    """

    scene: str
    cases: tuple[AskedInsertion, ...]
    chains: tuple[tuple[int, ...], ...]

    @property
    def ends(self) -> tuple[AskedInsertion, ...]:
        """The test cases of the search: the last case of each chain."""
        return tuple(self.cases[chain[-1]] for chain in self.chains if chain)


@dataclass(frozen=True, eq=False)
class Run:
    """A run: its summary, the subject's classes and threshold, and the search of each frame."""

    summary: dict[str, Any]
    classes: tuple[str, ...]
    score: float
    frames: tuple[FrameSearch, ...]

    @cached_property
    def questions(self) -> int:
        """The number of tested insertions."""
        return sum(len(frame.cases) for frame in self.frames)


def fusion_run(
    subject: dict[str, Any],
    scenes: dict[str, Any],
    options: dict[str, Any],
    folder: Path,
    seed: int = 1,
) -> Run:
    """The run, new or resumed. options: of the method."""
    values = {
        "method": "fusion",
        "seed": seed,
        "subject": subject,
        "scenes": scenes,
        "fusion": options,
        "engine": {"explain": 0},  # searches are compared by their failures, not by causes
        "out": str(folder),
    }
    campaign = campaign_from(values, HERE / "experiment.yaml")
    with display_run(campaign.method) as watcher:
        run_campaign(campaign, resume=True, watcher=watcher)
    summary = write_summary(folder).to_json()
    with closing(Journal(folder / JOURNAL)) as journal:
        _all_done(journal, folder)
        traits = journal.get("subject")
        frames = _searches(journal)
    return Run(summary, tuple(traits["classes"]), float(traits["score"]), frames)


def _all_done(journal: Journal, folder: Path) -> None:
    """Raise if a frame has no verdict: searches are compared on the same frames."""
    failed = journal.rows(
        "SELECT u.scene, e.message FROM errors e JOIN units u ON u.number = e.unit"
    )
    if failed:
        scene, message = failed[0]
        raise UserError(
            f"{folder}: {len(failed)} frames have no verdict, such as {scene}: {message}. "
            "Remove the folder and call again; answers that were given are cached."
        )


def _searches(journal: Journal) -> tuple[FrameSearch, ...]:
    rows = journal.rows(
        "SELECT c.unit, c.recipe, b.value, a.value, c.measurements, c.status FROM cases c "
        "JOIN predictions b ON b.number = c.before JOIN predictions a ON a.number = c.after "
        "WHERE c.role = 'test' ORDER BY c.unit, c.number"
    )
    cases: dict[int, list[AskedInsertion]] = {}
    for unit, recipe, before, after, measured, status in rows:
        read = recipe_from_json(json.loads(recipe))
        assert isinstance(read, Insert3D)
        failing = status == Status.FAILING
        one = AskedInsertion(read, _solids(before), _solids(after), json.loads(measured), failing)
        cases.setdefault(unit, []).append(one)
    units = journal.rows("SELECT number, scene, notes FROM units WHERE status = 'done' ORDER BY 1")
    return tuple(
        FrameSearch(
            scene,
            tuple(cases.get(number, ())),
            tuple(tuple(chain) for chain in json.loads(notes).get("chains", ())),
        )
        for number, scene, notes in units
    )


def _solids(text: str) -> Detections3D:
    found = prediction_from_text(text)
    assert isinstance(found, Detections3D)
    return found
