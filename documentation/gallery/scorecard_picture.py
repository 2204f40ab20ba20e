"""The picture of the landing page: the scorecard of `snellen demo`, down to its first fault."""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image as Pillow

from snellen.exam.eye_chart import eye_chart
from snellen.exam.scorecard import FILE, Scorecard

PICTURE = Path("docs", "images", "scorecard.png")
WIDTH = 1000
COLOURS = 128


def write_scorecard_picture(exam: Path, path: Path) -> None:
    """Photograph a scorecard in Chromium. exam: the folder of the exam."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "scorecard.html"
        page.write_text(eye_chart(as_in_a_folder_of_its_own(exam), exam), encoding="utf-8")
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        view = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        view.goto(page.as_uri())
        low = view.locator(".chart figure").first.bounding_box()
        assert low is not None, "the scorecard shows no fault"
        tall = round(low["y"] + low["height"]) + 12
        shot = view.screenshot(
            full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": tall}
        )
        browser.close()
    picture = Pillow.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLOURS, dither=Pillow.Dither.NONE).save(path, optimize=True)


def as_in_a_folder_of_its_own(exam: Path) -> Scorecard:
    """The scorecard with the commands that it has where `snellen demo` writes by default."""
    card = Scorecard.model_validate_json((exam / FILE).read_text(encoding="utf-8"))
    rows = tuple(
        one.model_copy(update={"command": one.command.replace(exam.as_posix(), exam.name)})
        for one in card.rows
    )
    return card.model_copy(update={"rows": rows})
