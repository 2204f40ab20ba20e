"""`junit.xml` against the journal it was made from."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from snellen.contract.verdict import TEST, Status
from snellen.report.junit import junit
from snellen.report.report import write_report
from snellen.report.summary import summarise
from snellen.store.findings import findings
from snellen.store.journal import Failure, UnitEnd
from snellen.store.journal import journal_of as opened
from tests.report.test_summary import LOST, case, journal_of


def test_one_case_for_each_kind_and_class_that_was_seen(run_folder: Any) -> None:
    folder = run_folder("insertion")
    summary = write_report(folder)
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    cases = {str(one.get("name")): one for one in suite.findall("testcase")}
    assert int(suite.get("tests", -1)) == len(cases)
    failing = {name for name, one in cases.items() if one.find("failure") is not None}
    assert failing == {f"lost: {name}" for name in summary.by_class}
    assert int(suite.get("failures", -1)) == len(failing)
    for name in summary.by_class:
        assert {f"moved: {name}", f"appeared: {name}"} <= set(cases)
    text = cases[min(failing)].findtext("failure") or ""
    assert "findings/" in text
    assert f"snellen replay {folder}" in text


def test_labels_have_their_own_kinds(run_folder: Any) -> None:
    folder = run_folder("labels")
    write_report(folder)
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    kinds = {str(one.get("name")).split(":")[0] for one in suite.findall("testcase")}
    assert kinds == {"missing", "extra", "mismatch"}


def test_errors_and_odd_characters_are_told(tmp_path: Path) -> None:
    with closing(journal_of(tmp_path, [[case(TEST, Status.FAILING, LOST)]])) as journal:
        journal.put({"subject": {**journal.get("subject"), "classes": ["cat", "dog"]}})
        error = Failure("subject", "ValueError", "bad \x00 byte <&>")
        journal.write(UnitEnd(7, "odd\x07", "odd\x07", 1, None, error), ("cat", "dog"))
        summary = summarise(journal)
        suite = ElementTree.fromstring(junit(journal, summary, findings(journal)))[0]
    errors = suite.findall("testcase/error")
    assert suite.get("errors") == str(len(errors)) == "2"
    assert errors[-1].get("message") == "in subject: bad ? byte <&>"
    assert suite.get("failures") == "1"


def test_a_relocation_of_a_failure_is_no_failure_of_its_own(tmp_path: Path) -> None:
    """The same fault moved elsewhere would be counted twice."""
    units = [[case(TEST, Status.FAILING, LOST), case("relocation", Status.FAILING, LOST)]]
    with closing(journal_of(tmp_path, units)) as journal:
        journal.put({"subject": {**journal.get("subject"), "classes": ["cat", "dog"]}})
        text = junit(journal, summarise(journal), findings(journal))
    [failure] = ElementTree.fromstring(text)[0].findall("testcase/failure")
    assert failure.get("message") == "1 failing cases with lost dog"


def test_a_run_without_failures_passes(runs: Any) -> None:
    with closing(opened(runs("fine"))) as journal:
        text = junit(journal, summarise(journal), findings(journal))
    suite = ElementTree.fromstring(text)[0]
    assert suite.get("failures") == "0"
    assert int(suite.get("tests", 0)) > 0
