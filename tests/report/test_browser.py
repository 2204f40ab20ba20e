"""The page in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browsing import Visit as PageVisit
from tests.browsing import browser
from tests.report.test_page import evil_page

__all__ = ["browser"]


class Visit(PageVisit):
    """A visit to a report."""

    def shown(self) -> int:
        return int(self.page.locator(".card:visible").count())


@pytest.mark.parametrize("name", ["insertion", "identity", "labels", "combinations", "fine"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_and_is_silent(name: str, width: int, browser: Any, reported: Any) -> None:
    folder = reported(name)
    visit = Visit(browser, folder / "report.html", width, "dark" if width == 390 else "light")
    assert visit.complaints == []
    assert [url for url in visit.fetched if not url.startswith(("file:", "data:"))] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    assert visit.barriers() == []
    visit.page.close()


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
