"""The scorecard in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from snellen.exam.exam import exam
from snellen.exam.scorecard import PAGE
from tests.browsing import Visit, browser

__all__ = ["browser"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an exam that finds faults."""
    folder = tmp_path_factory.mktemp("exam")
    subject = {"kind": "planted", "fault": "loses", "distance": 5}
    objects = {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2}
    scenes = {"kind": "synthetic", "count": 4}
    exam(subject, scenes, objects=objects, out=folder / "out", questions=200)
    return folder / "out" / PAGE


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scorecard_fits_is_silent_and_keeps_no_one_out(
    width: int, scheme: str, browser: Any, page: Path
) -> None:
    visit = Visit(browser, page, width, scheme)
    assert visit.complaints == []
    assert visit.sent_outside() == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    assert visit.barriers() == []
    assert visit.unreachable() == []
    letters = visit.page.locator(".letters")
    heights = [one.bounding_box()["height"] for one in letters.all()]
    assert heights == sorted(heights, reverse=True), "the largest row first, as on an eye chart"
    widths = [one.bounding_box()["width"] for one in letters.all()]
    assert max(widths) <= width
    assert visit.page.locator("figure img").count() >= 1, "the worst fault has its picture"
    visit.page.close()
