"""Libraries of photographs: COCO with its masks, and driving scenes with a detector's boxes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.open_objects import open_objects
from snellen.objects.library.prune_rules import counts
from snellen.scenes.registry import open_scenes
from snellen.starter.fetch import fetch
from snellen.subjects.registry import open_subject

Shared = Callable[[str], Path]
COCO = {"kind": "coco", "annotations": "instances_train2017.json", "images": "images"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def test_every_object_of_coco_is_kept_or_pruned_for_a_reason(shared: Shared) -> None:
    folder = shared("coco_train128")
    library = open_objects({**COCO, "limit": 24}, folder)
    scenes = open_scenes({**COCO, "limit": 24}, folder)
    wanted = sum(int((~s.annotations.crowd).sum()) for s in scenes if s.annotations is not None)
    kept, gone = counts(library.records())
    assert sum(kept.values()) + sum(gone.values()) == wanted
    # More than half are small, blurred or cut by the border; the rules then leave 24 of 209.
    assert 0.1 * wanted < sum(kept.values()) < 0.2 * wanted
    assert "relaxed" not in library.facts(), "enough are good"
    assert {"touches the border", "occluded", "smaller than the shortest side"} <= set(gone)
    _check_cutouts(library)


def _check_cutouts(library: FolderLibrary) -> None:
    for label in library.labels():
        for entry in library.entries(label):
            alpha = library.cutout(entry.id).pixels[..., 3]
            assert alpha.any(axis=0).all() or alpha.any(axis=1).all()
            assert alpha[0].any(), "cropped to where it is seen"
            assert alpha[-1].any()
            assert len(np.unique(alpha)) > 5, "a soft edge"
            assert entry.area == (alpha >= 128).sum()
            assert entry.origin.endswith(".jpg") or entry.origin


def test_as_published_keeps_the_largest_tenth_of_coco(shared: Shared) -> None:
    folder = shared("coco_train128")
    library = open_objects({**COCO, "limit": 24, "prune": "published"}, folder)
    records = library.records()
    persons = sorted((r.entry.area for r in records if r.entry.label == "person"), reverse=True)
    stay = len(persons) - int(0.9 * len(persons))
    assert len(persons) >= 6
    kept = sorted((entry.area for entry in library.entries("person")), reverse=True)
    assert kept == persons[:stay]


@pytest.fixture(scope="session")
def starter() -> dict[str, Path]:
    """From the user's cache, which other tests fill too."""
    try:
        return fetch(["yolov4-tiny", "driving"])
    except UserError as error:
        pytest.skip(f"the starter pack cannot be fetched: {error}")


def test_cars_are_cut_out_of_driving_scenes_by_their_boxes(
    starter: dict[str, Path], tmp_path: Path
) -> None:
    model, photographs = starter["yolov4-tiny"], starter["driving"]
    subject = open_subject(
        {
            "kind": "darknet",
            "cfg": str(model / "yolov4-tiny.cfg"),
            "weights": str(model / "yolov4-tiny.weights"),
            "names": str(model / "coco.names"),
            "score": 0.4,
        },
        tmp_path,
    )
    scenes = {"kind": "folder", "path": str(photographs / "images" / "train"), "limit": 5}
    library = open_objects(scenes, tmp_path, subject)
    cars = [record for record in library.records() if record.entry.label == "car"]
    kept = [record for record in cars if not record.why]
    assert len(kept) >= 4
    assert all((record.quality.recognised or 0) >= 0.5 for record in kept)
    assert all(0.4 < record.quality.filled < 0.92 for record in kept)
    assert all(record.quality.fragments == 1 for record in kept)
    # A car is widest at its middle; road or shadow segmented by GrabCut alone is not.
    for record in kept:
        rows = (library.cutout(record.entry.id).pixels[..., 3] >= 128).sum(axis=1)
        third = len(rows) // 3
        assert rows[third:-third].mean() > 0.75 * record.entry.width


def test_cut_outs_by_a_segmenter_agree_with_its_boxes(shared: Shared) -> None:
    model = shared("segmenters/yolov8n-seg_int8.tflite")
    pytest.importorskip("ai_edge_litert")
    folder = shared("coco_train128")
    subject = open_subject({"kind": "tflite", "model": str(model), "score": 0.4}, folder)
    values = {"kind": "folder", "path": "images", "limit": 6, "prune": "none"}
    library = open_objects(values, folder, subject)
    assert library.facts()["cut"] == "subject"
    records = [record for record in library.records() if record.quality.fragments == 1]
    assert len(records) >= 5
    assert np.median([record.quality.fit for record in records]) > 0.8
