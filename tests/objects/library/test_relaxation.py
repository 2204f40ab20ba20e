"""Where few objects pass the rules, the softest are relaxed in their order, and it is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.objects.cutouts.recognition import NOT_RECOGNISED
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library import Entry, origin_facts
from snellen.objects.library.library_builder import CutPlan, build_library
from snellen.objects.library.object_record import CutoutQuality, ObjectRecord
from snellen.objects.library.prune_rules import CUT_OFF, LITTLE_DETAIL, OCCLUDED, PruneOptions
from snellen.objects.library.relaxation import SOFT, relax
from tests.objects.pictures import disc, scene_of, set_of

QUALITY = CutoutQuality(False, 1, 0.0, 0.0, 1.0, 0.7, 0.5, 1.0)


def record(number: int, why: str) -> ObjectRecord:
    entry = Entry(f"{number}", "car", 30, 30, 900, 0)
    return ObjectRecord(entry, QUALITY, "masks", why, "" if why == "blurred" else "file.png")


@given(st.lists(st.sampled_from(["", "blurred", *SOFT])), st.integers(0, 12))
def test_rules_are_relaxed_one_after_another_and_only_as_far_as_needed(
    reasons: list[str], enough: int
) -> None:
    after, taken = relax([record(n, why) for n, why in enumerate(reasons)], enough)
    for before, one in zip(reasons, after, strict=True):
        assert one.why == ("" if before in taken else before)
    kept = sum(not one.why for one in after)
    assert sum(taken.values()) == kept - reasons.count("")
    rest = [why for why in SOFT if why in reasons and why not in taken]
    assert kept >= enough or not rest, "all was tried"
    if taken:
        last = list(taken)[-1]
        assert kept - taken[last] < enough, "not further than needed"
        assert all(SOFT.index(why) > SOFT.index(last) for why in rest)
    assert "blurred" not in taken


def test_the_order_is_the_one_that_the_manual_states() -> None:
    assert SOFT == (NOT_RECOGNISED, OCCLUDED, CUT_OFF, LITTLE_DETAIL)


@pytest.mark.parametrize(("enough", "kept"), [(1, 1), (2, 2)])
def test_a_small_library_keeps_an_occluded_object_and_says_so(
    tmp_path: Path, enough: int, kept: int
) -> None:
    size = (90, 120)
    behind, front = disc(size, (40, 40), 25), disc(size, (70, 60), 25)
    scene = scene_of([behind & ~front, front], [0, 0])
    plan = CutPlan("masks", PruneOptions(enough=enough))
    records = build_library(set_of(scene, classes=("ball",)), plan, tmp_path / "lib")
    assert sum(not one.why for one in records) == kept
    library = FolderLibrary(tmp_path / "lib")
    facts = origin_facts(library)
    assert facts == ({} if kept == 1 else {"relaxed": {OCCLUDED: 1}})
    files = {one.name for one in (tmp_path / "lib").rglob("*.png")}
    assert files == {f"{entry.id}.png" for entry in library.entries("ball")}
