"""The site builds strictly, has every page, and is searched without asking anyone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from documentation.site.build import PAGES, SITE, build
from tests.browsing import Visit, browser

pytest.importorskip("zensical", reason="the extra docs is not installed")

__all__ = ["browser"]
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
LOOKS = [
    (1280, "light"), pytest.param(1280, "dark", marks=pytest.mark.thorough),
    pytest.param(390, "light", marks=pytest.mark.thorough), (390, "dark"),
]  # fmt: skip
SHOWN = [
    "index.html", "gallery.html", "how-to/exam.html", "reference/configuration-subjects.html",
]  # fmt: skip


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site, which has no problem."""
    folder = tmp_path_factory.mktemp("documentation")
    assert build(ROOT, folder) == []
    return folder


def listed(nav: Any) -> Iterator[str]:
    """The pages of a navigation, in order."""
    for one in nav if isinstance(nav, list) else nav.values() if isinstance(nav, dict) else []:
        yield from [one] if isinstance(one, str) else listed(one)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = list(listed(CONFIG["nav"]))
    own = [page for page in pages if not page.startswith("repository/")]
    written = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(own) == sorted(written), "add the page to `nav` in zensical.toml"
    assert len(pages) == len(set(pages))


def test_how_to_pages_stand_under_their_tasks() -> None:
    [parts] = [one["How-to"] for one in CONFIG["nav"] if "How-to" in one]
    names = [name for part in parts for name in part]
    assert names == ["Start", "Test", "Look", "Gate", "Repair", "Data", "Subjects", "Extend"]


def test_the_landing_page_leads_to_every_kind_of_page() -> None:
    links = re.findall(r"\]\(([\w./-]+)", (DOCS / "index.md").read_text(encoding="utf-8"))
    assert {link.partition("/")[0] for link in links} >= {
        "tutorial", "how-to", "explanation", "reference", "decisions", "images",
    }  # fmt: skip


def test_every_page_is_built(place: Path) -> None:
    for page in (place / PAGES).rglob("*.md"):
        path = place / SITE / page.relative_to(place / PAGES)
        named = path.with_name("index" if path.stem == "README" else path.stem)
        assert named.with_name(f"{named.name}.html").is_file(), page


def test_pages_for_the_site_are_pages_everywhere() -> None:
    """No syntax of the generator in a page: no front matter, admonition or attribute list."""
    special = re.compile(r"\A---$|^(!!! |\?\?\? |=== \"|::: )|\{: |\{\{", re.MULTILINE)
    wrong = [path.name for path in DOCS.rglob("*.md") if special.search(_prose(path))]
    assert wrong == []


def _prose(path: Path) -> str:
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_pages_fit_the_screen_and_ask_nobody(
    place: Path, browser: Any, width: int, scheme: str
) -> None:
    for name in SHOWN:
        visit = Visit(browser, place / SITE / name, width, scheme)
        assert visit.complaints == []
        assert [url for url in visit.fetched if not url.startswith("file:")] == []
        wide = visit.page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, f"{name} is wider than a screen of {width} pixels"
        visit.page.wait_for_timeout(500)  # what fades in has its colours then
        assert visit.barriers() == []
        visit.page.close()


def test_a_wide_table_is_read_without_scrolling_sideways(place: Path, browser: Any) -> None:
    """On a narrow screen each cell stands under its neighbour, with the heading of its column."""
    visit = Visit(browser, place / SITE / "reference" / "configuration-subjects.html", 390)
    row = visit.page.locator("table").first.locator("tbody tr").nth(3)
    boxes = [cell.bounding_box() for cell in row.locator("td").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes)
    assert [box["y"] for box in boxes] == sorted({box["y"] for box in boxes})
    headings = "row => [...row.cells].map(cell => getComputedStyle(cell, '::before').content)"
    assert row.evaluate(headings) == ['"key"', '"type"', '"default"', '"meaning"']
    visit.page.close()
    wide = Visit(browser, place / SITE / "reference" / "configuration-subjects.html", 1280)
    cells = wide.page.locator("table").first.locator("tbody tr").nth(3).locator("td").all()
    assert len({cell.bounding_box()["y"] for cell in cells}) == 1
    wide.page.close()


def test_search_works_from_the_file_system_and_asks_nobody(place: Path, browser: Any) -> None:
    visit = Visit(browser, place / SITE / "index.html", 1280)
    visit.page.wait_for_load_state("networkidle")
    visit.page.locator(".md-search__button").click()
    visit.page.keyboard.type("covering")
    found = visit.page.get_by_text("Test a multi-label classifier with combinations of labels")
    found.last.wait_for(state="visible")
    assert visit.complaints == []
    found.last.click()
    visit.page.wait_for_url("**/how-to/combinations.html*")
    assert [url for url in visit.fetched if not url.startswith("file:")] == []
