"""The demo with different seeds: what its table says."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiments.demo_seeds.tables import HEADS, results_page

import snellen as sn
from snellen.configuration.stored_configuration import as_yaml
from snellen.starter.demo import offline_values
from snellen.store.summary import Summary
from snellen.store.verdict_summary import FaultCounts


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Summary:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    few = {**offline_values(), "scenes": {"kind": "synthetic", "count": 1}}
    (tmp_path / "demo.yaml").write_text(as_yaml(few))
    return sn.run(tmp_path / "demo.yaml").summary


def test_seeds_with_enough_proven_faults_are_counted(summary: Summary) -> None:
    faults = {3: 4, 8: 5, 9: 11}
    found = [
        summary.model_copy(update={"seed": seed, "faults": FaultCounts(count=20, proven=proven)})
        for seed, proven in faults.items()
    ]
    page = results_page(found, "2026-11-18")
    assert "2 of 3 seeds show 5 proven faults or more" in page
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    assert [row[0].strip("| ") for row in rows] == ["seed", "---", "3", "8", "9"]
    assert all(len(row) == len(HEADS) for row in rows)
    assert [row[1] for row in rows[2:]] == ["4", "5", "11"]
    assert summary.verdict.sentence in page
