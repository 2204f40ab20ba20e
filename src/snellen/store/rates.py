"""Failure rates of a run, with intervals clustered by scene."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.intervals import CONFIDENCE, Rate
from snellen.statistics.sample_size import more_scenes, scenes_to_decide
from snellen.statistics.scene_counts import SceneCounts, scene_counts
from snellen.statistics.scene_curves import difference_curve
from snellen.statistics.scene_rates import rate
from snellen.statistics.stratified_controls import (
    ControlledDifference,
    controlled_difference,
    repeated_curve,
)
from snellen.store.drawn_controls import drawn_controls
from snellen.store.journal import Journal
from snellen.store.journal_format.json_column import json_column
from snellen.vision.arrays import F64, Bools, Ints

REPLICATES = 2000


@dataclass(frozen=True, eq=False)
class JudgedCases:
    """The N cases of one role. scenes: (N,) index of each case's scene. failing: (N,)."""

    scenes: Ints
    failing: Bools
    recipes: tuple[dict[str, Any], ...]
    measurements: tuple[dict[str, float], ...]

    def __len__(self) -> int:
        return len(self.scenes)

    def measured(self, name: str) -> F64:
        """(N,) one measurement of each case, NaN where it was not taken."""
        return np.array([one.get(name, np.nan) for one in self.measurements], dtype=np.float64)


class Rates:
    """Rates of a run by scene, and bootstrap weights of its scenes for other figures."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        query = "SELECT DISTINCT scene FROM units WHERE status = 'done' ORDER BY scene"
        self._scenes = {scene: place for place, (scene,) in enumerate(journal.rows(query))}

    @cached_property
    def weights(self) -> F64:
        """(replicates, scenes): how often each scene is drawn in each replicate."""
        rng = np.random.default_rng(self._journal.get("seed"))
        return scene_weights(max(1, len(self._scenes)), REPLICATES, rng)

    def place(self, scene: str) -> int:
        """The index of a scene, by its id, among those that have a verdict."""
        return self._scenes[scene]

    def cases(self, role: str) -> JudgedCases:
        """Every case of the roles that match a pattern."""
        rows = self._journal.rows(
            "SELECT scene, cases.status, recipe, measurements FROM cases "
            "JOIN units ON units.number = cases.unit WHERE role LIKE ? "
            "ORDER BY cases.unit, cases.number",
            (role,),
        )
        return JudgedCases(
            np.array([self._scenes[row[0]] for row in rows], dtype=np.int64),
            np.array([row[1] == "failing" for row in rows], dtype=bool),
            tuple(json_column(row[2] for row in rows)),
            tuple(json_column(row[3] for row in rows)),
        )

    def of(self, role: str) -> Rate:
        """Failing over all cases of the roles that match a pattern."""
        return rate(*self._counts(role))

    def counts(self, role: str) -> SceneCounts:
        """Failing cases and all cases by scene, of the roles that match a pattern."""
        return scene_counts(*self._counts(role))

    def among(self, scenes: Ints, struck: Bools) -> Rate:
        """The share of cases that are struck; scenes: (N,) index of each case's scene."""
        return rate(*self._sums(scenes, struck))

    def controlled(self, role: str, confidence: float = CONFIDENCE) -> ControlledDifference | None:
        """Tests beside the drawn controls that match a pattern; None unless all were drawn."""
        drawn = drawn_controls(self._journal, role, self._scenes)
        return None if drawn is None else controlled_difference(*drawn, confidence=confidence)

    def compared(self, role: str) -> ConfidenceCurve:
        """By how much tests fail more often than the controls that match a pattern.

        Drawn controls are compared with the tests at the same places, others by scene.
        """
        drawn = drawn_controls(self._journal, role, self._scenes)
        if drawn is not None:
            return repeated_curve(*drawn)
        one, other = (scene_counts(*self._counts(name)) for name in (TEST, role))
        return difference_curve(one, other)

    def more_scenes(self, role: str) -> int | None:
        """How many more scenes would show whether tests fail more often than a role; None if never.

        The observed difference is taken for the true one, and new scenes for such as these.
        """
        drawn = drawn_controls(self._journal, role, self._scenes)
        if drawn is not None:
            scenes = len(set(drawn.scenes.tolist()))
            return more_scenes(scenes, lambda times: repeated_curve(*drawn, times))
        one, other = (scene_counts(*self._counts(name)) for name in (TEST, role))
        return scenes_to_decide((one, other)) if one.total and other.total else None

    def _counts(self, role: str) -> tuple[F64, F64]:
        """Failing cases and all cases of each scene."""
        failing, cases = np.zeros((2, max(1, len(self._scenes))))
        for scene, bad, count in self._journal.rows(
            "SELECT scene, total(cases.status = 'failing'), count(*) FROM cases "
            "JOIN units ON units.number = cases.unit WHERE role LIKE ? GROUP BY scene",
            (role,),
        ):
            failing[self._scenes[scene]], cases[self._scenes[scene]] = bad, count
        return failing, cases

    def _sums(self, scenes: Ints, struck: Bools) -> tuple[F64, F64]:
        length = max(1, len(self._scenes))
        counts = [np.bincount(one, minlength=length) for one in (scenes[struck], scenes)]
        return counts[0].astype(np.float64), counts[1].astype(np.float64)
