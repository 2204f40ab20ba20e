from __future__ import annotations

import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from snellen.errors import UserError
from snellen.objects.library.library_index import INDEX
from snellen.objects.library.open_objects import checked_objects, open_objects
from snellen.subjects.planted.adapter import PlantedOptions, open_planted
from snellen.subjects.subject import Task
from tests.scenes.samples import write_image

SCENES = {"kind": "synthetic", "count": 4}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "objects"


def folders(cache: Path) -> list[Path]:
    return sorted(path for path in cache.iterdir() if path.is_dir())


def test_defaults_are_filled_in_and_stay_when_checked_again() -> None:
    once = checked_objects(SCENES, "objects")
    assert once["cut"] == "auto"
    assert once["prune"]["by"] == "quality"
    assert once["objects"] == [2, 5], "the scenes' own options are there too"
    assert checked_objects(once, "objects") == once
    library = checked_objects({"kind": "library", "path": "objects"}, "objects")
    assert library == {"kind": "library", "path": "objects"}


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({}, r"c\.yaml: objects\.kind: found None"),
    ({"kind": "librray", "path": "x"}, r"did you mean 'library'"),
    ({"kind": "library"}, r"objects\.path: missing"),
    ({**SCENES, "cut": "scissors"}, r"objects\.cut: found 'scissors'"),
    ({**SCENES, "prune": {"blurr": 1}}, r"objects\.prune\.blurr: unknown key"),
    ({**SCENES, "limit_per_label": 0}, r"objects\.limit_per_label"),
    ({**SCENES, "cuont": 3}, r"objects\.cuont: unknown key; did you mean 'count'"),
]


@pytest.mark.parametrize(("values", "message"), MISTAKES)
def test_a_mistake_is_named_with_its_key(values: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        checked_objects(values, "c.yaml: objects")


def test_a_library_is_built_once_and_found_again(cache: Path) -> None:
    reported: list[tuple[int, int]] = []
    first = open_objects(SCENES, Path(), progress=lambda *done: reported.append(done))
    assert reported[-1] == (4, 4)
    again = open_objects(SCENES, Path(), progress=lambda *done: reported.append(done))
    assert again.path == first.path
    assert reported.count((4, 4)) == 1
    assert again.entries(again.labels()[0]) == first.entries(first.labels()[0])


@pytest.mark.parametrize(
    "change", [{"seed": 2}, {"prune": "none"}, {"cut": "boxes"}, {"only": ["plum"]}]
)
def test_other_scenes_or_options_give_another_library(cache: Path, change: dict[str, Any]) -> None:
    one = open_objects(SCENES, Path())
    other = open_objects({**SCENES, **change}, Path())
    assert one.path != other.path


def test_a_subject_that_plays_no_part_changes_nothing_and_one_that_does_does() -> None:
    subjects = [open_planted(PlantedOptions(task="segmentation", confidence=c)) for c in (0.8, 0.9)]
    alone = {**SCENES, "recognise": False}
    masks = {open_objects(alone, Path(), subject).path for subject in [None, *subjects]}
    assert len(masks) == 1
    recognised = {open_objects(SCENES, Path(), subject).path for subject in subjects}
    assert len(recognised) == 2, "by default the subject has to recognise each object alone"
    by_subject = {
        open_objects({**SCENES, "cut": "subject"}, Path(), subject).path for subject in subjects
    }
    assert len(by_subject) == 2


def test_a_damaged_library_in_the_cache_is_built_again(cache: Path) -> None:
    first = open_objects(SCENES, Path())
    (first.path / INDEX).write_bytes(b"nonsense" * 200)
    again = open_objects(SCENES, Path())
    assert again.path == first.path
    assert again.labels() == first.labels()


def build(cache: str) -> str:
    import os

    os.environ["SNELLEN_CACHE"] = cache
    return str(open_objects(SCENES, Path()).path)


def test_two_processes_at_once_build_one_library(cache: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        one, other = pool.map(build, [str(cache.parent)] * 2)
    assert one == other
    assert [str(path) for path in folders(cache)] == [one]


def test_a_library_is_opened_from_where_the_configuration_lies(tmp_path: Path) -> None:
    built = open_objects(SCENES, Path())
    built.path.rename(tmp_path / "mine")
    found = open_objects({"kind": "library", "path": "mine"}, tmp_path)
    assert found.labels() == built.labels()


def test_what_cannot_be_cut_is_reported(tmp_path: Path) -> None:
    write_image(tmp_path / "photos" / "a.png")
    bare = {"kind": "folder", "path": "photos"}
    classifier = open_planted(PlantedOptions(task=Task.LABELS))
    detector = open_planted(PlantedOptions())
    for values, subject, message in (
        (bare, None, "no subject to detect objects"),
        (bare, classifier, "no subject to detect objects"),
        ({**bare, "cut": "masks"}, detector, "no scene has annotated masks"),
        ({**bare, "cut": "subject"}, detector, "one for detection"),
        ({**bare, "cut": "subject"}, None, "there is none"),
        ({**SCENES, "recognise": True}, None, "needs a subject"),
        (
            {**SCENES, "second": {"kind": "planted", "task": "labels"}},
            open_planted(PlantedOptions()),
            "objects.second: .* needs a subject that detects boxes",
        ),
    ):
        with pytest.raises(UserError, match=message):
            open_objects(values, tmp_path, subject)


def test_auto_takes_masks_before_the_subject_and_the_subject_before_boxes(tmp_path: Path) -> None:
    segmenter = open_planted(PlantedOptions(task=Task.SEGMENTATION))
    assert open_objects(SCENES, Path(), segmenter).facts()["cut"] == "masks"
    from snellen.scenes.pictures import write_picture
    from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes

    for scene in synthetic_scenes(SyntheticOptions(count=3)):
        write_picture(tmp_path / "photos" / f"{scene.id}.png", scene.pixels())
    bare = {"kind": "folder", "path": "photos"}
    assert open_objects(bare, tmp_path, segmenter).facts()["cut"] == "subject"
    detector = open_planted(PlantedOptions())
    by_boxes = open_objects(bare, tmp_path, detector)
    assert by_boxes.facts()["cut"] == "boxes"
    kept = [record for record in by_boxes.records() if not record.why]
    assert kept
    assert all((record.quality.recognised or 0) >= 0.5 for record in kept)
