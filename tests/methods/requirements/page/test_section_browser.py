"""Requirements in a real browser, wide and narrow, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.methods.requirements.page.axis_samples import Sample, Strip
from snellen.store.summary import Summary
from tests.browsing import Visit, browser
from tests.methods.requirements.page.strip_page import page_with
from tests.report.broken_summary import summary

__all__ = ["browser", "summary"]


@pytest.fixture
def page(summary: Summary, tmp_path: Path) -> Path:
    """The page of a run with a scene along its axis."""
    scene = np.full((120, 160, 3), 128, np.uint8)
    shades = [Sample(0.15 * n, scene + 20 * n, ((8, 8, 80, 90),), 1) for n in range(6)]
    path = tmp_path / "report.html"
    page = page_with(summary, tmp_path, [Strip("a scene", tuple(shades))])
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("width", "scheme", "columns"), [(390, "dark", 1), (820, "light", 2), (1280, "light", 3)]
)
def test_plots_stand_side_by_side_as_there_is_room(
    width: int, scheme: str, columns: int, browser: Any, page: Path
) -> None:
    visit = Visit(browser, page, width, scheme)
    assert visit.complaints == []
    assert [url for url in visit.fetched if not url.startswith(("file:", "data:"))] == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    boxes = [one.bounding_box() for one in visit.page.locator(".multiples figure").all()]
    assert len(boxes) == 5
    assert len({round(one["x"]) for one in boxes}) == columns
    assert min(one["width"] for one in boxes) > 280
    visit.page.close()


def test_words_in_plots_are_large_enough_on_a_phone(browser: Any, page: Path) -> None:
    visit = Visit(browser, page, 390)
    heights = visit.page.eval_on_selector_all(
        ".over-change text", "all => all.map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 50
    assert min(heights) >= 9
    visit.page.close()


def test_nothing_of_a_plot_is_cut_off_and_names_of_thresholds_do_not_collide(
    browser: Any, page: Path
) -> None:
    visit = Visit(browser, page, 1280)
    outside = visit.page.evaluate(
        """() => [...document.querySelectorAll(".over-change")].flatMap((plot) => {
            const frame = plot.getBoundingClientRect();
            return [...plot.querySelectorAll("text, line, path, circle, rect")].filter((one) => {
                const box = one.getBoundingClientRect();
                return box.left < frame.left - 1 || box.right > frame.right + 1 ||
                    box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
            }).map((one) => one.outerHTML);
        })"""
    )
    assert outside == []
    overlaps = visit.page.evaluate(
        """() => [...document.querySelectorAll(".over-change")].filter((plot) => {
            const words = [...plot.querySelectorAll(".mark-word")]
                .map((one) => one.getBoundingClientRect());
            return words.some((a, i) => words.some((b, j) => i < j && a.left < b.right &&
                b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom));
        }).length"""
    )
    assert overlaps == 0
    visit.page.close()


def test_pictures_along_the_axis_are_seen_with_their_frames(browser: Any, page: Path) -> None:
    visit = Visit(browser, page, 1280)
    thumbs = visit.page.locator(".strip .thumb")
    assert thumbs.count() == 6
    box = thumbs.first.bounding_box()
    assert box["width"] > 80
    assert box["width"] / box["height"] == pytest.approx(160 / 120, rel=0.02)
    frame = visit.page.locator(".strip .box").first.bounding_box()
    assert frame["width"] / box["width"] == pytest.approx(72 / 160, rel=0.05)
    shown = thumbs.first.locator(".picture").evaluate(
        "one => getComputedStyle(one).backgroundImage"
    )
    assert shown.startswith("url(")
    visit.page.close()


def test_the_numbers_can_be_reached_and_scrolled_by_keyboard(browser: Any, page: Path) -> None:
    visit = Visit(browser, page, 390)
    region = visit.page.locator("#requirements > .scroll")
    region.focus()
    visit.page.keyboard.press("ArrowRight")
    visit.wait_until("document.querySelector('#requirements > .scroll').scrollLeft > 0")
    visit.page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_sentences_are_readable_without_scrolling_sideways(
    browser: Any, page: Path, width: int
) -> None:
    visit = Visit(browser, page, width)
    sentences = visit.page.locator("#requirements .says")
    boxes = [sentences.nth(place).bounding_box() for place in range(sentences.count())]
    assert len(boxes) == 4 * visit.page.locator("#requirements .verdicts tbody tr").count()
    for box in boxes:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] >= min(140, width - 60)
    visit.page.close()
