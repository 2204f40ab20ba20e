"""A camera+LiDAR run on real frames: its findings as files, in the page, and asked again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.fusion.view import VIEW
from snellen.pages.solids.solid_case import SolidCase
from snellen.report.gate import gated
from snellen.report.replay import replay
from snellen.report.report import write_report
from snellen.report.summary import write_summary
from snellen.scenes.pictures import read_picture
from snellen.store.findings import Finding, finding_of, findings
from snellen.store.journal import journal_of
from tests.browsing import Visit, browser

__all__ = ["browser"]
FILES = {"before.png", "after.png", "overlay.png", "birds_eye.png", "cloud.npz", "recipe.json",
         "replay.txt"}  # fmt: skip


@pytest.fixture(scope="module")
def whole(shared: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run on a subject whose boxes shift; not to be written to."""
    root, folder = shared("kitti"), tmp_path_factory.mktemp("fusion")
    values = {
        "method": "fusion",
        "seed": 1,
        "subject": {"kind": "planted-3d", "fault": "shifts"},
        "scenes": {"kind": "kitti", "root": str(root), "limit": 2},
        "fusion": {"objects": 2, "tries": 2, "controls": 0.5},
        "engine": {"workers": 0, "cache": False},
        "out": "run",
    }
    run_campaign(campaign_from(values, folder / "snellen.yaml"))
    return folder / "run"


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of the finished run's folder."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


@pytest.fixture(scope="module")
def reported(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The finished run's folder with the report of two findings; not to be written to."""
    folder = Path(shutil.copytree(whole, tmp_path_factory.mktemp("reported") / "run"))
    write_report(folder, pictures=2)
    return folder


def found_in(folder: Path) -> list[Finding]:
    with closing(journal_of(folder)) as journal:
        return findings(journal)


def test_every_case_is_judged_again_as_it_was(folder: Path) -> None:
    with closing(journal_of(folder)) as journal:
        rows = journal.rows("SELECT id FROM cases ORDER BY role, id")
        cases = [finding_of(journal, id) for (id,) in rows]
    assert {one.role for one in cases} > {"test"}
    kinds = {event.kind for one in cases for event in one.events}
    assert {"lost", "appeared", "moved"} <= kinds
    failing = [one for one in cases if one.status == "failing"]
    controls = [one for one in cases if one.role != "test"]
    for one in [*failing[:2], *controls[:2]]:
        outcome = replay(folder, one.id)
        [again] = outcome.again
        assert (again.status, again.events) == (one.status, one.events)
        assert outcome.same_subject


def test_a_finding_is_a_folder_of_files_and_a_mended_subject_passes_it(
    folder: Path,
) -> None:
    write_report(folder, pictures=1)
    [place] = (folder / "findings").iterdir()
    assert {path.name for path in place.iterdir()} - {"explanation.json"} == FILES
    [finding] = [one for one in found_in(folder) if one.id == place.name]
    case = SolidCase.from_bytes((place / "cloud.npz").read_bytes())
    assert len(case.inserted) == len(finding.recipe["objects"])
    assert case.new.sum() == finding.measurements["visibility.points_added"]
    assert json.loads((place / "recipe.json").read_text())["label"]
    before, after = (read_picture(place / name) for name in ("before.png", "after.png"))
    assert before.shape == after.shape
    assert not np.array_equal(before, after)
    same = replay(folder, place.name[:6])
    assert (same.failing, same.same_pixels) == (1, True)
    mended = replay(folder, place.name, overrides=["subject.fault=none"])
    assert (mended.failing, mended.same_pixels, mended.same_subject) == (0, True, False)


def test_run_report_and_gate_write_the_same_summary(folder: Path) -> None:
    """A gate once dropped the average precision, which needs the cases rebuilt."""
    written = []
    for write in (write_report, gated, write_summary):
        write(folder)
        written.append((folder / "summary.json").read_text())
    assert written[0] == written[1] == written[2]
    assert json.loads(written[0])["own"]["precision"]["classes"]


def test_a_page_without_its_frames_still_shows_what_was_kept(
    reported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(reported, tmp_path / "run"))
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["own"]["errors"]["missing"]["3d"] > 0
    whole = (folder / "report.html").read_text()

    def gone(*_: Any) -> Any:
        raise AssertionError("rebuilt, though it was kept")

    monkeypatch.setattr("snellen.pages.solids.solid_card.rebuilt_case", gone)
    write_report(folder, pictures=2)
    again = (folder / "report.html").read_text()
    assert again == whole
    assert whole.count('class="cloud"') == 2
    assert len(whole) < 10_000_000
    config = folder / "config.yaml"
    config.write_text(config.read_text().replace("kind: kitti", "kind: coco"))
    write_report(folder, pictures=2)
    assert (folder / "report.html").read_text().count('class="cloud"') == 2


def test_two_dozen_findings_fit_into_ten_megabytes() -> None:
    assert VIEW.page_bytes * 4 / 3 < 9_700_000


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_is_silent_and_turns(width: int, browser: Any, reported: Path) -> None:
    visit = Visit(browser, reported / "report.html", width, "dark" if width == 390 else "light")
    page = visit.page
    assert page.evaluate("document.documentElement.scrollWidth") == width
    canvas = page.locator(".cloud canvas").first
    canvas.scroll_into_view_if_needed()
    page.locator(".cloud canvas[data-view]").first.wait_for()
    seen = [_shown(page)]
    canvas.focus()
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowUp", "+", "0"):
        page.keyboard.press(key)
        seen.append(_shown(page))
    assert seen[-1] == seen[0], "0 starts again"
    assert len({view for view, _ in seen}) == 5
    assert len({pixels for _, pixels in seen}) == 5
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 80, box["y"] + 80)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 100)
    page.mouse.up()
    assert _shown(page) != seen[0]
    far = float(_shown(page)[0].split()[2])
    page.mouse.wheel(0, -100)
    page.wait_for_timeout(150)
    assert float(_shown(page)[0].split()[2]) < far
    page.locator(".cloud [data-do=above]").first.click()
    assert float(_shown(page)[0].split()[1]) == pytest.approx(1.56, abs=0.01)
    page.locator(".cloud [data-do=reset]").first.click()
    assert _shown(page) == seen[0]
    assert visit.complaints == []
    assert [url for url in visit.fetched if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_without_a_script_the_picture_from_above_is_there(browser: Any, reported: Path) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto((reported / "report.html").resolve().as_uri())
    assert page.locator(".above").first.is_visible()
    assert not page.locator(".cloud").first.is_visible()
    page.close()


def _shown(page: Any) -> tuple[str, str]:
    """The view, and what is drawn."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    view, pixels = page.evaluate(
        "(() => { const c = document.querySelector('.cloud canvas');"
        " return [c.dataset.view, c.toDataURL()]; })()"
    )
    return str(view), str(pixels)
