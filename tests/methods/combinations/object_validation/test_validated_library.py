from __future__ import annotations

import json
import logging
import pickle
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.engine.start.run_journal import traits_of
from snellen.errors import SubjectError, UserError
from snellen.methods.combinations.composition.arrangement import Arrangement
from snellen.methods.combinations.object_validation.alone_cache import AloneCache
from snellen.methods.combinations.object_validation.validated_library import (
    NO_LABEL,
    STRANGE,
    ValidatedLibrary,
    validated_library,
    why_not,
    without_object,
)
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.exclusion_file import STRUCK_OUT
from snellen.objects.library.library import Library
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.objects.library.open_objects import open_objects
from snellen.report.reopened_run import RecordedSubject
from snellen.subjects.planted.adapter import PlantedOptions, open_planted
from snellen.subjects.subject import Task
from snellen.vision.label_vector import LabelVector
from tests.objects.pictures import disc

COLOURS = {"red": (255, 0, 0), "Lime_Green": (0, 255, 0), "blue": (0, 0, 255)}
ARRANGEMENT = Arrangement(longest=64)
Image = npt.NDArray[np.uint8]


class Eye:
    """A classifier that knows colours: a label's score says whether any pixel has its colour."""

    name, task, deterministic, tolerance = "eye", Task.LABELS, True, 0.0
    classes = tuple(COLOURS)

    def __init__(self, batch: int = 4, score: float = 0.5, mark: str = "eye") -> None:
        self.batch, self.score, self.fingerprint = batch, score, mark
        self.seen: list[Image] = []
        self.high = 0.9

    def predict(self, images: Sequence[Image]) -> Sequence[Any]:
        assert 0 < len(images) <= self.batch
        self.seen += images
        return [LabelVector([self._score(image, one) for one in COLOURS]) for image in images]  # type: ignore[arg-type]

    def _score(self, image: Image, name: str) -> float:
        near = np.abs(image.astype(int) - COLOURS[name]).max(axis=2) < 60
        return self.high if near.any() else 0.1

    def close(self) -> None:
        pass


def thing(label: str, *colours: str, hidden: str | None = None, size: int = 40) -> Cutout:
    """A disc in stripes of these colours (grey without any); hidden: the colour under alpha 0."""
    pixels = np.full((size, size, 4), 128, np.uint8)
    for place, name in enumerate(colours):
        pixels[:, place * size // len(colours) :, :3] = COLOURS[name]
    inside = disc((size, size), (size / 2, size / 2), size / 2)
    pixels[..., 3] = 255 * inside
    pixels[~inside, :3] = COLOURS[hidden] if hidden else 0
    return Cutout(label, pixels)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "validated"


def reasons(found: ValidatedLibrary) -> dict[str, list[str]]:
    by_label: dict[str, list[str]] = {}
    for one in found.rejected:
        by_label.setdefault(one.entry.label, []).append(one.why)
    return by_label


FAULTS = [
    (thing("red", "red"), ""),
    (thing("lime-green", "Lime_Green"), ""),
    (thing("red"), NO_LABEL),
    (thing("red", "blue"), "seen as blue"),
    (thing("red", "red", "blue"), "also blue"),
    (thing("red", "blue", "Lime_Green"), "not seen, but Lime_Green, blue"),
    (thing("cat", "red"), STRANGE),
]


@pytest.mark.parametrize(("one", "why"), FAULTS)
def test_an_object_is_accepted_only_if_exactly_its_label_comes_out(one: Cutout, why: str) -> None:
    found = validated_library(MemoryLibrary([thing("blue", "blue"), one]), Eye(), ARRANGEMENT)
    assert [one.why for one in found.rejected] == ([why] if why else [])
    assert (one.id in found.accepted) == (why == "")
    assert (one.label in found.labels()) == (why == "")
    assert found.cutout(one.id) is one


def test_an_object_without_any_label_is_rejected_and_not_counted_as_an_error_later() -> None:
    """The published check took an object for which no label at all came out as fine."""
    found = validated_library(
        MemoryLibrary([thing("red"), thing("blue", "blue")]), Eye(), ARRANGEMENT
    )
    assert found.labels() == ("blue",)
    assert reasons(found) == {"red": [NO_LABEL]}


def test_a_colour_hidden_under_transparent_pixels_is_never_shown() -> None:
    """The published check opened cut-outs as RGB, hidden background and all."""
    one = thing("red", "red", hidden="blue")
    assert (one.pixels[..., 2] == 255).any(), "the colour is there to be shown"
    eye = Eye()
    found = validated_library(MemoryLibrary([one]), eye, ARRANGEMENT)
    assert found.accepted == (one.id,)
    [image] = eye.seen
    assert (image[0, 0] == 255).all()
    assert not ((image[..., 2] > 100) & (image[..., 0] < 155)).any(), "no trace of blue"


def test_an_object_is_shown_on_the_plain_colour_that_compositions_have() -> None:
    eye = Eye()
    on_black = replace(ARRANGEMENT, background="#000000")
    validated_library(MemoryLibrary([thing("red", "red")]), eye, on_black)
    assert not eye.seen[0][0, 0].any()
    again = validated_library(MemoryLibrary([thing("red", "red")]), eye, ARRANGEMENT)
    assert len(eye.seen) == 2, "another ground is another question"
    assert again.accepted


def test_a_score_that_rounds_to_the_threshold_is_there_as_in_a_run() -> None:
    eye = Eye(score=0.5)
    eye.high = 0.49996
    assert validated_library(MemoryLibrary([thing("red", "red")]), eye, ARRANGEMENT).accepted
    other = Eye(score=0.5, mark="lower")
    other.high = 0.4999
    assert not validated_library(MemoryLibrary([thing("red", "red")]), other, ARRANGEMENT).accepted


@given(
    seen=st.lists(st.integers(0, 5), unique=True).map(tuple),
    label=st.sampled_from(["a", "B", "c d", "e"]),
)
def test_why_not_is_empty_exactly_if_the_names_seen_are_the_label(
    seen: tuple[int, ...], label: str
) -> None:
    classes = ("A", "b", "C_D", "E", "f", "e")
    plain = {classes[one].lower().replace("_", " ") for one in seen}
    why = why_not(label, seen, classes)
    assert (why == "") == (plain == {label.lower()})
    if "and" in why:
        assert len(seen) > 3


def library(count: int = 7) -> MemoryLibrary:
    reds = [thing("red", "red", size=20 + n) for n in range(count)]
    return MemoryLibrary([*reds, thing("red", "blue"), thing("blue", "blue", "red")])


@pytest.mark.parametrize("batch", [1, 2, 9, 64])
def test_the_verdict_does_not_depend_on_the_batch(batch: int) -> None:
    told: list[tuple[int, int]] = []
    found = validated_library(
        library(), Eye(batch), ARRANGEMENT, progress=lambda *done: told.append(done)
    )
    assert found.counts() == {"blue": (0, {"also red": 1}), "red": (7, {"seen as blue": 1})}
    assert told[-1] == (9, 9)
    assert told == sorted(told)


class Silent(Eye):
    """The same subject, which must not be asked."""

    def predict(self, images: Sequence[Image]) -> Sequence[Any]:
        raise AssertionError("asked about what is known")


def test_a_second_time_nothing_is_asked() -> None:
    first = validated_library(library(), Eye(), ARRANGEMENT)
    again = validated_library(library(), Silent(batch=1), ARRANGEMENT)
    assert again.rejected == first.rejected
    assert again.accepted == first.accepted


def test_a_report_asks_nothing_of_the_subject_that_the_run_recorded() -> None:
    first = validated_library(library(), Eye(), ARRANGEMENT)
    traits = json.loads(json.dumps(traits_of(Eye())))
    recorded = RecordedSubject(SimpleNamespace(), traits)  # type: ignore[arg-type]
    assert validated_library(library(), recorded, ARRANGEMENT).rejected == first.rejected


def test_only_new_objects_are_asked_about() -> None:
    validated_library(library(5), Eye(), ARRANGEMENT)
    eye = Eye()
    validated_library(library(7), eye, ARRANGEMENT)
    assert len(eye.seen) == 2


@pytest.mark.parametrize(
    "eye", [Eye(score=0.4), Eye(mark="new weights")], ids=["threshold", "weights"]
)
def test_another_subject_is_asked_itself(eye: Eye) -> None:
    validated_library(library(), Eye(), ARRANGEMENT)
    validated_library(library(), eye, ARRANGEMENT)
    assert len(eye.seen) == 9


def test_another_look_of_the_compositions_is_asked_about() -> None:
    validated_library(library(), Eye(), ARRANGEMENT)
    for change in ({"longest": 96}, {"margin": 0.2}, {"feather": 0.0}):
        eye = Eye()
        validated_library(library(), eye, replace(ARRANGEMENT, **change))
        assert len(eye.seen) == 9, change


DAMAGE = [b"nonsense", b"\xff\xfe", b"[]", b'{"a": 3}', b'{"a": [99]}', b'{"a": ["b"]}', b""]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_told_and_made_again(
    damage: bytes, cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = validated_library(library(), Eye(), ARRANGEMENT)
    [file] = cache.glob("*.json")
    whole = file.read_bytes()
    file.write_bytes(damage)
    eye = Eye()
    assert validated_library(library(), eye, ARRANGEMENT).rejected == first.rejected
    assert len(eye.seen) == 9
    assert f"{file}: cannot be read" in caplog.text
    assert file.read_bytes() == whole


def test_a_cache_that_cannot_be_written_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "file"))
    assert len(validated_library(library(), Eye(), ARRANGEMENT).accepted) == 7
    assert "are not cached" in caplog.text


def test_what_many_add_at_once_is_all_kept(cache: Path) -> None:
    def add(start: int) -> None:
        for place in range(start, start + 5):
            AloneCache.of(Eye()).add({f"digest {place}": (place % 3,)})

    threads = [threading.Thread(target=add, args=(10 * n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = AloneCache.of(Eye()).read()
    assert kept == {f"digest {n + k}": ((n + k) % 3,) for n in range(0, 60, 10) for k in range(5)}


class Blind(Eye):
    """Fails whenever one image among those shown is the wrong one."""

    def __init__(self, wrong: int, batch: int = 4) -> None:
        super().__init__(batch)
        self.wrong, self.broken = wrong, True

    def predict(self, images: Sequence[Image]) -> Sequence[Any]:
        if self.broken and any((image == self._image()).all() for image in images):
            raise RuntimeError("cannot see that")
        return super().predict(images)

    def _image(self) -> Image:
        from snellen.methods.combinations.composition.arrangement import alone_recipe
        from snellen.scenes.scene import PictureArray, Scene

        some = library()
        entry = some.entries("red")[self.wrong]
        nowhere = Scene("s", PictureArray(np.zeros((1, 1, 3), np.uint8)), (1, 1))
        return alone_recipe(entry, ARRANGEMENT).build(nowhere, {"objects": some})


def test_a_subject_that_fails_is_told_with_the_object_and_what_it_said_before_is_kept() -> None:
    subject = Blind(wrong=5)
    bad = library().entries("red")[5].id
    with pytest.raises(
        SubjectError, match=rf"object {bad} \(red\) alone: RuntimeError: cannot"
    ) as e:
        validated_library(library(), subject, ARRANGEMENT)
    assert "objects.exclude" in str(e.value)
    subject.broken = False
    told: list[tuple[int, int]] = []
    found = validated_library(library(), subject, ARRANGEMENT, progress=lambda *d: told.append(d))
    assert len(found.accepted) == 7
    assert told[0] > (4, 9), "the first batch was not asked again"


def test_an_answer_that_makes_no_sense_is_no_verdict() -> None:
    eye = Eye()
    eye.predict = lambda images: [[0.5] for _ in images]  # type: ignore[method-assign]
    with pytest.raises(SubjectError, match="expected one for each of 3 classes"):
        validated_library(library(), eye, ARRANGEMENT)


def test_a_detector_is_told_to_be_read_as_labels() -> None:
    with pytest.raises(UserError, match=r"has task detection.*Add `read_as: labels`"):
        validated_library(library(), open_planted(PlantedOptions()), ARRANGEMENT)


def test_objects_of_other_labels_altogether_are_a_mistake() -> None:
    with pytest.raises(UserError, match=r"c\.yaml: objects: the subject has none of the 1 labels"):
        validated_library(
            MemoryLibrary([thing("bleu", "blue")]), Eye(), ARRANGEMENT, where="c.yaml: objects"
        )


def test_it_travels_small(tmp_path: Path) -> None:
    whole = open_objects({"kind": "synthetic", "count": 30}, tmp_path)
    found = validated_library(whole, open_planted(PlantedOptions(task=Task.LABELS)), Arrangement())
    data = pickle.dumps(found)
    assert len(data) < 600 + 60 * len(found.why)
    assert pickle.loads(data).accepted == found.accepted


def test_what_is_struck_out_is_neither_asked_nor_used_but_counted(tmp_path: Path) -> None:
    values: dict[str, Any] = {"kind": "synthetic", "count": 6}
    subject = open_planted(PlantedOptions(task=Task.LABELS))
    whole = validated_library(open_objects(values, tmp_path), subject, Arrangement())
    bad = whole.accepted[:2]
    (tmp_path / "bad.txt").write_text("\n".join(bad))
    fewer = validated_library(
        open_objects({**values, "exclude": "bad.txt"}, tmp_path), subject, Arrangement()
    )
    assert set(fewer.accepted) == set(whole.accepted) - set(bad)
    assert {one.entry.id for one in fewer.rejected if one.why == STRUCK_OUT} == set(bad)
    assert len(fewer.rejected) == len(whole.rejected) + 2


def test_labels_without_any_object_are_told() -> None:
    there: Library = MemoryLibrary([thing("lime green", "blue"), thing("cat")])
    assert without_object(there, Eye.classes) == ("red", "blue")


def test_nothing_is_logged_when_all_is_well(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        validated_library(library(), Eye(), ARRANGEMENT)
    assert caplog.text == ""
