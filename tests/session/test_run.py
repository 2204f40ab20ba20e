"""A run in Python shows what its folder holds."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import snellen as sn
from snellen.errors import UserError
from snellen.session.run import Run
from snellen.store.summary import Summary

Folder = Callable[[str], Path]


@pytest.fixture
def run(reported: Folder, runs: Folder, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("SNELLEN_CACHE", str(runs("insertion").parent / "cache"))
    return sn.open_run(reported("insertion"))


def test_the_images_of_a_finding_are_those_of_its_report(run: Run) -> None:
    stored = {one.name for one in (run.folder / "findings").iterdir()}
    finding = next(one for one in run.findings if one.id in stored)
    for name in ("before", "after"):
        shown = np.asarray(Image.open(run.folder / "findings" / finding.id / f"{name}.png"))
        image = getattr(finding, name)
        assert image.dtype == np.uint8
        assert np.array_equal(image, shown), name
    assert not np.array_equal(finding.before, finding.after)
    overlay = np.asarray(Image.open(run.folder / "findings" / finding.id / "overlay.png"))
    assert np.array_equal(np.asarray(finding.show()), overlay)


def test_findings_and_faults_agree_with_the_summary(run: Run) -> None:
    tests = [
        one for one in run.findings if run.to_pandas().set_index("case").kind[one.id] == "test"
    ]
    assert len(tests) == run.summary.failing_cases + run.summary.flaky_cases
    assert len(run.faults) == run.summary.faults.count
    assert sum(one.proven for one in run.faults) == run.summary.faults.proven
    worst = run.summary.faults.worst
    assert worst is not None
    assert (run.faults[0].id, run.faults[0].finding.id) == (worst.id, worst.finding)
    finding = run.faults[0].finding
    assert finding.fault is not None
    assert finding.fault.id in [one.id for one in finding.faults]
    assert [one.id for one in run.findings[:3]] == [run.findings[n].id for n in range(3)]


def test_a_finding_has_its_events_and_recorded_answers(run: Run) -> None:
    finding = run.findings[0]
    before, after = finding.predictions
    assert before is not None
    assert finding.margin == max(one.margin for one in finding.events if one.hard)
    lost = [one for one in finding.events if one.kind == "lost"]
    assert len(before) - len(after) <= len(lost)
    assert run.finding(finding.id[:8]).id == finding.id
    with pytest.raises(UserError, match="expected one"):
        run.finding("")


def test_a_recorded_explanation_is_read_without_the_subject(run: Run) -> None:
    known = next(one for one in run.faults if one.proven)
    explanation = known.finding.explain()
    assert (explanation.cause, explanation.proven) == (known.cause, True)
    assert explanation.recorded
    assert explanation.says.startswith(known.says[:60])
    assert explanation.rungs


def test_an_unexplained_finding_is_explained_by_asking_the_subject(
    run_folder: Folder,
) -> None:
    run = sn.open_run(run_folder("insertion"))
    table = run.to_pandas()
    open_ones = table[table.finding & (table.kind == "test") & (table.cause == "unexplained")]
    explanation = run.finding(open_ones.case.iloc[0]).explain()
    assert not explanation.recorded
    assert explanation.cause == "place"


def test_tables_have_the_rows_of_the_run(run: Run, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert len(run.to_pandas()) == run.summary.cases
    assert set(run.to_pandas("faults").fault) == {one.id for one in run.faults}
    hard = run.to_pandas("events").query("severity == 'hard'")
    tests = run.to_pandas().query("kind == 'test' and status == 'failing'").case
    assert len(hard[hard.case.isin(tests)]) == sum(run.summary.events.values())
    file = run.to_parquet(tmp_path / "cases.parquet")
    assert pandas.read_parquet(file).case.tolist() == run.to_pandas().case.tolist()
    with pytest.raises(UserError, match="'cases', 'events' or 'faults'"):
        run.to_pandas("rows")  # type: ignore[arg-type]


def test_html_is_escaped_and_needs_no_network(run: Run) -> None:
    shown: list[Any] = [run, run.findings, run.faults, run.findings[0], run.faults[0]]
    for one in [*shown, run.faults[0].finding.explain(), run.compare(run)]:
        html = one._repr_html_()
        assert html.startswith("<div>")
        assert "http" not in html.replace("https://", "http")
        assert "<Run" not in html
        assert "<Fault" not in html
    assert "data:image/jpeg;base64," in run.findings[0]._repr_html_()


def test_reprs_are_short(run: Run) -> None:
    for one in (run, run.findings[0], run.faults[0], run.summary, run.compare(run)):
        assert len(repr(one)) < 240
        assert "\n" not in repr(one)
    assert len(repr(run.findings).splitlines()) <= 12


def test_a_run_compared_with_itself_differs_in_nothing(run: Run) -> None:
    same = run.compare(run.folder)
    assert same.result.tests.difference.value == 0
    assert same.result.same.only_a == same.result.same.only_b == 0
    assert "same subject" in str(same)
    assert same.to_json()["scenes"] == 6


def test_former_attributes_work_with_a_hint(run: Run) -> None:
    with pytest.warns(DeprecationWarning, match=r"run\.summary\.failing_cases"):
        assert run.failing_cases == run.summary.failing_cases
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(AttributeError, match="failing_case"):
            _ = run.failing_case
        assert not hasattr(run, "_ipython_canary_method_should_not_exist_")


def test_a_run_without_a_report_has_its_numbers(runs: Folder, reported: Folder) -> None:
    assert not (runs("identity") / "summary.json").exists()
    made, read = sn.open_run(runs("identity")).summary, sn.open_run(reported("identity")).summary
    assert isinstance(made, Summary)
    assert made.model_dump() == read.model_dump()


@pytest.mark.parametrize("name", ["absent", "empty"])
def test_what_is_no_run_folder_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=name):
        sn.open_run(tmp_path / name)


def test_classifiers_and_composed_scenes_have_images(
    runs: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(runs("combinations").parent / "cache"))
    run = sn.open_run(runs("combinations"))
    finding = run.findings[0]
    assert finding.after.ndim == 3
    assert finding.after.dtype == np.uint8
    assert finding.show().width > 300
    assert run.faults[0].finding.explain().cause
