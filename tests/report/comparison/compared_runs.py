"""Runs of method `requirements` written by hand: subjects whose faults are known to the digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from snellen.changes.corruptions.corrupt import CorruptTo
from snellen.changes.reencode import Reencode
from snellen.contract.verdict import TEST, Case, Verdict, status_of
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.relation import RequirementsRelation
from snellen.store.journal import Failure, Journal, UnitEnd
from snellen.subjects.subject import Task
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.events import compare_predictions

CLASSES = ("cat", "dog")
CHANGES = (0.1, 0.4, 0.7)
OBJECTS = 4
MEASURE = "vifp(sigma_nsq=2.0)"
TRUTHS = Annotations(
    np.array([[20 * n, 0, 20 * n + 15, 15] for n in range(OBJECTS)], np.float32),
    np.array([0, 1, 0, 1]),
)
PHANTOM = [0.0, 50.0, 15.0, 65.0]
OPTIONS: dict[str, Any] = {"file": "requirements.yaml", "samples": len(CHANGES)}


def requirement(name: str = "frost", **changes: Any) -> dict[str, Any]:
    """A requirement as a file has it, with some keys changed."""
    base = {
        "name": name,
        "task": "detection",
        "subtask": "localise",
        "transformation": "frost",
        "measure": MEASURE,
        "threshold": 0.8,
        "thresholds": [0.8],
        "margin": 0.05,
        "source": {"study": "a test"},
    }
    return {**base, **changes}


@dataclass(frozen=True)
class Made:
    """A subject that finds each object with a chance, and sees a phantom with a chance.

    found, changed: the chance in the scene as it is, and under change. sure: the score of what it
    finds; half of the phantoms have `doubt`, the others are as sure as the rest.
    """

    name: str = "made"
    found: float = 0.9
    changed: float = 0.9
    phantoms: float = 0.2
    sure: float = 0.9
    doubt: float = 0.35
    score: float = 0.5
    floor: float = 0.05
    seed: int = 1
    options: Mapping[str, Any] = field(default_factory=dict)

    def answers(self, scenes: int) -> list[list[Detections]]:
        """For each scene what it says of it as it is, and of each change."""
        rng = np.random.default_rng(self.seed)
        chances = [self.found, *(self.changed for _ in CHANGES)]
        return [[self._answer(rng.random(OBJECTS) < one, rng) for one in chances]
                for _ in range(scenes)]  # fmt: skip

    def _answer(self, seen: npt.NDArray[np.bool_], rng: np.random.Generator) -> Detections:
        boxes = [list(map(float, box)) for box, one in zip(TRUTHS.boxes, seen, strict=True) if one]
        labels = TRUTHS.labels[seen].tolist()
        scores = [self.sure] * len(boxes)
        if rng.random() < self.phantoms:
            boxes, labels = [*boxes, PHANTOM], [*labels, 0]
            scores = [*scores, float(rng.choice([self.doubt, self.sure]))]
        return Detections(
            np.array(boxes, np.float32).reshape(-1, 4),
            np.array(labels, np.int64),
            np.array(scores, np.float32),
        )


def write_run(
    folder: Path,
    made: Made,
    scenes: Sequence[str],
    requirements: Sequence[Mapping[str, Any]] = (requirement(),),
    *,
    annotated: bool = True,
    errors: int = 0,
    finished: bool = True,
    seed: int = 1,
) -> Path:
    """The folder of a run, as the engine would have written it."""
    folder.mkdir(parents=True)
    options = RequirementOptions.model_validate({**OPTIONS, **made.options})
    config = {
        "method": "requirements",
        "seed": seed,
        "subject": {"kind": "made", "score": made.score, "floor": made.floor},
        "scenes": {"kind": "synthetic", "count": len(scenes)},
        "requirements": options.model_dump(mode="json"),
        "base": str(folder.parent),
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config))
    with closing(Journal(folder / "journal.sqlite")) as journal:
        journal.put(_facts(made, len(scenes) + errors, requirements, finished, seed))
        truths = TRUTHS if annotated else None
        for number, (scene, verdict) in enumerate(
            zip(scenes, _verdicts(made, len(scenes), truths), strict=True)
        ):
            journal.write(UnitEnd(number, scene, scene, 5, verdict), CLASSES)
        for place in range(errors):
            gone = f"gone{place}"
            error = Failure("subject", "ValueError", "out of memory")
            journal.write(UnitEnd(len(scenes) + place, gone, gone, 1, None, error), CLASSES)
    return folder


def _facts(
    made: Made, units: int, requirements: Sequence[Mapping[str, Any]], finished: bool, seed: int
) -> dict[str, Any]:
    facts = {
        "requirements": [dict(one) for one in requirements],
        "subtasks": ["localise", "classify"],
        "minimal": 0.2,
        "axes": [["frost", MEASURE, 0.8]],
    }
    traits = {
        "name": made.name,
        "task": "detection",
        "fingerprint": repr(made),
        "classes": list(CLASSES),
        "score": made.score,
        "deterministic": True,
        "tolerance": 0.0,
    }
    known = {
        "snellen_version": "0",
        "method": "requirements",
        "seed": seed,
        "scenes": units,
        "units": units,
        "skipped": [],
        "facts": facts,
        "subject": traits,
    }
    return {**known, "finished": 1.0} if finished else known


_KEPT: dict[str, list[Verdict]] = {}
"""Verdicts by what they come from: most tests compare runs of a few subjects."""


def _verdicts(made: Made, scenes: int, truths: Annotations | None) -> list[Verdict]:
    key = repr((made, scenes, truths is None))
    if key not in _KEPT:
        options = RequirementOptions.model_validate({**OPTIONS, **made.options})
        _KEPT[key] = [
            _verdict(answers, options, made.score, truths) for answers in made.answers(scenes)
        ]
    return _KEPT[key]


def _verdict(
    answers: Sequence[Detections],
    options: RequirementOptions,
    score: float,
    truths: Annotations | None,
) -> Verdict:
    first, *rest = answers
    judge = RequirementsRelation(Task.DETECTION, options, score, len(CLASSES), truths, first)
    told = [{"transformation": "", "delta_v": 0.0, **judge.outcomes(first)}]
    told += [
        {"transformation": "frost", "delta_v": change, **judge.outcomes(answer)}
        for change, answer in zip(CHANGES, rest, strict=True)
    ]
    cases = [
        _case(CorruptTo("frost", change, MEASURE, 7), TEST, first, answer, options, score)
        for change, answer in zip(CHANGES, rest, strict=True)
    ]
    cases.append(_case(Reencode("png", 0), "control:reencode", first, first, options, score))
    return Verdict(tuple(cases), {"cases": told})


def _case(
    recipe: Any,
    role: str,
    before: Detections,
    after: Detections,
    options: RequirementOptions,
    score: float,
) -> Case:
    events = compare_predictions(
        before, after, score=score, iou=options.iou, hysteresis=options.hysteresis
    )
    return Case(recipe, role, status_of(events), after, before, events)
