"""The cost of checking with and without decomposition, as in the paper's Table 4.

Answers are given, as in the paper. With decomposition, boxes are matched with objects once, and
each requirement counts what passed. Without, each task is matched separately and only its AP is
compared.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np

from experiments.decompovision.tolerances import PERSON
from snellen.contract.subject_annotations import label_map, truths_of
from snellen.engine.campaign import load_campaign
from snellen.engine.start.opened_campaign import scenes_of
from snellen.methods.requirements.checked_run import CheckedRun, checked_run
from snellen.methods.requirements.checks.requirement_check import check_requirement
from snellen.methods.requirements.curves.area_loss import area_loss
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.subtask_counts import subtask_counts
from snellen.methods.requirements.options import RequirementOptions
from snellen.methods.requirements.relation import vision_task
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.store.run_folder import CONFIG, JOURNAL
from snellen.subjects.subject import Task
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections

TRANSFORMATION = "frost"
TASKS = (Task.DETECTION, Task.SEGMENTATION)
REPEATS = 5
Answers: TypeAlias = list[tuple[Detections, Annotations]]
PARTS = ("localise", "classify", "detection", "segment", "segmentation")


@dataclass(frozen=True)
class Cost:
    """CPU seconds, the best of five, and peak memory in MB."""

    what: str
    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Costs:
    """The cost of each step on a number of cases."""

    cases: int
    rows: tuple[Cost, ...]


def costs_of(folder: Path) -> Costs:
    """The costs on the segmenter's run, for the correctness of `person` under frost."""
    answers = _answers(folder)
    with closing(Journal(folder / JOURNAL)) as journal:
        run = checked_run(journal)
    assert run is not None
    work = {f"match and judge, {task}": partial(_judge, task, answers) for task in TASKS}
    work |= {f"then check {part}": partial(_check, run, part) for part in PARTS}
    work |= {f"naive {task}: match again, AP lost": partial(_naive, run, task, answers)
             for task in TASKS}  # fmt: skip
    return Costs(len(answers), tuple(_cost(what, one) for what, one in work.items()))


def _cost(what: str, work: Callable[[], object]) -> Cost:
    seconds = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Cost(what, min(seconds), peak / 1e6)


def _judge(task: Task, answers: Answers) -> None:
    judged = vision_task(task, RequirementOptions(file=Path("-"))).outcomes
    for answer, truths in answers:
        judged(answer, truths)


def _check(run: CheckedRun, part: str) -> None:
    one = _requirement(run, part)
    check_requirement(one, run.tables["correctness"], run.weights, np.random.default_rng(1))


def _naive(run: CheckedRun, task: Task, answers: Answers) -> None:
    """Without decomposition: match for this task alone, and compare its AP."""
    _judge(task, answers)
    one = _requirement(run, task.value)
    part = subtask_counts(one, case_table(run.tables["correctness"].evidence))
    both = arms(part.table.evidence, TRANSFORMATION, -1.0, one.threshold)
    rng, margin = np.random.default_rng(1), run.margins[one.name]["recall"]
    area_loss(curve_rows(part, both), part.end, run.weights, margin, rng)


def _requirement(run: CheckedRun, part: str) -> Requirement:
    name = f"{PERSON}-{TRANSFORMATION}-{part}-correctness"
    [one] = [one for one in run.requirements if one.name == name]
    return one


def _answers(folder: Path) -> Answers:
    scenes = scenes_of(load_campaign(folder / CONFIG))
    known = {scene.id: scene for scene in scenes}
    with closing(Journal(folder / JOURNAL)) as journal:
        labels = label_map(scenes, journal.get("subject")["classes"])
        rows = journal.rows(
            "SELECT units.scene, predictions.value FROM cases "
            "JOIN units ON units.number = cases.unit "
            "JOIN predictions ON predictions.number = cases.after "
            "WHERE json_extract(cases.recipe, '$.corruption') = ?",
            (TRANSFORMATION,),
        )
    found = []
    for scene, text in rows:
        answer, truths = prediction_from_text(text), truths_of(known[scene], labels)
        assert isinstance(answer, Detections)
        assert truths is not None
        found.append((answer, truths))
    return found
