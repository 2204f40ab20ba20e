"""The page in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.pages.gallery import WORDS_SCRIPT
from snellen.repair.page.page_writer import write_page
from tests.browsing import Visit, browser, cut_off
from tests.repair.evaluation.conftest import Runs
from tests.repair.page.test_page import every_row

__all__ = ["browser"]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_is_silent_and_readable(
    width: int, browser: Any, planted: Runs, tmp_path: Path
) -> None:
    path = write_page(tmp_path, every_row(planted), chosen="failing cases")
    visit = Visit(browser, path, width, "dark" if width == 390 else "light")
    page = visit.page
    assert WORDS_SCRIPT.text() in path.read_text()
    assert visit.complaints == []
    assert visit.sent_outside() == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.locator("h1").count() == 1
    assert visit.barriers() == []
    assert visit.unreachable() == []
    assert visit.covered_words() == []
    assert page.locator("#numbers table").first.locator("tbody tr").count() == 4
    for shot in page.locator(".shot").all():
        box = shot.bounding_box()
        assert box["width"] > 150
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    words = page.locator("#numbers .earned").all()
    assert [word.inner_text() for word in words] == [
        "not shown",
        "more robust",
        "more robust",
    ]
    assert all(word.bounding_box()["height"] < 60 for word in words)
    assert cut_off(page, "main") == []
    wide = "[...document.querySelectorAll('.scroll')].filter(o => o.scrollWidth > o.clientWidth)"
    assert width < 1280 or page.evaluate(f"{wide}.map(o => o.innerText)") == []
    named = page.locator("#numbers td").first.get_attribute("data-head")
    assert named == "f + r", "a narrow page names each figure by its head"
    page.close()
