from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.configuration import parse
from snellen.errors import UserError
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.cutouts.scene_cutouts import NO_QUALITY, Piece
from snellen.objects.library.library import Entry, entry_of
from snellen.objects.library.object_record import CutoutQuality, ObjectRecord
from snellen.objects.library.open_objects import checked_objects
from snellen.objects.library.prune_rules import (
    DUPLICATE,
    NOT_CUT,
    NOT_LARGEST,
    OVER_LIMIT,
    PruneOptions,
    counts,
    prune_reason,
    pruned,
)

GOOD = CutoutQuality(False, 1, 0.0, 0.0, 1.0, 0.7, 0.2, 0.9)


def record(number: int, area: int, label: str = "car", why: str = "") -> ObjectRecord:
    return ObjectRecord(Entry(f"{label}-{number}", label, 9, 9, area, 0), GOOD, "masks", why)


def kept_areas(count: int, options: PruneOptions, limit: int | None = None) -> list[int]:
    areas = np.random.default_rng(0).permutation(count).tolist()
    after = pruned([record(n, area) for n, area in enumerate(areas)], options, limit)
    assert [one.entry.area for one in after] == areas, "order and number stay"
    return sorted(one.entry.area for one in after if not one.why)


@pytest.mark.parametrize(
    ("count", "stay"),
    [(1, 1), (5, 5), (6, 1), (9, 1), (10, 1), (11, 2), (19, 2), (20, 2), (21, 3), (100, 10)],
)
def test_as_published_the_smallest_nine_tenths_go_but_few_are_kept_whole(
    count: int, stay: int
) -> None:
    """The published rule drops int(0.9 * n) of n objects where n is 6 or more."""
    assert stay == (count if count < 6 else count - int(0.9 * count))
    areas = kept_areas(count, PruneOptions(by="published"))
    assert areas == list(range(count - stay, count))


def test_labels_are_pruned_separately() -> None:
    records = [record(n, n, "car") for n in range(10)] + [record(n, n, "bus") for n in range(5)]
    kept, gone = counts(pruned(records, PruneOptions(by="published"), None))
    assert kept == {"bus": 5, "car": 1}
    assert gone == {NOT_LARGEST: 9}


def test_by_quality_all_that_are_good_stay_unless_a_share_is_asked_for() -> None:
    assert len(kept_areas(30, PruneOptions())) == 30
    assert kept_areas(30, PruneOptions(largest=0.1)) == [27, 28, 29]
    assert kept_areas(30, PruneOptions(), limit=2) == [28, 29]


def test_what_quality_pruned_does_not_count_towards_the_share() -> None:
    records = [record(n, 100 + n, why="blurred") for n in range(20)]
    records += [record(20 + n, n) for n in range(10)]
    after = pruned(records, PruneOptions(largest=0.1), None)
    assert [one.entry.area for one in after if not one.why] == [9]


def test_numbers_add_up() -> None:
    records = [record(n % 17, n % 17) for n in range(34)]
    kept, gone = counts(pruned(records, PruneOptions(largest=0.5), 5))
    assert gone[DUPLICATE] == 17
    assert gone[OVER_LIMIT] == 17 - 8 - 5
    assert sum(kept.values()) + sum(gone.values()) == 34


def piece(size: tuple[int, int] = (80, 90), **quality: object) -> Piece:
    pixels = np.random.default_rng(0).integers(0, 256, (*size, 4)).astype(np.uint8)
    pixels[..., 3] = 255
    cutout = Cutout("car", pixels)
    return Piece(entry_of(cutout), replace(GOOD, **quality), cutout, (0, 0, size[1], size[0]))  # type: ignore[arg-type]


FAULTS = [
    ({}, "masks", ""),
    ({"touches_border": True}, "masks", "touches the border"),
    ({"fragments": 2}, "masks", "in fragments"),
    ({"holes": 0.2}, "masks", "has holes"),
    ({"occluded": 0.2}, "masks", "occluded"),
    ({"sharpness": 0.01}, "masks", "blurred"),
    ({"filled": 0.1}, "masks", ""),
    ({"filled": 0.1}, "boxes", "fills too little or too much of its box"),
    ({"filled": 0.99}, "boxes", "fills too little or too much of its box"),
    ({"contrast": 0.01}, "boxes", "edge without contrast"),
    ({"fit": 0.4}, "boxes", "does not reach the sides of its box"),
    ({"size": (10, 50)}, "masks", "smaller than the shortest side"),
]


@pytest.mark.parametrize(("quality", "cut", "why"), FAULTS)
def test_each_fault_is_named(quality: dict[str, object], cut: str, why: str) -> None:
    assert prune_reason(piece(**quality), PruneOptions(), cut) == why  # type: ignore[arg-type]
    for other in ("published", "none"):
        assert prune_reason(piece(**quality), parse(PruneOptions, {"by": other}, "x"), cut) == ""  # type: ignore[arg-type]


def test_what_was_not_cut_is_never_kept() -> None:
    nothing = Piece(Entry("", "car", 9, 9, 0, 0), NO_QUALITY, None, (0, 0, 9, 9))
    assert prune_reason(nothing, PruneOptions(by="none"), "masks") == NOT_CUT


def test_a_word_is_enough_and_a_wrong_one_is_named() -> None:
    assert PruneOptions.model_validate("published").share() == 0.1
    assert PruneOptions.model_validate("quality").share() == 1.0
    with pytest.raises(UserError, match=r"objects\.prune"):
        checked_objects({"kind": "folder", "path": "x", "prune": "biggest"}, "c.yaml: objects")
