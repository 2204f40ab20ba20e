"""The page in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.pages.finding_pictures import AnsweredFinding
from snellen.pages.pair_card import PairPictures
from snellen.report.document import Facts, document
from snellen.vision.detections import Detections
from tests.browsing import Visit as PageVisit
from tests.browsing import browser
from tests.report.test_page import evil_page
from tests.store.test_findings import event, finding
from tests.summaries import made_summary

__all__ = ["browser"]


class Visit(PageVisit):
    """A visit to a report."""

    def shown(self) -> int:
        return int(self.page.locator(".card:visible").count())


@pytest.mark.parametrize(
    ("name", "width"),
    [
        *((name, 390) for name in ("insertion", "identity", "labels", "combinations", "fine")),
        *((name, 1280) for name in ("insertion", "combinations")),
        *(pytest.param(name, 1280, marks=pytest.mark.thorough)
          for name in ("identity", "labels", "fine")),
    ],
)  # fmt: skip
def test_the_page_fits_and_is_silent(name: str, width: int, browser: Any, reported: Any) -> None:
    folder = reported(name)
    visit = Visit(browser, folder / "report.html", width, "dark" if width == 390 else "light")
    assert visit.complaints == []
    assert visit.sent_outside() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    assert visit.barriers() == []
    assert visit.unreachable() == []
    assert visit.covered_words() == []
    visit.page.close()


def crowded_page(tmp_path: Path) -> Path:
    """A report of a scene in which four things are lost next to one another."""
    grey = np.full((960, 1280, 3), 128, np.uint8)
    boxes = [(x, 400.0, x + 40, 440.0) for x in (600.0, 650.0, 700.0, 750.0)]
    events = [event(name="motorcycle", before=n, box=box) for n, box in enumerate(boxes)]
    one = finding("0123", "street", *events)
    answered = AnsweredFinding(one, (Detections.empty(), Detections.empty()), ("motorcycle",), 0.5)
    card = PairPictures(grey, grey, None).drawn(answered).card(100_000)
    page = tmp_path / "report.html"
    page.write_text(document(Facts(made_summary(), tmp_path, 0.0, [], "", 1), [card] * 3))
    return page


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_labels_on_small_cards_do_not_cover_one_another(
    width: int, browser: Any, tmp_path: Path
) -> None:
    visit = Visit(browser, crowded_page(tmp_path), width)
    page = visit.page
    assert page.locator(".mark .word:visible").count() >= 4
    assert visit.covered_words() == []
    page.set_viewport_size({"width": 1280 if width == 390 else 390, "height": 900})
    assert visit.covered_words() == [], "also after the window has changed"
    page.locator(".card .pair").first.click()
    assert visit.covered_words() == [], "also in the viewer, which shows the whole scene"
    page.keyboard.press("b")
    assert visit.covered_words() == [], "also before"
    outside = """[...document.querySelectorAll('.shot')].flatMap(shot => {
        const frame = shot.getBoundingClientRect();
        return [...shot.querySelectorAll('.word')].map(one => one.getBoundingClientRect())
          .filter(one => one.left < frame.left - 1 || one.right > frame.right + 1
            || one.top < frame.top - 1 || one.bottom > frame.bottom + 1);
    }).length"""
    assert page.evaluate(outside) == 0, "every label is whole"
    assert visit.complaints == []
    page.close()


def test_filters_and_viewer_work(browser: Any, reported: Any) -> None:
    folder = reported("insertion")
    visit = Visit(browser, folder / "report.html", 1280)
    page = visit.page
    page.click("#further summary")
    visit.wait_until("document.querySelector('#further details, details#further').open")
    every = visit.shown()
    assert every == len(list((folder / "findings").iterdir()))
    names = page.locator("#class-filter option").all_inner_texts()[1:]
    for name in names:
        page.select_option("#class-filter", name)
        told = page.locator(".card:visible .what").all_text_contents()
        assert told
        assert all(name in text for text in told)
    assert visit.shown() < every
    page.select_option("#class-filter", "")
    assert visit.shown() == every
    page.locator(".card .pair").first.click()
    assert page.locator("#viewer").is_visible()
    assert page.locator("#large .shot.after .mark.inserted").count() == 1
    page.keyboard.press("b")
    assert page.locator("#large .shot.before").count() == 1
    assert page.locator("#large .mark.inserted").count() == 0
    page.click("#bare")
    assert page.locator("#large .mark:visible").count() == 0
    first = page.locator("#description code.id").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#description code.id").inner_text() != first
    page.keyboard.press("Escape")
    assert not page.locator("#viewer").is_visible()
    assert visit.complaints == []
    page.close()


def test_names_never_run(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(evil_page(tmp_path))
    visit = Visit(browser, path, 390)
    assert visit.complaints == []
    assert "<script>alert" in visit.page.locator("h1").inner_text()
    assert visit.page.evaluate("document.documentElement.scrollWidth") == 390
    visit.page.close()
