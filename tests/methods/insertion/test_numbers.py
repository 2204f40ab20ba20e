"""What a summary says of insertions, against counts made by hand."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.paste.insert import Insert
from snellen.contract.verdict import TEST, Case, Status, Verdict
from snellen.methods.inserted_objects import ObjectCounts
from snellen.methods.insertion.numbers import InsertionNumbers, gap_edges
from snellen.report.summary import summarise
from snellen.store.journal import UnitEnd
from snellen.store.journal import journal_of as opened
from snellen.store.summary import Summary
from snellen.vision.events import Event, EventKind, Severity
from tests.report.test_summary import LOST, NOTHING, journal_of


def insertion(object: str, gap: float, *, missed: bool, failing: bool, role: str = TEST) -> Case:
    status = Status.FAILING if failing else Status.HOLDS
    measured = {"gap": gap, "inserted_missed": float(missed), "target": 0.0}
    recipe = Insert(object, int(gap), 0, 4, 4)
    return Case(recipe, role, status, NOTHING, NOTHING, (LOST,) * failing, measured)


def summary_of(
    folder: Path, units: list[list[Case]], notes: dict[str, Any] | None = None
) -> Summary:
    with closing(journal_of(folder, units)) as journal:
        journal.put({"method": "insertion"})
        if notes is not None:
            journal.put({"units": 99})
            end = UnitEnd(98, "noted", "noted", 1, Verdict((), notes))
            journal.write(end, ("cat", "dog"))
        return summarise(journal)


def numbers(summary: Summary) -> InsertionNumbers:
    return InsertionNumbers.model_validate(summary.own)


def test_missed_objects_are_counted_separately_and_by_object(tmp_path: Path) -> None:
    cases = [
        insertion("a", 1, missed=True, failing=True),
        insertion("a", 2, missed=False, failing=False),
        insertion("b", 3, missed=True, failing=False),
    ]
    moved = [insertion("a", 9, missed=True, failing=True, role="relocation")]
    summary = summary_of(tmp_path, [cases, moved])
    inserted = numbers(summary).inserted
    assert inserted is not None
    assert (inserted.cases, inserted.missed) == (3, 2), "relocations are not counted"
    assert inserted.rate.value == pytest.approx(2 / 3)
    assert list(inserted.objects) == ["a", "b"], "the most harmful first"
    assert inserted.objects["a"] == ObjectCounts(cases=2, missed=1, failing=1)
    assert list(summary.own) == ["inserted", "by_gap"], "no key without numbers"
    assert (summary.test_cases, summary.failing_cases, summary.cases) == (3, 1, 4)


def test_relocations_are_summed_up(tmp_path: Path) -> None:
    def move(best: list[int], progress: float, **more: Any) -> dict[str, Any]:
        start, target = [0, 0], [10, 0]
        found = {"start": start, "best": best, "target": target, "progress": progress, "asked": 2}
        return {"parent": 0, **found, **more}

    notes = {
        "relocations": [
            move([0, 0], 0.0),
            move([5, 0], 0.5, unique=True),
            move([10, 0], 1.0, unique=True),
            move([10, 0], 1.0, unique=False),
        ]
    }
    found = numbers(summary_of(tmp_path, [], notes)).relocation
    assert found is not None
    assert found.started == 4
    assert (found.moved, found.unique, found.reached_target) == (3, 2, 2)
    assert found.asked == 8
    assert found.progress["q50"] == 0.75


def test_every_case_is_in_one_bin_of_distance(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    gaps = rng.uniform(0, 90, 200)
    cases = [insertion("a", gap, missed=False, failing=bool(gap < 20)) for gap in gaps]
    bins = numbers(summary_of(tmp_path, [cases[:100], cases[100:]])).by_gap
    assert bins is not None
    assert sum(one.cases for one in bins) == 200
    assert sum(one.failing for one in bins) == int((gaps < 20).sum())
    for one in bins:
        inside = (gaps >= one.low) & (gaps < one.high)
        assert one.cases == inside.sum()
        assert one.rate.value == pytest.approx((inside & (gaps < 20)).sum() / inside.sum())


@given(st.lists(st.floats(0, 5000), min_size=1), st.integers(1, 20))
def test_bins_hold_all_and_are_not_thin(gaps: list[float], fewest: int) -> None:
    values = np.array(gaps)
    edges = gap_edges(values, fewest)
    counts, _ = np.histogram(values, edges)
    assert edges == sorted(set(edges))
    assert values.max() < edges[-1]
    assert counts.sum() == len(values)
    assert len(counts) == 1 or counts.min() >= fewest


def test_borderline_events_are_counted_by_kind(tmp_path: Path) -> None:
    faint = Event(EventKind.MOVED, 0, 0, 0, 0.05, Severity.BORDERLINE, box=(0, 0, 1, 1))
    cases = [
        Case(Insert("a", 0, 0, 4, 4), TEST, Status.BORDERLINE, NOTHING, NOTHING, (faint,)),
        Case(Insert("a", 1, 0, 4, 4), TEST, Status.FAILING, NOTHING, NOTHING, (LOST, faint)),
        Case(Insert("a", 2, 0, 4, 4), "control:patch", Status.BORDERLINE, NOTHING, None, (faint,)),
    ]
    summary = summary_of(tmp_path, [cases])
    assert summary.borderline_events == {"moved": 2}
    assert summary.events == {"lost": 1}


def test_a_run_has_the_promised_keys_and_its_patch_control(runs: Any) -> None:
    with closing(opened(runs("insertion"))) as journal:
        summary = summarise(journal)
    assert summary.failing_cases > 0
    found = numbers(summary)
    assert found.inserted is not None
    assert found.inserted.missed == 0, "the planted subject never loses the new object"
    patch = summary.controls["patch"]
    assert patch.failing == 0
    difference = patch.difference
    assert difference.value == pytest.approx(summary.failure_rate.value)
    assert difference.value is not None
    assert difference.low <= difference.value <= difference.high
    assert found.by_gap is not None
    near = [one for one in found.by_gap if one.high <= 8]
    far = [one for one in found.by_gap if one.low >= 16]
    assert all(one.rate.value == 1 for one in near), "it loses all within 12 pixels"
    assert all(one.failing == 0 for one in far)


def test_a_run_without_insertions_has_no_such_keys(runs: Any) -> None:
    with closing(opened(runs("identity"))) as journal:
        assert summarise(journal).own == {}
