"""The scorecard's page."""

from __future__ import annotations

import pytest

from snellen.exam.eye_chart import eye_chart, letters_read
from snellen.exam.scorecard import Scorecard, ScorecardRow


@pytest.mark.parametrize(
    ("value", "read"), [(1.0, 10), (0.9999, 9), (0.95, 9), (0.3, 3), (0.09, 0), (0.0, 0)]
)
def test_only_complete_tenths_are_read(value: float, read: int) -> None:
    assert letters_read(value) == read


def test_a_page_escapes_names_draws_missed_letters_and_loads_nothing() -> None:
    row = ScorecardRow(property="a <b>", method="m", value=0.72, low=0.6, high=0.8, status="none")
    card = Scorecard(snellen_version="1", subject="<s>", scenes=3, seed=1, took=("x",), rows=(row,))
    page = eye_chart(card, None)
    assert "<s>" not in page
    assert "&lt;s&gt;" in page
    assert page.count('class="missed"') == 3
    assert "7 of 10 letters read" in page
    assert "http" not in page.replace("http-equiv", "")
    assert "<iframe" in card._repr_html_()
