"""What the page shows of requirements: verdicts, curves, thresholds, people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.human.people import ThresholdSource
from snellen.methods.requirements.own_numbers import (
    Curve,
    CurveBin,
    OpenEstimate,
    RequirementNumbers,
    RequirementRow,
)
from snellen.methods.requirements.page.axis_samples import Sample, Strip
from snellen.methods.requirements.page.change_curves import change_curves
from snellen.methods.requirements.page.curve_plot import CurveMark, Plane, curve_plot, reach_of
from snellen.methods.requirements.page.section import EQUAL
from snellen.methods.requirements.page.verdict_cells import certainty_words, step_words
from snellen.pages.embedded_pictures import Album
from snellen.report.report import write_report
from snellen.report.summary import summarise
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.summary import Summary
from tests.methods.requirements.page.strip_page import page_with
from tests.methods.requirements.requirement_journal import requirement_journal
from tests.methods.requirements.simulated_evidence import requirement, simulated
from tests.report.broken_summary import PEOPLE, summary, summary_with
from tests.report.test_page import EVIL, parsed

__all__ = ["summary"]


def page_of(summary: Summary, strips: Sequence[Strip | None] = ()) -> str:
    return page_with(summary, Path("run"), strips)


def figures(page: str) -> list[str]:
    return re.findall(r"<figure>.*?</figure>", page[page.index('id="change-0"') :], re.DOTALL)


def test_the_page_has_a_table_and_the_curves_of_every_part(summary: Summary) -> None:
    page = page_of(summary)
    ids = set(parsed(page).ids)
    assert {"requirements", "change-0"} <= ids
    titles = [re.search(r"<h3><span>(\w+)", one) for one in figures(page)]
    assert [one and one.group(1) for one in titles] == [
        "localise",
        "classify",
        "segment",
        "detection",
        "segmentation",
    ]
    assert "given localise and classify" in page


def test_verdicts_are_words_signs_and_colours_the_violated_first(summary: Summary) -> None:
    assert [one.status for one in summary.requirements] == [
        "violated",
        "satisfied",
        "undecided",
    ]
    page = page_of(summary)
    rows = re.findall(r'<tr><th scope="row"><span>(\w+)</span>.*?</tr>', page)[:3]
    assert rows == ["find", "all", "name"]
    for word, sign in (("violated", "✗"), ("satisfied", "✓"), ("undecided", "?")):
        badge = f'class="status {word}"><span aria-hidden="true">{sign} </span>{word}</span>'
        assert page.count(badge) == 2, "in the table and above its plot"


def test_the_published_distance_stands_beside_what_it_is_by_chance(summary: Summary) -> None:
    page = page_of(summary)
    assert EQUAL in page
    found = RequirementRow.of(summary.requirements[0]).distance
    assert f"{found.value:.2f}<small>null {found.null:.2f}, p = {found.p_value:.3f}" in page


def test_the_headline_counts_requirements_not_cases(summary: Summary) -> None:
    page = page_of(summary)
    head = re.sub("<[^>]+>", "", page[page.index("<h1>") : page.index("</h1>")])
    assert head == "watcher violates 1 of 3 requirements"
    assert "failed in" not in page
    assert summary.requirements[0].says in page


@pytest.mark.parametrize(
    ("statuses", "words"),
    [
        (["undecided", "satisfied"], "leaves undecided 1 of 2 requirements"),
        (["satisfied", "satisfied"], "satisfies 2 of 2 requirements"),
        (["satisfied"], "satisfies 1 of 1 requirement"),
    ],
)
def test_undecided_is_never_reported_as_satisfied(
    statuses: list[str], words: str, summary: Summary
) -> None:
    first = summary.requirements[0]
    chosen = tuple(first.model_copy(update={"status": LossStatus(one)}) for one in statuses)
    page = page_of(summary.model_copy(update={"requirements": chosen, "own": {}}))
    head = re.sub("<[^>]+>", "", page[page.index("<h1>") : page.index("</h1>")])
    assert head == f"watcher {words}"


def test_the_broken_range_and_the_thresholds_are_where_they_belong(summary: Summary) -> None:
    found = figures(page_of(summary))
    plane = Plane(1.0)
    row = RequirementRow.of(summary.requirements[0])
    low, high = row.breaks_from or 0.0, row.over[1]
    assert (low, high) == (0.45, 0.9)
    area = f'<rect x="{plane.x(low)}" y="{plane.y(0)}" width="{plane.x(high) - plane.x(low):.1f}"'
    assert area in found[0]
    assert 'class="broken"' not in "".join(found[1:]), "only a violated part is shaded"
    for at, look in ((0.4, "lower"), (0.9, "own")):
        line = rf'<line x1="{plane.x(at)}" x2="{plane.x(at)}"[^>]*class="threshold {look}"'
        assert re.search(line, found[0])
    assert "people 0.9" in found[0]
    assert "direct 0.7" in found[3], "the whole task, estimated directly"
    assert "threshold" not in found[2], "nothing is required of segmentation"


def test_people_are_drawn_and_compared_only_where_they_are_known(summary: Summary) -> None:
    page = page_of(summary)
    found = figures(page)
    plane = Plane(1.0)
    lost = [PEOPLE.share[0] - share for share in PEOPLE.share]
    path = plane.path(list(zip(PEOPLE.delta_v, lost, strict=True)))
    assert f'd="{path}" class="people"' in found[0]
    assert "70 answers" in found[0]
    assert "% of human performance" in found[0]
    assert 'class="people"' not in "".join(found[1:])
    assert "A study of people" in page
    assert "localise 0.9 (0.8 to 0.95)" in page


def test_a_plot_can_be_read_by_those_who_cannot_see_it(summary: Summary) -> None:
    label = re.search(r'aria-label="(localise[^"]*)"', figures(page_of(summary))[0])
    assert label is not None
    words = label.group(1)
    [group] = RequirementNumbers.model_validate(summary.own).reliability
    first = group.parts[0].curves["recall"].bins[0]
    assert first.loss is not None
    assert first.loss.value is not None
    assert f"{first.at:.2f}: {100 * first.loss.value:.0f}" in words
    assert "people 0.9 at visual change 0.9" in words
    assert "breaks from visual change 0.45 to 0.9" in words


def test_a_larger_loss_is_drawn_lower_and_more_change_further_right() -> None:
    plane = Plane(0.5)
    assert plane.y(0.9) > plane.y(0.1)
    assert plane.y(-0.1) == plane.y(0), "a gain is no loss"
    assert plane.x(0.1) < plane.x(0.4)
    assert plane.x(0.7) == plane.x(0.5), "nothing is drawn beyond the axis"
    assert reach_of(0.0) == 0.1
    assert reach_of(0.3) == 0.3
    assert reach_of(0.95) == 1.0


def test_a_bin_without_a_value_is_passed_over() -> None:
    none = OpenEstimate(value=None, low=None, high=None, method="", confidence=0.95)
    some = OpenEstimate(value=0.5, low=0.4, high=0.6, method="", confidence=0.95)
    bins = (
        CurveBin(low=0.0, high=0.1, cases=2, value=some, loss=some),
        CurveBin(low=0.1, high=0.2, cases=1, value=none, loss=none),
        CurveBin(low=0.2, high=0.3, cases=2, value=some, loss=some),
    )
    curves = {"recall": Curve(clean=none, bins=bins), "precision": Curve(clean=none, bins=())}
    drawn = curve_plot("t", curves, [CurveMark(0.2, "0.2", "own")], [], 0.3, "axis")
    assert drawn.count("<circle") == 2
    assert "points of precision lost by visual change: no cases" in drawn
    assert "nan" not in drawn.lower()


def test_a_reader_learns_what_was_demanded_found_how_surely_and_what_to_do(
    summary: Summary,
) -> None:
    page = page_of(summary)
    broken = RequirementRow.of(summary.requirements[0])
    cells = [
        re.findall(r'class="cell-head">([^<]+)</b>([^<]+)<', row) for row in page.split("<tr>")
    ]
    [found] = [dict(one) for one in cells if one and broken.says in dict(one).get("found", "")]
    assert list(found) == ["demanded", "found", "how sure", "what to do"]
    assert found["demanded"] == (
        "segmentation, localise: precision and recall of person may fall by at most 2 points under "
        "frost up to visual change 0.4, 0.9"
    )
    assert "beyond the tolerated loss, p &lt; 0.001 (tested at 5%)" in found["how sure"]
    assert "124 objects in 58 scenes" in found["how sure"]
    assert found["what to do"].startswith("Improve the subject under frost from visual change 0.45")


def test_each_verdict_has_its_own_next_step(summary: Summary) -> None:
    row = RequirementRow.of(summary.requirements[0])

    def step(**changes: Any) -> str:
        return step_words(row.model_copy(update=changes))

    assert "keep it as a gate" in step(status=LossStatus.SATISFIED)
    undecided = {"status": LossStatus.UNDECIDED}
    assert "About 1,200 more scenes" in step(**undecided, more_scenes=1200)
    assert "Add scenes that show person" in step(**undecided)
    assert "demands nothing" in step(**undecided, demands_nothing=(row.threshold,))
    assert "neither is shown" in certainty_words(row.model_copy(update=undecided))


def test_names_are_text_here_too(tmp_path: Path) -> None:
    one = requirement(name=EVIL, label=EVIL, subtask="localise", source=ThresholdSource(study=EVIL))
    summary = summary_with(tmp_path, [one], scenes=12)
    grey = np.full((30, 40, 3), 90, np.uint8)
    strip = Strip(EVIL, (Sample(0.0, grey, ((1, 1, 9, 9),), 1), Sample(0.3, grey, (), 0)))
    page = page_of(summary, [strip])
    assert parsed(page).elements.count("script") == 1
    assert "<script>alert" not in page


def test_a_run_without_evidence_has_a_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    evidence = simulated(rng, 4, 2, kind="preservation")
    with closing(requirement_journal(tmp_path, [requirement()], {"frost": evidence})) as journal:
        summary = summarise(journal)
    page = page_of(summary)
    assert "requirements" in parsed(page).ids
    assert "not known" in page


def test_other_runs_have_nothing_of_it(run_folder: Any) -> None:
    folder = run_folder("fine")
    summary = write_report(folder)
    assert summary.requirements == ()
    assert summary.own == {}
    page = (folder / "report.html").read_text()
    assert "requirements" not in parsed(page).ids
    assert ".multiples" not in page, "its style is left out"


def test_fewer_strips_than_axes_are_fine(summary: Summary) -> None:
    rows = [RequirementRow.of(one) for one in summary.requirements]
    groups = RequirementNumbers.model_validate(summary.own).reliability
    assert len(change_curves(rows, groups * 2, [None], Album())) == 2
