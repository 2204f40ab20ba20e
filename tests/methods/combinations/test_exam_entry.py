"""The row of label combinations on a scorecard, from the causes of failing compositions."""

from __future__ import annotations

from pathlib import Path

import pytest

from snellen.methods.combinations.exam_entry import ENTRY
from tests.methods.combinations.test_numbers import Row, composed, numbers
from tests.summaries import made_summary

HOLDS: Row = ([composed(["bus", "car"], {"bus": 0.9, "car": 0.9})], {})


def failing(cause: str | None) -> Row:
    notes = {} if cause is None else {"0": {"cause": cause, "minimal": []}}
    return ([composed(["bus", "car"], {"bus": 0.9})], notes)


@pytest.mark.parametrize(
    ("causes", "value"),
    [
        (["contact", "single-object"], 0.9),
        (["single-object", "single-object"], 1.0),
        (["contact", None], 0.9),
        (["contact", None, None], None),
        ([None], None),
    ],
)
def test_what_is_not_explained_is_not_read_as_right(
    causes: list[str | None], value: float | None, tmp_path: Path
) -> None:
    rows = [failing(one) for one in causes]
    rows += [HOLDS] * (10 - len(rows))
    found = numbers(tmp_path, rows)
    read = ENTRY.acuity(made_summary(method="combinations", own=found.model_dump(mode="json")))
    assert (None if read is None else read.value) == (value and pytest.approx(value))
    if read is not None and None in causes:
        assert found.interaction.rate.high is not None
        assert read.low == pytest.approx(1 - found.interaction.rate.high - causes.count(None) / 10)
