"""The map of labels in a real browser: what it shows, says and does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.combinations.cases import Outcomes, outcomes
from snellen.report.report import write_report
from tests.browsing import browser
from tests.methods.combinations.test_numbers import CLASSES, FACTS, ROWS, combination_journal
from tests.report.test_browser import Visit

__all__ = ["browser"]
TRAINING = {"images": 9, "singles": [5, 4, 3, 2], "pairs": [[0, 1, 7]]}


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[tuple[Visit, Outcomes]]:
    facts = {**FACTS, "training": TRAINING}
    with closing(combination_journal(tmp_path, ROWS, facts)) as journal:
        found = outcomes(journal)
    assert found is not None
    write_report(tmp_path)
    opened = Visit(browser, tmp_path / "report.html", 1280)
    opened.page.select_option("#map-order", "subject")
    yield opened, found
    assert opened.complaints == []
    opened.page.close()


def point(page: Any, row: int, column: int) -> str:
    """Point at a cell of the map, in the order shown; what the tip says."""
    page.locator("#map").scroll_into_view_if_needed()
    place = page.evaluate(
        """([row, column]) => {
            const [y, x] = [`.map-row[data-y="${row}"]`, `.map-column[data-x="${column}"]`].map(
                (one) => document.querySelector(one).getBoundingClientRect());
            return [x.left, (y.top + y.bottom) / 2];
        }""",
        [row, column],
    )
    page.mouse.move(place[0] + 4, place[1])
    return str(page.locator("#map-tip").inner_text())


def level(page: Any, row: int, column: int) -> str:
    """The class of the path that covers a cell."""
    point(page, row, column)
    found = page.evaluate(
        """() => {
            const here = document.getElementById("map-here");
            const at = new DOMPoint(...["x", "y"].map((key) => Number(here.getAttribute(key)) + 8));
            const paths = [...document.querySelectorAll(".map-chart path")];
            return paths.find((path) => path.isPointInFill(at)).getAttribute("class");
        }"""
    )
    return str(found)


def test_pointing_tells_the_numbers_of_a_cell(visit: tuple[Visit, Outcomes]) -> None:
    page, found = visit[0].page, visit[1]
    told = point(page, 0, 1)
    assert told.startswith("bus is present, car is wrong")
    assert "car missing beside bus 2 of 4, 50.0%" in told
    assert "car extra beside bus 1 of 2, 50.0%" in told
    assert "stands out no" in told
    assert "in a smallest failing part 1 images" in told
    counts = found.counts
    numbers = [getattr(counts, name)[0, 1] for name in ("tested", "passed", "missing", "extra")]
    assert (
        "the pair either way {} tested: {} pass, {} missing, {} extra, 0".format(*numbers) in told
    )
    assert "in training 7 images with both" in told


def test_the_other_way_round_is_another_cell(visit: tuple[Visit, Outcomes]) -> None:
    told = point(visit[0].page, 1, 0)
    assert told.startswith("car is present, bus is wrong")
    assert "bus missing beside car 0 of 4, 0.0%" in told


def test_what_is_chosen_changes_the_cells(visit: tuple[Visit, Outcomes]) -> None:
    page = visit[0].page
    seen = {}
    for view in ("any", "missing", "extra", "mismatch", "attributed"):
        page.click(f"#map-view [data-view={view}]")
        assert page.locator(f"#map-view [data-view={view}]").get_attribute("aria-pressed") == "true"
        cells = {"bus car": (0, 1), "bus cat": (0, 3), "dog cat": (2, 3), "dog dog": (2, 2)}
        seen[view] = {name: level(page, *cell) for name, cell in cells.items()}
    assert seen["missing"]["bus car"] == "map-8", "the worst of its kind is darkest"
    assert seen["missing"]["bus cat"] == "map-blank", "they were never shown together"
    assert seen["extra"]["bus cat"] not in ("map-0", "map-blank")
    assert seen["extra"]["dog cat"] == "map-0"
    assert seen["mismatch"]["dog cat"] == "map-8"
    assert seen["mismatch"]["bus car"] == "map-0"
    assert seen["attributed"]["dog cat"] == "map-8"
    assert seen["attributed"]["bus cat"] == "map-0"
    assert {one["dog dog"] for one in seen.values()} == {"map-blank"}


def test_order_and_names_go_together(visit: tuple[Visit, Outcomes]) -> None:
    page = visit[0].page
    page.select_option("#map-order", "name")
    assert page.locator(".map-column").all_text_contents() == ["bus", "car", "cat", "dog"]
    assert point(page, 2, 2).startswith("dog is present, cat is wrong")
    page.select_option("#map-order", "errors")
    counts = visit[1].counts
    wrong = counts.missed + counts.added + counts.swapped
    np.fill_diagonal(wrong, 0)
    names = [CLASSES[n] for n in np.argsort(-wrong.sum(axis=0), kind="stable")]
    assert page.locator(".map-column").all_text_contents() == names
    assert point(page, 0, 0).startswith(f"bus is present, {names[0]} is wrong")


def test_the_keyboard_walks_over_the_map(visit: tuple[Visit, Outcomes]) -> None:
    page = visit[0].page
    tip = page.locator("#map-tip")
    page.mouse.move(0, 0)
    page.focus(".map-chart")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert tip.inner_text().startswith("bus is present, car")
    assert page.locator(".map-lit").all_text_contents() == ["bus", "car"]
    page.keyboard.press("ArrowDown")
    assert "not output 2 of 4" in tip.inner_text(), "a label beside itself"
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert tip.inner_text().startswith("car is present, cat"), "it ends at the border"
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_composition_opens_whole_and_flips_to_its_smallest_part(
    browser: Any, reported: Any
) -> None:
    opened = Visit(browser, reported("combinations") / "report.html", 1280)
    page = opened.page
    card = page.locator(".card:has(.shot.after)").first
    card.locator(".pair").click()
    whole = page.locator("#large .mark").count()
    assert page.locator("#flip").inner_text() == "show smallest failing part"
    page.click("#flip")
    assert page.locator("#large .mark").count() < whole
    page.keyboard.press("Escape")
    single = page.locator(".pair.single")
    if single.count():
        single.first.click()
        assert not page.locator("#flip").is_visible()
    assert opened.complaints == []
    page.close()
