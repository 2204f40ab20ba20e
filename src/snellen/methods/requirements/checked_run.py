"""The requirements of a run with their evidence, read from its journal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.methods.requirements.evidence.case_table import CaseTable, case_table
from snellen.methods.requirements.evidence.run_evidence import evidence
from snellen.methods.requirements.specification.margin_composition import Margins, margins_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.bootstrap import scene_weights
from snellen.store.journal import Journal
from snellen.store.rates import REPLICATES
from snellen.store.run_looks import RunLooks
from snellen.vision.arrays import F64


@dataclass(frozen=True, eq=False)
class CheckedRun:
    """The requirements of a run and their evidence.

    tables: the cases by kind of requirement, for kinds that have any. weights: (replicates, units),
    shared by everything, which keeps comparisons paired. axes: transformation and measure to the
    largest visual change tested. margins: by name of requirement. looks: at a run that ends when
    it is decided.
    """

    requirements: tuple[Requirement, ...]
    tables: Mapping[str, CaseTable]
    weights: F64
    minimal: float
    axes: Mapping[tuple[str, str], float]
    seed: int
    margins: Mapping[str, Margins]
    looks: RunLooks | None = None

    def alpha(self, requirement: Requirement) -> float:
        """The level of each of the two one-sided tests of a requirement, at the last look."""
        level = 1 - requirement.confidence
        return level if self.looks is None else self.looks.level(level)


def checked_run(journal: Journal) -> CheckedRun | None:
    """The requirements of a run with its evidence; None if it checks none."""
    facts = journal.get("facts") or {}
    if "requirements" not in facts:
        return None
    rows = journal.rows("SELECT notes FROM units WHERE status = 'done' ORDER BY number")
    units = [json.loads(notes) for (notes,) in rows]
    subject, seed = journal.get("subject"), journal.get("seed")
    requirements = tuple(Requirement.model_validate(one) for one in facts["requirements"])
    tables: dict[str, CaseTable] = {}
    for kind in sorted({one.kind for one in requirements}):
        cases = evidence(units, kind, facts["subtasks"], subject["score"], subject["classes"])
        if cases.scenes:
            tables[kind] = case_table(cases)
    return CheckedRun(
        requirements,
        tables,
        scene_weights(max(1, len(units)), REPLICATES, np.random.default_rng(seed)),
        facts["minimal"],
        {(name, measure): most for name, measure, most in facts["axes"]},
        seed,
        margins_of(requirements),
        RunLooks.of(journal),
    )
