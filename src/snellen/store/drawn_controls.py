"""The controls of a run that were drawn with known chances, beside their tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from snellen.contract.verdict import CHANCE, JOINT, TEST
from snellen.store.journal import Journal
from snellen.vision.arrays import F64, Bools, Ints

CONTROLS = (
    "SELECT unit, parent, CASE WHEN total(json_extract(measurements, ?)) > 0 "
    "THEN max(status = 'failing') ELSE avg(status = 'failing') END, "
    "min(json_extract(measurements, ?)), count(*) > count(json_extract(measurements, ?)) "
    "FROM cases WHERE role LIKE ? "
    "GROUP BY unit, parent"
)
TESTS = (
    "SELECT cases.unit, cases.number, scene, cases.status = 'failing' FROM cases "
    "JOIN units ON units.number = cases.unit WHERE role = ? ORDER BY cases.unit, cases.number"
)


class DrawnControls(NamedTuple):
    """All tests of a run, (N,) each, with their controls.

    scenes: index of each test's scene. chance: with which its control was asked, 1 if it has none.
    control_failing: the share of its controls that fail, or 1 if any of joint controls does; NaN
    if none was asked.
    """

    scenes: Ints
    failing: Bools
    chance: F64
    control_failing: F64


def drawn_controls(journal: Journal, role: str, scenes: Mapping[str, int]) -> DrawnControls | None:
    """Tests with the controls that match a pattern; None unless all of these were drawn.

    Of a drawn control the chance and the test are known. scenes: the index of each scene by its id.
    """
    path = f"$.{CHANCE}"
    controls = journal.rows(CONTROLS, (f"$.{JOINT}", path, path, role))
    if not controls or any(parent is None or plain for _, parent, _, _, plain in controls):
        return None
    tests = journal.rows(TESTS, (TEST,))
    places = {(unit, number): place for place, (unit, number, *_) in enumerate(tests)}
    chance, share = np.ones(len(tests)), np.full(len(tests), np.nan)
    for unit, parent, failing, known, _ in controls:
        chance[places[unit, parent]], share[places[unit, parent]] = known, failing
    return DrawnControls(
        np.array([scenes[row[2]] for row in tests], dtype=np.int64),
        np.array([row[3] for row in tests], dtype=bool),
        chance,
        share,
    )
