"""Against the labels: a perfect system loses nothing, one that misses is counted as missing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.fusion import precision as fusion_precision
from snellen.methods.fusion.own_numbers import CountChange, PrecisionDrop, PrecisionNumbers
from snellen.report.report import write_report
from snellen.vision.kitti.evaluation_pairs import OverlapMetric
from snellen.vision.kitti.multitest_errors import ErrorClass

FRAMES = 4


@dataclass(frozen=True)
class Reported:
    """A report's numbers against the labels, and its page."""

    numbers: PrecisionNumbers
    page: str


Report = Callable[[str], Reported]


@pytest.fixture(scope="module")
def told(shared: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Report:
    """What a report says of a planted subject against the labels; a run for each fault."""
    root = shared("kitti")
    made: dict[str, Reported] = {}

    def report(fault: str) -> Reported:
        if fault not in made:
            folder = tmp_path_factory.mktemp(fault)
            values = {
                "method": "fusion",
                "seed": 4,
                "subject": {"kind": "planted-3d", "fault": fault},
                "scenes": {"kind": "kitti", "root": str(root), "limit": FRAMES},
                "fusion": {
                    "search": "random",
                    "objects": 2,
                    "tries": 1,
                    "controls": 0.0,
                    "meshes": ["sedan", "suv"],
                    "variants": 1,
                },
                "engine": {"workers": 0, "cache": False, "explain": 0.0},
                "out": "run",
            }
            run_campaign(campaign_from(values, folder / "snellen.yaml"))
            own = write_report(folder / "run", pictures=0).own
            page = (folder / "run" / "report.html").read_text()
            made[fault] = Reported(PrecisionNumbers.model_validate(own["precision"]), page)
        return made[fault]

    return report


def test_a_perfect_system_keeps_an_average_precision_of_100(told: Report) -> None:
    found = told("none").numbers
    assert found.cases == FRAMES
    for view in found.classes["Car"].values():
        assert view.ap == PrecisionDrop(before=100.0, after=100.0, drop=0.0)
        assert view.objects.after > view.objects.before > 0
        assert view.procedure == "definition"
        assert all(kind == CountChange(before=0, after=0) for kind in view.errors.values())


def test_what_is_missed_lowers_precision_and_is_counted_as_missing(told: Report) -> None:
    found = told("misses-beyond").numbers.classes["Car"][OverlapMetric.SOLID]
    missed = found.errors[ErrorClass.MISSING]
    assert missed.after > missed.before
    assert found.errors[ErrorClass.FALSE] == CountChange(before=0, after=0)
    least = 100 * (found.objects.after - missed.after) / found.objects.after
    assert found.ap.after == pytest.approx(least, abs=3)
    assert found.ap.before is not None
    assert found.ap.after is not None
    assert found.ap.drop == pytest.approx(found.ap.before - found.ap.after)


def test_the_page_has_the_figures(told: Report) -> None:
    page = told("misses-beyond").page
    assert 'id="solid-precision"' in page
    assert "Against the labels" in page


def test_of_many_cases_as_many_as_are_wanted_are_rebuilt_evenly_spread(
    told: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Told:
        def rows(self, query: str) -> list[tuple[Any, ...]]:
            if "FROM units" in query:
                return [(unit, '{"kept": [0]}') for unit in range(10)]
            recipe = '{"kind": "insert3d", "objects": [], "seed": %d, "sensors": "both"}'
            return [(unit, 0, f"s{unit}", recipe % unit, "b", "a") for unit in range(10)]

    monkeypatch.setattr(fusion_precision, "MOST", 4)
    ends = fusion_precision._ends(Told())  # type: ignore[arg-type]
    assert [scene for scene, *_ in ends] == ["s0", "s3", "s6", "s9"]
