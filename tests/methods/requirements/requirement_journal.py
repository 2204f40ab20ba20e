"""Journals of runs over requirements whose truth is known, without a subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence, outcomes_to_json
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.store.journal import Journal, UnitEnd
from snellen.vision.detections import Detections
from tests.methods.requirements.simulated_evidence import CLASSES, SCORE, SUBTASKS

MEASURE = "vifp(sigma_nsq=2.0)"
SEEN = Detections(np.array([[4, 4, 40, 40]], np.float32), np.zeros(1, int), np.array([0.9]))


def requirement_journal(
    folder: Path,
    requirements: Sequence[Requirement],
    every: Mapping[str, RunEvidence],
    *,
    seed: int = 1,
    classes: Sequence[str] = CLASSES,
) -> Journal:
    """A journal as the method writes it. every: evidence of one kind by transformation."""
    journal = Journal(folder / "journal.sqlite")
    units = max(one.scenes for one in every.values())
    kind = next(iter(every.values())).kind
    axes = {(one.transformation, one.measure): 0.9 for one in requirements}
    traits = {
        "name": "watcher",
        "task": "segmentation",
        "fingerprint": "f",
        "score": SCORE,
        "deterministic": True,
        "tolerance": 0.0,
        "classes": list(classes),
    }
    facts = {
        "requirements": [one.model_dump(mode="json") for one in requirements],
        "subtasks": list(SUBTASKS),
        "minimal": 0.2,
        "axes": [[*key, most] for key, most in axes.items()],
    }
    journal.put(
        {
            "method": "requirements",
            "snellen_version": "0",
            "seed": seed,
            "scenes": units,
            "units": units,
            "skipped": [],
            "subject": traits,
            "facts": facts,
        }
    )
    for number in range(units):
        notes = [case for name, one in every.items() for case in _notes(one, name, number)]
        clean = [case for case in notes if case["transformation"] == CLEAN][:1]
        changed = [case for case in notes if case["transformation"] != CLEAN]
        cases = [_case(case) for case in changed]
        verdict = Verdict(tuple(cases), {"cases": [*clean, *changed]})
        end = UnitEnd(number, f"s{number:04}", f"s{number:04}", len(notes), verdict)
        journal.write(end, tuple(classes))
    assert kind in ("correctness", "preservation")
    return journal


def _notes(evidence: RunEvidence, transformation: str, scene: int) -> list[dict[str, Any]]:
    return [
        {
            "transformation": transformation if evidence.transformation[place] else CLEAN,
            "delta_v": float(evidence.delta_v[place]),
            evidence.kind: outcomes_to_json(evidence.outcomes[place]),
        }
        for place in np.flatnonzero(evidence.scene == scene)
    ]


def _case(values: Mapping[str, Any]) -> Case:
    recipe = CorruptTo(values["transformation"], round(values["delta_v"], 4), MEASURE, 3)
    measured = {"delta_v": values["delta_v"], "level": 0.5}
    return Case(recipe, TEST, Status.HOLDS, SEEN, SEEN, (), measured)
