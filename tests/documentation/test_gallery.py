"""The gallery shows findings of every method, each with what made it and whose picture it is."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image as Pillow

import snellen as sn
from documentation.gallery.exhibits import BDD100K, EXHIBITS, WORK, Exhibit
from documentation.gallery.page import IMAGES, gallery_page
from documentation.gallery.picture import LIMIT, WIDTH, write_small
from documentation.gallery.scorecard_picture import (
    PICTURE,
    as_in_a_folder_of_its_own,
    write_scorecard_picture,
)
from snellen.exam.scorecard import FILE, Scorecard, ScorecardRow
from snellen.methods.kind import METHODS
from tests.browsing import CHROMIUM
from tests.documentation.blocks import ROOT, words_of
from tests.documentation.command_check import problems

PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
PARTS = dict(part.split("\n", 1) for part in PAGE.split("\n## ")[1:])


def test_every_built_in_method_is_in_the_gallery() -> None:
    assert {one.method for one in EXHIBITS} == set(METHODS.builtin)


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda one: one.method)
def test_an_exhibit_has_a_picture_a_command_and_a_credit(exhibit: Exhibit) -> None:
    part = PARTS[exhibit.title]
    shown = re.findall(r"!\[[^\]]+\]\(images/gallery/([\w.-]+)\)", part)
    assert shown == [f"{exhibit.method}-{n + 1}.webp" for n in range(max(1, len(exhibit.shown)))]
    assert f"\n{exhibit.made_with}\n```" in part
    assert f"*{exhibit.credit}*" in part
    assert (ROOT / "docs" / "how-to" / exhibit.guide).is_file()


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda one: one.method)
def test_the_commands_of_an_exhibit_exist_and_their_files_are_complete(exhibit: Exhibit) -> None:
    for command in filter(None, (exhibit.before, exhibit.made_with)):
        assert problems(words_of(command)[1:], whole=True) == []
    words = words_of(exhibit.command)
    if words[0] == "run":
        values = yaml.safe_load((ROOT / words[1]).read_text(encoding="utf-8"))
        assert values["method"] == exhibit.method
        photographs = "driving" in str(values.get("scenes"))
    else:
        photographs = "--fusion" not in words
    assert photographs == (exhibit.credit == BDD100K), "whose photographs they are"


def test_pictures_are_small_and_all_of_them_are_shown() -> None:
    files = sorted((ROOT / IMAGES).iterdir())
    assert {one.name for one in files} == set(re.findall(r"images/gallery/([\w.-]+)", PAGE))
    for path in files:
        with Pillow.open(path) as picture:
            assert picture.width <= WIDTH
    sizes = [path.stat().st_size for path in (*files, ROOT / PICTURE)]
    assert max(sizes) < 150_000
    assert sum(sizes) < 1_200_000


def test_the_gallery_is_found_from_the_front_pages() -> None:
    assert "](gallery.md)" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert "](docs/gallery.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    for page in ("docs/gallery.md", "docs/index.md", "CONTRIBUTING.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert "`python -m documentation.gallery`" in text


def test_the_page_says_what_the_run_says_and_shows_what_it_found(tmp_path: Path) -> None:
    [exhibit] = [one for one in EXHIBITS if one.method == "combinations"]
    values = yaml.safe_load((ROOT / words_of(exhibit.command)[1]).read_text(encoding="utf-8"))
    run = sn.run({**values, "out": str(tmp_path / WORK / exhibit.out)})
    page = gallery_page([exhibit], tmp_path)
    assert run.summary.verdict.sentence in page
    for number, id in enumerate(exhibit.shown, start=1):
        [fault] = [one for one in run.faults if one.id == id]
        assert fault.says[1:] in page
        assert fault.finding.id in page
        assert (tmp_path / IMAGES / f"combinations-{number}.webp").stat().st_size > 10_000
    part = PARTS[exhibit.title]
    assert part.strip() in page, "what is published is what the run says today"
    with pytest.raises(KeyError):
        gallery_page([replace(exhibit, shown=("0",))], tmp_path)


def test_a_picture_is_made_to_fit(tmp_path: Path) -> None:
    noise = Pillow.effect_noise((2000, 1000), 30).convert("RGB")
    write_small(noise, tmp_path / "noise.webp")
    assert LIMIT / 4 < (tmp_path / "noise.webp").stat().st_size <= LIMIT
    with Pillow.open(tmp_path / "noise.webp") as small:
        assert small.size == (WIDTH, WIDTH // 2)


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    """The folder of an exam that found a fault in its second row."""
    folder = tmp_path / "elsewhere" / "demo"
    (folder / "insertion").mkdir(parents=True)
    Pillow.new("RGB", (640, 300), "red").save(folder / "insertion" / "worst.png")
    fine = ScorecardRow(property="fine", method="identity", value=1, low=0.9, high=1)
    faulty = ScorecardRow(
        property="faulty", method="insertion", value=0.5, low=0.4, high=0.6, status="failures",
        fault="A fault.", picture="insertion/worst.png",
        command=f"snellen explain {folder.as_posix()}/insertion 6cd7",
    )  # fmt: skip
    rows = (fine, faulty, *[fine] * 5)
    card = Scorecard(snellen_version="0", subject="a subject", scenes=1, seed=1, took=(), rows=rows)
    (folder / FILE).write_text(card.model_dump_json())
    return folder


def test_the_published_scorecard_has_the_commands_of_the_reader(exam: Path) -> None:
    card = as_in_a_folder_of_its_own(exam)
    assert [one.command for one in card.rows][1] == "snellen explain demo/insertion 6cd7"


def test_the_picture_of_a_scorecard_ends_below_its_first_fault(exam: Path) -> None:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; set SNELLEN_CHROMIUM to where it is")
    write_scorecard_picture(exam, exam / "card.png")
    with Pillow.open(exam / "card.png") as picture:
        assert picture.width == 1000
        found = picture.convert("RGB")
    middle = np.asarray(found)[:, 500].astype(int)
    red = np.flatnonzero((middle[:, 0] > 240) & (middle[:, 1:] < 20).all(axis=1))
    assert len(red) > 100, "the picture of the fault"
    assert found.height - 200 < red.max() < found.height
