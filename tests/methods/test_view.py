"""A method of someone else's shows itself wherever a built-in one does."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from snellen.contract.verdict import TEST, Status
from snellen.methods.kind import METHODS, view_of
from snellen.methods.view import RunRecord, View
from snellen.report.comparison.comparison import compared
from snellen.report.gate import gated, required
from snellen.report.report import write_report
from snellen.report.terminal import print_summary
from snellen.store.journal import Journal
from tests.report.test_page import parsed
from tests.report.test_summary import LOST, case, journal_of


@pytest.fixture
def mirrored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a run of a method that Snellen does not bring."""
    monkeypatch.setitem(METHODS.builtin, "mirror", "tests.methods.mirror_view:METHOD")
    return made(tmp_path, "mirror")


def made(folder: Path, method: str) -> Path:
    units = [
        [case(TEST, Status.FAILING, LOST), case(TEST, Status.HOLDS)],
        [case(TEST, Status.HOLDS)],
    ]
    with closing(journal_of(folder, units)) as journal:
        traits = {**journal.get("subject"), "classes": ["cat", "dog"], "tolerance": 0.0}
        journal.put({"method": method, "subject": traits})
    (folder / "config.yaml").write_text(yaml.safe_dump({"method": method}))
    return folder


def test_its_numbers_words_and_sections_are_shown(
    mirrored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = write_report(mirrored)
    assert summary.own == {"mirrored": 3}
    assert json.loads((mirrored / "summary.json").read_text())["own"] == {"mirrored": 3}
    print_summary(summary, mirrored)
    told = " ".join(capsys.readouterr().out.split())
    for words in ("failed in 1 of 3 reflections", "The mirror has spoken.", "mirrored 3 cases",
                  "mirrors 2 examined of 4", "in a browser, it shines", "polish the mirror",
                  "violated mirrors value 0.333"):  # fmt: skip
        assert words in told
    page = (mirrored / "report.html").read_text()
    ids = parsed(page).ids
    assert {"mirrors", "requirements"} <= set(ids)
    assert ids.index("mirrors") < ids.index("again")
    for words in ("<strong>3</strong><span>looked into", "The mirror has spoken.", "reflections"):
        assert words in page
    assert ".space" in page, "its style is in the page"


def test_its_tests_are_a_gate_and_test_cases(mirrored: Path) -> None:
    gate = gated(mirrored)
    assert gate.code == 1
    assert gate.lines()[0].startswith("violated   mirrors: 1 reflections differ")
    assert required(mirrored) == ("mirrors",)
    suite = ElementTree.parse(mirrored / "junit.xml").getroot()[0]
    failed = suite.find("testcase[@name='mirrors']/failure")
    assert failed is not None
    assert "value: 0.3333 (interval " in str(failed.text)


def test_its_runs_are_compared(mirrored: Path) -> None:
    found = compared(mirrored, mirrored)
    assert found.method == "mirror"
    assert found.same.both == 1
    assert found.to_json()["clean"] == {}


def test_a_method_that_is_gone_leaves_the_common_numbers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    summary = write_report(made(tmp_path, "gone"))
    assert (summary.method, summary.failing_cases, summary.own) == ("gone", 1, {})
    assert "method gone is not installed" in caplog.text


def test_what_is_read_of_a_journal_is_read_once(tmp_path: Path) -> None:
    asked: list[Any] = []

    def read(journal: Journal) -> int:
        asked.append(journal)
        return 7

    with closing(Journal(made(tmp_path, "identity") / "journal.sqlite")) as journal:
        record = RunRecord.of(journal)
        assert (record.once(read), record.once(read)) == (7, 7)
    assert len(asked) == 1


def test_the_default_view_says_nothing() -> None:
    view = View()
    assert view.words.page == ""
    assert (view.styles, view.scripts, view.control_bars) == ((), (), ())
    assert type(view_of("identity")) is not View


@pytest.mark.parametrize(("failing", "decided"), [(12, True), (1, False)])
def test_by_default_a_run_is_decided_once_it_differs_from_its_controls(
    failing: int, decided: bool, tmp_path: Path
) -> None:
    units = [
        [
            case(TEST, Status.FAILING if place < failing else Status.HOLDS, LOST),
            case("control:patch", Status.HOLDS),
        ]
        for place in range(20)
    ]
    with closing(journal_of(tmp_path, units)) as journal:
        record = RunRecord.of(journal)
        assert View().decided(record, lambda level: level / 2) is decided
        assert not View().decided(record, lambda level: 0.0)


def test_a_run_without_controls_is_not_decided(tmp_path: Path) -> None:
    units = [[case(TEST, Status.FAILING, LOST)] for _ in range(20)]
    with closing(journal_of(tmp_path, units)) as journal:
        assert not View().decided(RunRecord.of(journal), lambda level: level)
