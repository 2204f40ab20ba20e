"""The numbers of a run of robustness are those of its rows; the page shows them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.robustness.level_tables import measured_levels
from snellen.methods.robustness.numbers import control_rate, discoveries
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.report.terminal import print_summary
from snellen.statistics.levels import equal_width_levels
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from snellen.store.rates import JudgedCases, Rates
from snellen.store.summary import Summary
from tests.browsing import Visit, browser, cut_off

__all__ = ["browser"]
SCENES = {"kind": "synthetic", "count": 5, "size": [176, 208], "sides": [28, 40], "objects": [1, 2]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run on a subject that loses what comes within 14 pixels, with its report."""
    place = tmp_path_factory.mktemp("robustness")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(place / "cache"))
        campaign = campaign_from(
            {
                "method": "robustness",
                "subject": {"kind": "planted", "fault": "loses", "distance": 14},
                "scenes": SCENES,
                "objects": {**SCENES, "shade": "deep", "seed": 2, "count": 12},
                "robustness": {
                    "size_ratio": [0.6, 1.0],
                    "tests_per_level": 5,
                    "passes": 4,
                    "contour": "mask",
                    "controls": 0.3,
                },
                "engine": {"workers": 0, "cache": False},
                "out": "run",
            },
            place / "c.yaml",
        )
        run_campaign(campaign)
        write_report(campaign.out_folder, pictures=2)
        yield campaign.out_folder


@pytest.fixture(scope="module")
def numbers(folder: Path) -> dict[str, Any]:
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    found: dict[str, Any] = summary["own"]
    return found


@pytest.fixture(scope="module")
def cases(folder: Path) -> list[dict[str, Any]]:
    with closing(journal_of(folder)) as journal:
        rows = journal.rows(
            "SELECT scene, cases.status, measurements FROM cases "
            "JOIN units ON units.number = unit WHERE role = 'test'"
        )
    return [{"scene": one, "failing": bad == "failing", **json.loads(m)} for one, bad, m in rows]


def test_instances_are_counted_from_their_tests_and_sorted(
    numbers: dict[str, Any], cases: list[dict[str, Any]]
) -> None:
    rates = []
    for one in numbers["by_instance"]:
        own = [c for c in cases if (c["scene"], c["base"]) == (one["scene"], one["base"])]
        assert one["tests"] == len(own)
        assert one["failing"] == sum(c["failing"] for c in own)
        failing = [c["distance"] for c in own if c["failing"]]
        assert one["smallest_failing_distance"] == min(failing)
        assert one["largest_failing_distance"] == max(failing)
        rates.append(one["rate"]["value"])
    assert rates == sorted(rates, reverse=True)
    assert numbers["mean_rate"] == pytest.approx(np.mean(rates), abs=1e-4)
    assert numbers["tested"] == len(rates)


def test_levels_of_distance_are_counted_from_tests(
    numbers: dict[str, Any], cases: list[dict[str, Any]]
) -> None:
    assert [one["share"] for one in numbers["by_level"]] == [0, 0.125, 0.25, 0.5, 1]
    for one in numbers["by_level"]:
        own = [c for c in cases if c["share"] == one["share"]]
        assert (one["cases"], one["failing"]) == (len(own), sum(c["failing"] for c in own))
        assert one["rate"]["low"] <= one["rate"]["value"] <= one["rate"]["high"]
        assert one["control"]["value"] in (0.0, None)
    assert numbers["by_level"][0]["rate"]["value"] > 0.9
    assert numbers["by_level"][-1]["rate"]["value"] == 0


def test_the_table_of_25_cells_is_that_of_its_instances(numbers: dict[str, Any]) -> None:
    listed = numbers["by_instance"]
    unsure = equal_width_levels([one["uncertainty"] for one in listed]).level
    total = 0
    for row, cells in enumerate(numbers["table"]):
        own = [one for one, level in zip(listed, unsure, strict=True) if level == row]
        assert sum(cell["instances"] for cell in cells) == len(own)
        assert sum(cell["failing"] for cell in cells) == sum(one["failing"] for one in own)
        assert numbers["uncertainty_levels"][row]["instances"] == len(own)
        for cell in cells:
            assert (cell["rate"]["value"] is None) == (cell["tests"] == 0)
            total += cell["tests"]
    assert total == sum(one["tests"] for one in listed)


def test_the_rank_correlation_is_spearmans(numbers: dict[str, Any]) -> None:
    listed = numbers["by_instance"]
    unsure = [one["uncertainty"] for one in listed]
    rates = [one["rate"]["value"] for one in listed]
    found = numbers["correlations"]["uncertainty"]
    assert found["value"] == pytest.approx(spearmanr(unsure, rates).statistic, abs=1e-6)
    assert found["low"] <= found["value"] <= found["high"]
    assert numbers["correlations"]["score"] is None, "every score is the same"


def test_a_perfect_reader_is_never_wrong_against_annotations(numbers: dict[str, Any]) -> None:
    found = numbers["calibration"]
    assert found["objects"] >= numbers["instances"]
    assert sum(one["wrong"] for one in found["levels"]) == 0
    assert sum(one["objects"] for one in found["levels"]) == found["objects"]


def test_an_object_that_no_pass_found_does_not_stretch_the_levels() -> None:
    total, boxes = np.array([2.0, 3.0, 4.0, 29.5]), np.array([1.0, 2.0, 3.0, 28.7])
    boxes[-1] = 2 * np.log(2 * np.pi * np.e * 1e5)
    levels = measured_levels(total, boxes)
    assert levels.edges[[0, -1]].tolist() == [2, 4]
    assert levels.level.tolist() == [0, 2, 4, 4]


def test_clusters_by_chance_are_corrected_for_as_benjamini_and_hochberg_published() -> None:
    # Y. Benjamini, Y. Hochberg, J. R. Statist. Soc. B 57 (1995), section 3.2: four of 15 at 0.05.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert discoveries(p) == 4
    assert discoveries(p[::-1]) == 4


def test_a_p_value_that_is_exactly_significant_after_correction_counts() -> None:
    assert discoveries([0.05]) == 1
    assert discoveries([0.03, 0.05, 0.05]) == 3


def test_no_instance_with_a_p_value_gives_no_significant_cluster() -> None:
    assert discoveries([]) == 0


def test_a_finding_asked_again_is_judged_as_it_was(folder: Path) -> None:
    with closing(journal_of(folder)) as journal:
        found = findings(journal)
    for one in [found[0], found[-1]]:
        [again] = replay(folder, one.id).again
        assert (again.status, again.events) == (one.status, one.events)
    mended = replay(folder, found[0].id, overrides=["subject.fault=none"])
    assert mended.failing == 0


def test_the_terminal_tells_distances_and_the_least_robust(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = Summary.model_validate_json((folder / "summary.json").read_text(encoding="utf-8"))
    print_summary(summary, folder)
    said = " ".join(capsys.readouterr().out.split())
    assert "least robust" in said
    assert "12.5%:" in said


def test_the_page_shows_every_instance_and_test(
    browser: Any, folder: Path, numbers: dict[str, Any]
) -> None:
    visit = Visit(browser, folder / "report.html", 1180)
    page = visit.page
    assert page.locator(".instance").count() == min(12, numbers["tested"])
    marks = page.locator(".instance .spot").count()
    assert marks == sum(one["tests"] for one in numbers["by_instance"][:12])
    failing = page.locator(".instance .spot.failing").count()
    assert failing == sum(one["failing"] for one in numbers["by_instance"][:12])
    assert {one["score"] for one in numbers["by_instance"]} == {0.9}
    heads = page.locator(".level-table thead th").all_inner_texts()
    assert heads[1:] == ["0.90"], "one score for all has no five parts"
    empty = sum(row[0]["tests"] == 0 for row in numbers["table"])
    assert page.locator(".level-table td.none").count() == empty
    assert page.locator("#near svg.plot").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert visit.complaints == []
    page.close()


def test_a_narrow_page_does_not_scroll_sideways_nor_cut_anything_off(
    browser: Any, folder: Path
) -> None:
    visit = Visit(browser, folder / "report.html", 390, "dark")
    assert visit.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    sections = ("#near", "#every", "#levels", "#calibration", "#clusters")
    for place in sections:
        assert visit.page.locator(f"{place} .scroll").count() > 0
        assert cut_off(visit.page, place) == []
    assert visit.complaints == []
    visit.page.close()


def test_controls_by_level_are_weighted_by_the_chance_of_being_drawn() -> None:
    """One test fails, and so does its control; of 40 holding ones every fifth has one."""
    chances = [1.0, *[0.2] * 8]
    failing = np.array([True, *[False] * 8])
    rates = Rates.__new__(Rates)
    rates.weights = np.ones((10, 3))
    controls = JudgedCases(
        np.arange(9) % 3, failing, ({},) * 9, tuple({"chance": one} for one in chances)
    )
    found = control_rate(controls, np.ones(9, dtype=bool), rates)
    assert found.value == pytest.approx(1 / 41), "unweighted it would be 1 of 9"
    assert found.cases == pytest.approx(41**2 / (1 + 8 * 25)), "the effective number"
    unweighted = replace(controls, measurements=({},) * 9)
    assert control_rate(unweighted, np.ones(9, dtype=bool), rates).value == pytest.approx(1 / 9)
    nothing = control_rate(controls, np.zeros(9, dtype=bool), rates)
    assert np.isnan(nothing.value)
