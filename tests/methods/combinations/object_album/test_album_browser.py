"""The page in a real browser. Needs the package playwright and Chromium; skipped without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from snellen.cli.objects import app
from snellen.objects.library.library import Entry, Library
from snellen.objects.library.open_objects import open_objects
from tests.browsing import Visit

OBJECTS = {"kind": "synthetic", "count": 6}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the page of a library of which a perfect subject recognises all objects."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    made(tmp_path, OBJECTS)
    return tmp_path


def made(folder: Path, objects: dict[str, Any], *arguments: str) -> None:
    given = {"subject": {"kind": "planted", "task": "labels"}, "objects": objects}
    (folder / "c.yaml").write_text(yaml.safe_dump(given))
    called = ["validate", str(folder / "c.yaml"), "--out", str(folder / "page.html"), *arguments]
    result = CliRunner().invoke(app, called)
    assert result.exit_code == 0, result.output


def entries(library: Library) -> list[Entry]:
    return [one for label in library.labels() for one in library.entries(label)]


def downloaded(visit: Visit, folder: Path) -> dict[str, Any]:
    """The options of the objects, excluding those in the file saved from the page."""
    with visit.page.expect_download() as waiting:
        visit.page.click("#download")
    name = waiting.value.suggested_filename
    waiting.value.save_as(folder / name)
    return {**OBJECTS, "exclude": name}


def test_what_is_struck_out_on_the_page_is_gone_from_the_library(
    browser: Any,
    folder: Path,
) -> None:
    visit = Visit(browser, folder / "page.html", 1280)
    page = visit.page
    assert page.inner_text("#count") == "0 struck out"
    struck = []
    for place in (3, 8, 11):
        page.locator(".object").nth(place).click()
        struck.append(page.locator(".object").nth(place).get_attribute("data-line")[:16])
    page.locator(".object").nth(11).click()
    assert page.inner_text("#count") == "2 struck out"
    values = downloaded(visit, folder)
    whole, fewer = open_objects(OBJECTS, folder), open_objects(values, folder)
    gone = {one.id for one in entries(whole)} - {one.id for one in entries(fewer)}
    assert gone == set(struck[:2])
    assert visit.complaints == []
    assert [url for url in visit.fetched if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()

    made(folder, values, "--label", whole.labels()[-1])
    again = Visit(browser, folder / "page.html", 1280)
    assert again.page.inner_text("#count") == "2 struck out", "those of other labels too"
    again.page.locator(".object[aria-pressed=false]").first.click()
    more = open_objects(downloaded(again, folder), folder)
    assert len(entries(more)) == len(entries(whole)) - 3
    again.page.close()


def test_the_keyboard_is_enough(browser: Any, folder: Path) -> None:
    visit = Visit(browser, folder / "page.html", 1280)
    page = visit.page
    focused = "[...document.querySelectorAll('.object')].indexOf(document.activeElement)"
    page.locator(".object").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.evaluate(focused) == 1
    page.keyboard.press("ArrowDown")
    below = page.evaluate(focused)
    assert below > 1
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == 0
    pressed = [o.get_attribute("aria-pressed") for o in page.locator(".object").all()]
    assert [place for place, one in enumerate(pressed) if one == "true"] == [1, below]
    assert visit.complaints == []
    page.close()


def test_filters_counts_and_grounds_follow(browser: Any, folder: Path) -> None:
    visit = Visit(browser, folder / "page.html", 1280)
    page = visit.page
    total = page.locator(".object").count()
    page.locator(".object").nth(2).click()
    page.click("[data-show=struck]")
    assert page.locator(".object:visible").count() == 1
    assert page.locator("section:visible").count() == 1
    assert page.inner_text("[data-show=used]") == f"used {total - 1}"
    page.click("[data-show=rejected]")
    assert page.locator("#nothing").is_visible()
    page.click("[data-show=all]")
    assert page.locator(".object:visible").count() == total
    page.select_option("#ground", "black")
    ground = "getComputedStyle(document.querySelector('.ground')).backgroundColor"
    assert page.evaluate(ground) == "rgb(0, 0, 0)"
    page.select_option("#jump", index=3)
    assert page.locator("section").nth(2).locator("h2").is_visible()
    page.click("#copy")
    visit.wait_until("document.getElementById('copy').textContent === 'Copied'")
    line = page.locator(".object").nth(2).get_attribute("data-line")
    assert line in page.input_value("#text").splitlines()
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_shows_every_picture_and_keeps_no_one_out(
    width: int,
    scheme: str,
    browser: Any,
    folder: Path,
) -> None:
    visit = Visit(browser, folder / "page.html", width, scheme)
    assert visit.page.evaluate("document.documentElement.scrollWidth") == width
    broken = "[...document.images].filter((i) => i.complete && !i.naturalWidth).length"
    assert visit.page.evaluate(broken) == 0
    assert visit.page.locator(".object img").first.evaluate("(i) => i.naturalWidth") > 0
    visit.page.locator(".object").first.click()
    assert visit.barriers() == [], "also with an object struck out"
    assert visit.unreachable() == []
    assert visit.complaints == []
    assert visit.sent_outside() == []
    visit.page.close()
