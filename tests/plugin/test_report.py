"""The report of the plug-in's method: page, marks, terminal and JUnit file."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from snellen.api import Detections, Image
from snellen.methods.kind import view_of
from snellen.pages.focus import focus
from snellen.pages.marks import Mark, Sides, sides
from snellen.pages.pair_picture import COLOURS, GAP, LINE, PANEL, draw_pair
from snellen.report.picture_source import answered
from snellen.report.report import write_report
from snellen.report.terminal import print_summary
from snellen.scenes.pictures import read_picture
from snellen.store.findings import EventRow, findings
from snellen.store.journal import journal_of
from tests.plugin.conftest import Made
from tests.report.test_page import parsed
from tests.store.test_findings import event, finding

LOST = re.compile(r'class="mark lost[^"]*" style="left:([\d.]+)%;top:([\d.]+)%;width:([\d.]+)%')
SIZE = (100, 200)
"""Height and width of a scene."""
ONE = (10.0, 20.0, 30.0, 40.0)
ONE_MIRRORED = (170.0, 20.0, 190.0, 40.0)


def seen(box: tuple[float, float, float, float]) -> Detections:
    found = np.array([box], np.float32)
    return Detections(found, np.zeros(1, np.int64), np.full(1, 0.9, np.float32))


def mirrored(
    *events: EventRow, before: Detections | None = None, after: Detections | None = None
) -> Sides:
    one = finding("f", "s", *events, recipe={"kind": "mirror", "window": None})
    none = Detections.empty()
    return sides(one, before or none, after or none, ("cat",), 0.5, size=SIZE)


def test_a_lost_object_is_marked_where_it_should_be_after() -> None:
    found = mirrored(event("lost", box=ONE), before=seen(ONE))
    assert found.before == (Mark("lost", ONE, "cat 0.90"),)
    assert found.after == (Mark("lost", ONE_MIRRORED, "lost cat", dashed=True),)


def test_a_moved_object_was_expected_at_the_mirrored_place() -> None:
    there = seen((175, 20, 195, 40))
    old = seen(ONE)
    found = mirrored(event("moved", after=0, box=ONE), before=old, after=there)
    assert [(mark.box, mark.dashed) for mark in found.after] == [
        (ONE_MIRRORED, True),
        ((175.0, 20.0, 195.0, 40.0), False),
    ]


def test_a_phantom_is_marked_where_it_was_found_and_the_whole_scene_is_shown() -> None:
    there = seen(ONE)
    found = mirrored(event("appeared", before=None, after=0, box=ONE), after=there)
    assert found.before == ()
    assert [mark.box for mark in found.after] == [ONE]
    assert focus(found, SIZE) == (0, 0, 200, 100)


def coloured(picture: Image, kind: str) -> tuple[float, float]:
    """The leftmost and rightmost column with the colour of a kind of mark, as shares of a width."""
    columns = np.flatnonzero((picture == COLOURS[kind]).all(axis=2).any(axis=0))
    return columns[0] / picture.shape[1], columns[-1] / picture.shape[1]


def test_the_overlay_has_its_marks_at_mirrored_pixels() -> None:
    found = mirrored(event("lost", box=ONE), before=seen(ONE))
    blank = np.full((*SIZE, 3), 200, np.uint8)
    sheet = draw_pair(blank, blank, found, [])
    rows = sheet[LINE + round(0.25 * PANEL / 2) : LINE + round(0.38 * PANEL / 2)]  # below the words
    before, after = rows[:, GAP : GAP + PANEL], rows[:, 2 * GAP + PANEL : 2 * GAP + 2 * PANEL]
    assert coloured(before, "lost") == pytest.approx((10 / 200, 30 / 200), abs=0.01)
    assert coloured(after, "lost") == pytest.approx((170 / 200, 190 / 200), abs=0.01)


def test_marks_of_a_run_frame_the_objects_of_both_pictures(kept_run: Made) -> None:
    """Inside every mark there is an object, which generated scenes draw in saturated colours."""
    run = kept_run("one-eyed")
    looked = 0
    with closing(journal_of(run)) as journal:
        for one in findings(journal):
            place = run / "findings" / one.id
            pictures = [read_picture(place / name) for name in ("before.png", "after.png")]
            shown = answered(journal, one, view_of("mirror"))
            marked = sides(one, *shown.said, shown.classes, shown.score, size=pictures[0].shape[:2])
            for picture, marks in zip(pictures, (marked.before, marked.after), strict=True):
                for mark in marks:
                    x1, y1, x2, y2 = np.round(mark.box).astype(int)
                    middle = picture[(y1 + y2) // 2, (x1 + x2) // 2].astype(int)
                    assert np.ptp(middle) > 100, f"{one.id}: no object at {mark}"
                    looked += 1
    assert looked > 10


def test_the_page_has_its_section_style_and_requirement(kept_run: Made) -> None:
    page = (kept_run("one-eyed") / "report.html").read_text()
    ids = parsed(page).ids
    assert {"halves", "requirements", "findings", "controls"} <= set(ids)
    assert ids.index("halves") < ids.index("findings")
    assert ".mirror-half {" in page, "its style is in the page"
    for words in ("mirrored scenes", "at most 10% of mirrored scenes break", "Left and right",
                  "worst object holds when mirrored alone"):  # fmt: skip
        assert words in page


def test_marks_on_the_page_mirror_one_another(kept_run: Made) -> None:
    page = (kept_run("one-eyed") / "report.html").read_text()
    cards = re.findall(r"<article.*?</article>", page, flags=re.DOTALL)
    compared = 0
    for card in cards:
        before, after = card.split('class="shot after"')
        old, new = (
            sorted((float(top), float(left), float(wide)) for left, top, wide in LOST.findall(side))
            for side in (before, after)
        )
        for (top, left, wide), (new_top, new_left, new_wide) in zip(old, new, strict=True):
            assert (new_top, new_wide) == pytest.approx((top, wide), abs=0.01)
            assert new_left == pytest.approx(100 - left - wide, abs=0.01)
            compared += 1
    assert compared > 3


def test_the_terminal_has_its_rows(kept_run: Made, capsys: pytest.CaptureFixture[str]) -> None:
    run = kept_run("one-eyed")
    print_summary(write_report(run), run)
    told = " ".join(capsys.readouterr().out.split())
    for words in ("of 16 mirrored scenes", "violated at most 10% of mirrored scenes break",
                  "left half 0 of", "right half", "causes 0 scenes by an object"):  # fmt: skip
        assert words in told


@pytest.mark.parametrize(
    ("name", "tag", "requirement"),
    [
        ("one-eyed", "failure", "at most 10% of mirrored scenes break"),
        ("perfect", None, "at most 25% of mirrored scenes break"),
        ("few", "skipped", "at most 10% of mirrored scenes break"),
    ],
)
def test_its_requirement_is_a_test_case(
    name: str, tag: str | None, requirement: str, kept_run: Made
) -> None:
    suite = ElementTree.parse(kept_run(name) / "junit.xml").getroot()[0]
    [case] = suite.findall("testcase")
    assert case.get("name") == requirement
    assert case.get("classname") == "snellen.mirror"
    assert [child.tag for child in case] == ([] if tag is None else [tag])


def test_the_folder_of_a_finding_replays_it(kept_run: Made) -> None:
    run: Path = kept_run("one-eyed")
    folder = sorted((run / "findings").iterdir())[0]
    assert json.loads((folder / "recipe.json").read_text())["recipe"]["kind"] == "mirror"
    before, after = (read_picture(folder / name) for name in ("before.png", "after.png"))
    assert np.array_equal(after, before[:, ::-1])
