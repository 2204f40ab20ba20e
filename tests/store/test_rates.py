"""Rates of a run: which interval they get, and that it agrees with the statistics."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from snellen.contract.verdict import TEST, Status
from snellen.statistics import rate
from snellen.store.rates import Rates
from tests.report.test_summary import case, journal_of


@pytest.mark.parametrize("most", [1, 2])
def test_a_rate_is_that_of_the_counts_by_scene(most: int, tmp_path: Path) -> None:
    units = [[case(TEST, Status.FAILING if n < 5 else Status.HOLDS)] for n in range(20)]
    units[0] *= most
    with closing(journal_of(tmp_path, units)) as journal:
        found = Rates(journal).of(TEST)
    failing, cases = [most, 1, 1, 1, 1] + [0] * 15, [most] + [1] * 19
    assert found == rate(failing, cases)
