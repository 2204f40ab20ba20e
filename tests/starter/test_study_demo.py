"""The demo's study: its annotations are of the starter pack's photographs, and they suffice."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

from snellen.configuration import parse
from snellen.starter.items import catalogue
from snellen.starter.study_demo import ANNOTATIONS, ITEM, demo_study
from snellen.study.design.scene_groups import check_places
from snellen.study.options import StudyOptions

KNOWN = json.loads(files("snellen.starter").joinpath(ANNOTATIONS).read_text(encoding="utf-8"))


def test_every_annotated_photograph_is_in_the_starter_pack() -> None:
    members = {one.target for one in catalogue()[ITEM].members}
    assert {f"images/{one['file_name']}" for one in KNOWN["images"]} <= members
    assert {one["image_id"] for one in KNOWN["annotations"]} == {
        one["id"] for one in KNOWN["images"]
    }
    for one in KNOWN["annotations"]:
        x, y, width, height = one["bbox"]
        assert 0 <= x < x + width <= 1280
        assert 0 <= y < y + height <= 720


def test_there_are_as_many_photographs_as_a_participant_sees() -> None:
    options = parse(StudyOptions, demo_study(Path("pack")), "demo")
    shown = options.batches_each * options.batch + sum(check_places(options).values())
    assert shown == len(KNOWN["images"])
    assert (options.qualification, len(options.tasks)) == (0, 1)
