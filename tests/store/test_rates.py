"""Rates of a run: which interval they get, and that it agrees with the statistics."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from snellen.contract.verdict import TEST, Status
from snellen.statistics.intervals import wilson_rate
from snellen.store.rates import Rates
from tests.report.test_summary import case, journal_of


@pytest.mark.parametrize("most", [1, 2])
def test_wilsons_interval_is_for_scenes_of_one_case_and_for_no_others(
    most: int, tmp_path: Path
) -> None:
    """With two cases in a single scene, cases are no longer independent."""
    units = [[case(TEST, Status.FAILING if n < 5 else Status.HOLDS)] for n in range(20)]
    units[0] *= most
    with closing(journal_of(tmp_path, units)) as journal:
        found = Rates(journal).of(TEST)
    plain = wilson_rate(5 if most == 1 else 6, 20 if most == 1 else 21)
    assert found.value == pytest.approx(plain.value)
    assert (found.method == "wilson") == (most == 1)
    assert ((found.low, found.high) == (plain.low, plain.high)) == (most == 1)
