"""The points that a page carries: bounded, near what happened, and decoded as they were."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.pages.embedded_pictures import Album
from snellen.pages.solids.drawn_space import DrawnSpace
from snellen.pages.solids.point_cloud import FEWEST, MOST, chosen, cloud_of, space
from snellen.pages.solids.solid_case import SolidCase
from snellen.pages.solids.solid_marks import SolidMark
from tests.pages.solids.solid_findings import CAR, NEW, solid_case

MARKS = (SolidMark("lost", CAR, "lost Car", dashed=True), SolidMark("inserted", NEW, "sedan"))


@given(st.integers(0, 4000), st.integers(0, 6000))
def test_there_are_never_too_many_points_and_none_twice(count: int, most: int) -> None:
    case = solid_case(count=count)
    rows = chosen(case, MARKS, most)
    assert len(rows) <= most
    assert len(np.unique(rows)) == len(rows)
    assert len(rows) == min(most, len(case.points)) or len(rows) >= most // 2
    new = case.new[rows]
    assert not (new[:-1] & ~new[1:]).any(), "new returns come last"


def test_points_near_what_happened_come_before_those_far_away() -> None:
    case = solid_case(count=20_000)
    rows = chosen(case, MARKS, 3000)
    apart = np.min([np.hypot(*(case.points[:, :2] - mark.box[:2]).T) for mark in MARKS], axis=0)
    near = apart < 12
    assert near[rows].sum() / near.sum() > 2 * (~near)[rows].sum() / (~near).sum()
    assert case.new[rows].sum() == case.new.sum()


def test_few_points_are_all_there() -> None:
    case = solid_case(count=500)
    assert sorted(chosen(case, MARKS, MOST).tolist()) == list(range(len(case.points)))


def test_the_page_has_the_points_to_the_centimetre_and_the_boxes() -> None:
    case = solid_case(count=300)
    cloud = cloud_of(DrawnSpace(case, MARKS), 1_000_000)
    markup = space(cloud, "ab12", Album())
    [text] = re.findall('data-points="([^"]*)"', markup)
    [new] = re.findall('data-new="([^"]*)"', markup)
    [boxes] = re.findall('data-boxes="([^"]*)"', markup)
    points = np.frombuffer(base64.b64decode(text), "<i2").reshape(-1, 3) / 100
    assert np.abs(points - case.points).max() < 0.0051
    assert int(new) == case.new.sum()
    read = json.loads(boxes.replace("&quot;", '"'))
    assert [(one["kind"], one["dashed"]) for one in read] == [("lost", True), ("inserted", False)]
    assert np.allclose(np.mean(read[0]["ends"], axis=0), CAR[:3])


def test_names_in_boxes_are_escaped() -> None:
    evil = (SolidMark("lost", CAR, '"><script>alert(1)</script>'),)
    markup = space(cloud_of(DrawnSpace(solid_case(), evil), 0), "ab12", Album())
    assert "<script" not in markup


def test_a_small_card_has_fewer_points() -> None:
    case = solid_case(count=30_000)
    sizes = [len(cloud_of(DrawnSpace(case, MARKS), limit).steps) for limit in (0, 200_000, 10**7)]
    assert sizes[0] == FEWEST
    assert sizes[0] < sizes[1] < sizes[2] == MOST


def test_no_points_are_no_trouble() -> None:
    bare = solid_case()
    none = SolidCase(bare.points[:0], bare.new[:0], bare.labelled, bare.inserted,
                     bare.inserted_image)  # fmt: skip
    assert len(cloud_of(DrawnSpace(none, MARKS), 10**6).steps) == 0
