"""Findings explained by hand, with a page of the counterfactual questions."""

from __future__ import annotations

from contextlib import closing
from html import escape
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.pages.gallery import WORDS_SCRIPT
from snellen.report.explanation_page import explanation_page
from snellen.report.finding_explanation import explain
from snellen.store.explanations import explanation_of
from snellen.store.findings import findings
from snellen.store.journal import journal_of
from tests.browsing import Visit, browser
from tests.report.test_page import parsed
from tests.store.recorded_faults import Planted, thing, write_faults

__all__ = ["browser"]


def test_a_method_that_asks_no_counterfactual_questions_says_so(run_folder: Any) -> None:
    folder = run_folder("identity")
    with closing(journal_of(folder)) as journal:
        id = findings(journal)[0].id
    with pytest.raises(UserError, match=f"asks no counterfactual.* snellen replay .* {id}"):
        explain(folder, id)


@pytest.mark.parametrize("name", ["insertion", "combinations"])
def test_a_finding_is_explained_by_hand_as_in_the_run(
    name: str, run_folder: Any, tmp_path: Path
) -> None:
    folder = run_folder(name)
    with closing(journal_of(folder)) as journal:
        known = [explanation_of(journal, one) for one in findings(journal)]
    first = next((one for one in known if one is not None and one.rungs), None)
    if first is None:
        pytest.skip(f"method {name} explains nothing")
    found = explain(folder, first.finding.id, again=True, out=tmp_path / "out")
    assert found.explanation.to_json() == first.to_json()
    assert found.page is not None
    page = found.page.read_text()
    assert parsed(page).addresses == []
    assert all(escape(rung.name) in page for rung in first.rungs)
    assert page.count('class="rung"') >= len(first.rungs) + 1


@pytest.mark.parametrize("name", ["insertion", "combinations"])
@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light"), (390, "light")])
def test_the_page_fits_is_silent_and_keeps_no_one_out(
    name: str, width: int, scheme: str, browser: Any, run_folder: Any
) -> None:
    folder = run_folder(name)
    with closing(journal_of(folder)) as journal:
        found = [explanation_of(journal, one) for one in findings(journal)]
    first = next(one for one in found if one is not None)
    page = explain(folder, first.finding.id).page
    assert page is not None
    assert WORDS_SCRIPT.text() in page.read_text()
    visit = Visit(browser, page, width, scheme)
    assert visit.complaints == []
    assert visit.sent_outside() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    assert visit.barriers() == []
    assert visit.unreachable() == []
    assert visit.page.locator(".mark .word:visible").count() > 0
    assert visit.covered_words() == []
    visit.page.close()


@pytest.mark.parametrize("steady", [True, False])
def test_only_a_deterministic_subject_has_proven_causes(steady: bool, tmp_path: Path) -> None:
    planted = [[Planted([thing()], 0.5, "object", proven=True)]]
    with closing(write_faults(tmp_path, planted, steady=steady)) as journal:
        told = explanation_of(journal, findings(journal)[0])
    assert told is not None
    assert told.to_json()["proven"] == steady
    page = explanation_page(told, [], "none")
    assert ("Proven cause" in page, "Confirmed cause" in page) == (steady, not steady)
