"""A checkup measures AP and names the mistake in how a model is read, and only then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.accuracy.reading_answers import ReadingAnswers
from snellen.engine.accuracy.reading_search import Competition
from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.checkup import Checkup, run_checkup
from snellen.report.check_facts import suggestion_words
from snellen.report.check_words import checkup_facts
from snellen.subjects.registry import open_subject
from snellen.terminal.progress import Lines
from tests.engine.conftest import values
from tests.subjects.decoders import encodings
from tests.subjects.decoders.encodings import Known
from tests.subjects.model_file.colour_detector import (
    CLASSES,
    colour_detector,
    colour_picodet,
    colour_scenes,
)
from tests.subjects.model_file.model_graphs import constant_model

Check = Callable[..., Checkup]


def checked(campaign: Campaign, *, suggest: bool = False, scenes: int = 64) -> Checkup:
    return run_checkup(campaign, Lines(), looks=2, scenes=scenes, suggest=suggest)


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """The checkup of the colour detector with some options of the subject."""

    def run(
        *, count: int = 24, suggest: bool = True, annotated: bool = True, **subject: Any
    ) -> Checkup:
        colour_detector(tmp_path / "colours.onnx")
        options = {"kind": "onnx", "model": "colours.onnx", "classes": list(CLASSES), **subject}
        given = values() | {
            "subject": options,
            "scenes": colour_scenes(tmp_path / "scenes", count, annotated=annotated),
        }
        return checked(campaign_from(given, tmp_path / "snellen.yaml"), suggest=suggest)

    return run


def facts(checkup: Checkup) -> dict[str, Any]:
    return checkup_facts(checkup, Path("picture.png"))


def test_a_model_read_right_has_its_ap_and_no_suggestion(check: Check) -> None:
    checkup = check()
    assert tuple(checkup.trial.scenes.classes) == CLASSES[::-1], "matched by name, not by id"
    found = facts(checkup)
    assert found["ap"]["value"] > 0.99
    assert 0.8 < found["ap"]["low"] < 0.95, "24 scenes cannot show that AP is 1"
    assert found["ap"]["high"] == 1
    assert found["readings_tried"] > 40
    assert found["suggestions"] == []
    assert found["warnings"] == found["unverified"] == []
    assert found["understood"]["decoder"] == "rtmdet"
    assert found["understood"]["channels"] == "bgr"
    assert found["understood"]["size"] == [64, 64]
    assert found["understood"]["letterbox"] == "corner"


@pytest.mark.parametrize(
    ("mistake", "remedy"),
    [
        ({"channels": "rgb", "mean": [123.675, 116.28, 103.53]}, {"channels": "bgr"}),
        ({"letterbox": "stretch"}, {"letterbox": "corner"}),
        ({"letterbox": "centre"}, {"letterbox": "corner"}),
        ({"cell_offset": 0.5}, {"cell_offset": 0.0}),
        ({"scale": 1 / 255}, {"mean", "std"}),
        ({"mean": [0, 0, 0], "std": [1, 1, 1]}, {"scale", "mean"}),
    ],
)
def test_a_mistake_is_named_in_the_words_of_the_configuration(
    check: Check, mistake: dict[str, Any], remedy: Any
) -> None:
    found = check(**mistake)
    assert found.accuracy is not None
    assert found.accuracy.ap.value < 0.9
    assert found.search is not None
    best = found.search.suggestion
    assert best is not None
    if isinstance(remedy, set):
        assert remedy <= set(best.options)
    else:
        assert {name: best.options.get(name) for name in remedy} == remedy
    assert best.ap.value > 0.99
    again = check(**{**mistake, **best.options}).accuracy
    assert again is not None
    assert again.ap.value == pytest.approx(best.ap.value)
    words = suggestion_words(best, 24)
    assert words.startswith("you probably want `")
    assert all(name in words for name in best.options)


def test_two_mistakes_at_once_are_both_named(check: Check) -> None:
    found = check(letterbox="stretch", cell_offset=0.5)
    assert found.search is not None
    assert found.search.suggestion is not None
    assert found.search.suggestion.options == {"letterbox": "corner", "cell_offset": 0.0}


def test_picodet_read_as_nanodet_plus_is_found_out(tmp_path: Path) -> None:
    """As a user had it: BGR, and boxes half a cell off."""
    colour_picodet(tmp_path / "pico.onnx")
    subject = {"kind": "onnx", "model": "pico.onnx", "classes": list(CLASSES)}
    given = values() | {
        "subject": {**subject, "decoder": "nanodet-plus"},
        "scenes": colour_scenes(tmp_path / "scenes", 24, height=64),
    }
    wrong = checked(campaign_from(given, tmp_path / "snellen.yaml"))
    assert wrong.search is not None
    assert wrong.search.suggestion is not None
    assert wrong.search.suggestion.options == {"decoder": "picodet"}
    right = checked(campaign_from({**given, "subject": subject}, tmp_path / "snellen.yaml"))
    assert right.accuracy is not None
    assert right.accuracy.ap.value > 0.99


def test_a_low_ap_is_looked_into_without_being_asked(check: Check) -> None:
    low = check(suggest=False, cell_offset=0.5)
    assert low.search is not None
    assert low.search.suggestion is not None
    assert check(suggest=False).search is None


def test_labels_in_another_order_are_named_as_such(check: Check) -> None:
    """Other channels would turn a third of them right by accident, and are not suggested."""
    found = facts(check(classes=["green", "blue", "red"]))
    assert found["ap"]["value"] < 0.05
    assert found["ap"]["ignoring_labels"] > 0.99
    assert found["suggestions"] == []
    pairs = {(one["label"], one["annotated"]) for one in found["confusions"]}
    assert pairs == {("green", "red"), ("blue", "green"), ("red", "blue")}
    assert any("order of the subject's `classes`" in one for one in found["warnings"])


def test_without_annotations_it_says_what_it_could_not_verify(check: Check) -> None:
    found = facts(check(annotated=False))
    assert found["ap"] is None
    assert found["suggestions"] == []
    text = " ".join(found["unverified"])
    assert "no annotations" in text
    assert "channel order, pixel range, letterbox, decoder and class names" in text


@pytest.mark.parametrize("count", [1, 5])
def test_few_scenes_decide_nothing(check: Check, count: int) -> None:
    found = facts(check(count=count, cell_offset=0.5))
    assert found["suggestions"] == []
    assert found["readings_tried"] == 0
    assert any(f"found {count}" in one for one in found["unverified"])
    right = facts(check(count=count))["ap"]
    assert right["value"] == 1
    assert right["low"] == pytest.approx(0.025 ** (1 / count), abs=1e-4)


def test_a_hopeless_model_gets_no_suggestion(check: Check, tmp_path: Path) -> None:
    """It always answers the same: whatever the reading, AP stays low."""
    known = Known(np.array([[1.0, 1, 9, 5]]), np.array([0]), np.array([0.9]), (64, 64), classes=3)
    constant_model(tmp_path / "blind.onnx", [1, 3, 64, 64], encodings.yolov8(known))
    found = facts(check(model="blind.onnx"))
    assert found["ap"]["value"] < 0.05
    assert found["suggestions"] == []
    assert any("other readings is better beyond chance" in one for one in found["warnings"])


def test_any_detector_has_an_ap_but_only_model_files_have_readings(
    campaign: Callable[..., Campaign],
) -> None:
    found = facts(checked(campaign(), suggest=True))
    assert found["ap"]["value"] == 1
    assert found["suggestions"] == []
    assert found["unverified"] == [
        "other readings are tried for model files, not for a subject of kind 'planted'"
    ]


def test_the_sample_of_scenes_is_stated(campaign: Callable[..., Campaign]) -> None:
    found = facts(checked(campaign(), scenes=5))["ap"]
    assert (found["scenes"], found["annotated_scenes"]) == (5, 12)
    none = facts(checked(campaign(), scenes=0))
    assert none["ap"] is None
    assert "no scenes were asked for" in none["unverified"][0]


def test_the_error_level_is_shared_out_once(tmp_path: Path) -> None:
    """By Bonferroni: all shares together are at most the whole level, whatever is chosen."""
    colour_detector(tmp_path / "colours.onnx")
    values = {"kind": "onnx", "model": "colours.onnx", "classes": list(CLASSES)}
    subject: Any = open_subject(values, tmp_path)
    competition = Competition(subject, ReadingAnswers(subject, None, Lines), 24)  # type: ignore[arg-type]
    shares = [1e-6 / competition.adjusted(one, 1e-6) for one in competition.readings[1:]]
    assert len(shares) > 40
    assert sum(shares) == pytest.approx(1)
    assert competition.adjusted(competition.readings[-1], 0.5) == 1
