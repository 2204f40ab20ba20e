"""The page as text: well formed, closed in itself, and safe whatever names it shows."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml

from snellen.methods.inserted_objects import InsertedNumbers, inserted_section
from snellen.pages.embedded_pictures import embedded
from snellen.pages.finding_pictures import AnsweredFinding
from snellen.pages.markup import VOID, joined, tag
from snellen.pages.page_section import PageSection, Place
from snellen.pages.pair_card import PairPictures
from snellen.pages.plots import ceiling, ticks
from snellen.report.document import Facts, document
from snellen.report.report import fitting, write_report
from snellen.scenes.pictures import read_picture
from snellen.vision.detections import Detections
from tests.store.test_findings import event, finding
from tests.summaries import made_summary

EVIL = '<script>alert("1")</script>\'"&'


class Balance(HTMLParser):
    """Checks that every element is closed in order, and gathers what leads elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.elements: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "action", "data"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")
            assert not name.startswith("on"), "no script in attributes"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(page: str) -> Balance:
    balance = Balance()
    balance.feed(page)
    balance.close()
    assert balance.open == []
    assert len(balance.ids) == len(set(balance.ids))
    return balance


@pytest.mark.parametrize("name", ["insertion", "identity", "labels", "combinations", "fine"])
def test_the_page_is_whole_and_needs_no_network(name: str, reported: Any) -> None:
    folder = reported(name)
    page = (folder / "report.html").read_text()
    found = parsed(page)
    for address in found.addresses:
        there = address[1:] in found.ids if address[0] == "#" else (folder / address).exists()
        assert there, "links lead to files of the run folder, or to parts of the page"
    bare = re.sub(r"data:image/jpeg;base64,[\w+/=]+", "", page)
    assert "http:" not in bare
    assert "https:" not in bare
    assert "url(" not in bare.replace("url()", "")
    assert "@import" not in bare
    assert len(page) < 6_000_000


def test_parts_that_do_not_apply_are_absent(reported: Any) -> None:
    pages = {}
    for name in ("insertion", "identity", "fine"):
        pages[name] = set(parsed((reported(name) / "report.html").read_text()).ids)
    everything = {"findings", "events", "distance", "controls", "objects", "again"}
    assert everything <= pages["insertion"]
    assert pages["identity"] & {*everything, "trouble"} == {"findings", "events", "again"}
    assert pages["fine"] & {*everything, "trouble"} == {"again"}


def evil_page(tmp_path: Path) -> str:
    grey = np.full((60, 80, 3), 128, np.uint8)
    one = finding("0123", EVIL, event(name=EVIL))
    seen = Detections(np.array([[1, 1, 9, 9]], np.float32), np.array([0]), np.array([0.9]))
    answered = AnsweredFinding(one, (seen, seen), (EVIL,), 0.5, (EVIL,))
    card = PairPictures(grey, grey, EVIL).drawn(answered).card(100_000)
    rate = {"value": 0.5, "low": 0.1, "high": 0.9, "confidence": 0.95, "method": EVIL}
    missed = {"cases": 1, "missed": 1}
    summary = made_summary(
        subject={"name": EVIL, "task": "detection", "score": 0.5, "fingerprint": EVIL,
                 "deterministic": True},
        failure_rate=rate,
        difference=rate,
        control={"cases": 1, "failing": 0, "rate": rate},
        controls={EVIL: {"cases": 1, "failing": 0, "rate": rate, "difference": rate}},
        by_class={EVIL: {"lost": 1}},
        errors=[{"stage": "s", "kind": EVIL, "message": EVIL, "count": 1, "example": EVIL}],
        own={"inserted": {**missed, "rate": rate, "objects": {EVIL: {**missed, "failing": 0}}}},
    )  # fmt: skip
    objects = inserted_section(InsertedNumbers.read(summary.own), {EVIL: EVIL})
    folder = tmp_path / "</style><script>alert(2)</script>"
    config = yaml.safe_dump({"subject": {"token": "hush"}, "scenes": EVIL})
    facts = Facts(summary, folder, 0.0, [[EVIL, EVIL]], config, 1)
    return document(facts, [card], [PageSection(Place.AFTER_CONTROLS, objects)])


def test_names_are_shown_and_never_run(tmp_path: Path) -> None:
    page = evil_page(tmp_path)
    assert parsed(page).elements.count("script") == 1, "only our own"
    assert "&lt;script&gt;alert(&quot;1&quot;)" in page
    assert "hush" not in page, "what sounds secret is not shown"


def test_no_other_script_is_allowed_to_run(tmp_path: Path) -> None:
    page = evil_page(tmp_path)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    told = policy[1].replace("&#x27;", "'")
    assert "default-src 'none'" in told
    assert re.search(r"script-src 'sha256-[\w+/=]+'$", told)


def test_text_is_escaped_unless_it_is_markup() -> None:
    assert joined("<b>", tag("i", "&"), None, [1, "<"]) == "&lt;b&gt;<i>&amp;</i>1&lt;"
    assert tag("a", href='"x"', hidden=False) == '<a href="&quot;x&quot;"></a>'


def decoded(jpeg: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))[..., ::-1]


def test_scene_and_patch_give_the_case_again() -> None:
    rng = np.random.default_rng(1)
    coarse = rng.integers(0, 255, (12, 16, 3), dtype=np.uint8)
    before = cv2.resize(coarse, (320, 240), interpolation=cv2.INTER_LINEAR)
    after = before.copy()
    after[100:140, 200:260] = (250, 20, 20)
    found = embedded(before, after, 100_000)
    assert found.patch is not None
    x1, y1, x2, y2 = (
        round(share * side) for share, side in zip(found.part, (320, 240) * 2, strict=True)
    )
    assert (x1, y1, x2, y2) == (198, 98, 262, 142), "what differs and two pixels around it"
    rebuilt = decoded(found.scene).copy()
    rebuilt[y1:y2, x1:x2] = decoded(found.patch)
    assert np.abs(rebuilt.astype(int) - after).mean() < 4
    assert embedded(before, before, 100_000).patch is None


def test_pictures_shrink_until_they_fit() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    large, small = (embedded(noise, noise, limit) for limit in (10**7, 120_000))
    assert decoded(large.scene).shape == (720, 1280, 3)
    assert small.size <= 120_000


def test_a_page_does_not_grow_beyond_its_limit() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    seen = Detections.empty()
    answered = AnsweredFinding(finding("0", "s", event()), (seen, seen), ("cat",), 0.5)
    shown = PairPictures(noise, noise).drawn(answered)
    cards = [shown.card(1000) for _ in range(5)]
    size = cards[0].pictures.size
    assert [len(fitting(cards, limit)) for limit in (0, 2 * size, 9 * size)] == [0, 2, 5]


def test_pictures_in_the_page_are_those_of_the_finding(run_folder: Any) -> None:
    folder = run_folder("insertion")
    write_report(folder, pictures=1)
    page = (folder / "report.html").read_text()
    pictures = [base64.b64decode(one) for one in re.findall(r"base64,([\w+/=]+)", page)]
    [place] = (folder / "findings").iterdir()
    scene = read_picture(place / "before.png")
    assert len(pictures) == 2, "the scene and the part that differs"
    assert np.abs(decoded(pictures[0]).astype(int) - scene).mean() < 6


@pytest.mark.parametrize("highest", [0.0, 0.004, 0.03, 0.2, 0.43, 0.99, 1.0])
def test_axes_reach_the_highest_value(highest: float) -> None:
    top = ceiling(highest)
    assert highest <= top <= max(0.01, 2 * highest + 0.01)
    assert ticks(top)[-1] == pytest.approx(top)
    assert 2 <= len(ticks(top)) <= 7
