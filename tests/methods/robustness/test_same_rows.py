"""The journal is the same however the run is run, and its rows can be queried as the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.methods.robustness.generated_runs import Run, cases_of, digest, instances, rows, run

__all__ = ["run"]
PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "robustness.md"
FAULTY = {"fault": "loses", "distance": 14}


def queries() -> list[str]:
    return re.findall(r"```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("engine", [{"batch": 1}, {"batch": 5}, {"workers": 2}, {"cache": True}])
def test_rows_do_not_depend_on_batch_workers_or_cache(run: Run, engine: dict[str, Any]) -> None:
    options = {"uncertainty": "views", "passes": 3, "tests_per_level": 2, "per_scene": 1}
    expected = digest(run(FAULTY, options, name="one"))
    assert digest(run(FAULTY, options, name="other", **engine)) == expected


def test_another_seed_draws_other_places(run: Run) -> None:
    places = []
    for option in (2, 3):
        campaign = run({}, {"tests_per_level": option}, count=1, name=str(option))
        places.append({(test["x"], test["y"]) for test in cases_of(campaign)})
    assert places[0] != places[1]


def test_the_queries_of_the_how_to_page_tell_what_the_notes_do(run: Run) -> None:
    campaign = run(FAULTY, count=3)
    by_instance, by_share, noted = (rows(campaign, query) for query in queries())
    found = {
        (f"synthetic-{one['unit']:05d}", one["base"]): (
            one["tests"], one["failing"] / one["tests"], one["smallest_failing_distance"],
        )
        for one in instances(campaign)
    }  # fmt: skip
    assert {(row[0], row[1]): pytest.approx(row[2:]) for row in by_instance} == found
    assert [row[0] for row in by_share] == [0, 0.125, 0.25, 0.5, 1]
    recognised = [row[1] for row in by_share]
    assert recognised == sorted(recognised)
    assert len(noted) == len(found)


def test_a_budget_is_kept_and_shared(run: Run) -> None:
    full = run(FAULTY, {"uncertainty": "views"}, count=2, name="full")
    asked = dict(rows(full, "SELECT number, questions FROM units"))
    small = run(FAULTY, {"uncertainty": "views"}, count=2, name="small", questions=140)
    spent = dict(rows(small, "SELECT number, questions FROM units"))
    assert sum(spent.values()) <= 140 < sum(asked.values())
    assert set(spent) == {0, 1}
    assert rows(small, "SELECT count(*) FROM errors") == [(0,)]
    assert all(one["tests"] >= 5 for one in instances(small))
