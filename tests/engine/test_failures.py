"""A subject that fails costs the scenes it fails on, and the run says which and why."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import Campaign
from snellen.engine.options import EngineOptions
from snellen.engine.run import run_campaign
from snellen.engine.start.opened_campaign import scenes_of
from snellen.engine.subject_thread import SubjectThread
from snellen.errors import MissingExtraError, SubjectError, UserError
from snellen.methods.identity.method import IdentityMethod
from snellen.report.summary import write_summary
from snellen.scenes.pictures import write_picture
from snellen.scenes.scene import Scene
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.store.journal import Journal
from snellen.subjects.planted import PerfectSubject, PlantedOptions, RaisingSubject, open_planted

Make = Callable[..., Campaign]


def rows(campaign: Campaign, query: str) -> list[tuple[Any, ...]]:
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        return journal.rows(query)


def struck_scenes(campaign: Campaign, rate: float) -> set[str]:
    """The scenes that a subject which raises at this rate raises on."""
    subject = open_planted(PlantedOptions(fault="raises", rate=rate))
    assert isinstance(subject, RaisingSubject)

    def raises(scene: Scene) -> bool:
        return subject.struck([scene.pixels()])[0]

    return {scene.id for scene in scenes_of(campaign) if raises(scene)}


@pytest.mark.parametrize("batch", [1, 5])
def test_a_poisoned_scene_is_an_error_row_and_the_others_are_examined(
    campaign: Make, batch: int
) -> None:
    made = campaign(
        subject={"kind": "planted", "fault": "raises", "rate": 0.3}, engine={"batch": batch}
    )
    expected = struck_scenes(made, 0.3)
    assert 0 < len(expected) < 12
    run_campaign(made)
    found = rows(made, "SELECT scene, stage, message FROM errors JOIN units ON unit = number")
    assert {scene for scene, _, _ in found} == expected
    assert {stage for _, stage, _ in found} == {"subject"}
    assert all("a planted fault" in message for _, _, message in found)
    summary = write_summary(made.out_folder)
    assert summary.units.model_dump() == {
        "total": 12,
        "done": 12 - len(expected),
        "errors": len(expected),
        "left_out": 0,
        "not_needed": 0,
        "untested": {},
    }


@pytest.mark.parametrize(
    ("garbage", "words"),
    [
        ("nan", "is nan, expected a finite number"),
        ("outside", "outside the image"),
        ("length", "returned 0 predictions for 1 images"),
        ("score", "scores"),
        ("label", "label"),
    ],
)
def test_garbage_is_an_error_that_says_what_was_found(
    campaign: Make, garbage: str, words: str
) -> None:
    subject = {"kind": "planted", "fault": "garbage", "garbage": garbage, "rate": 0.3}
    made = campaign(subject=subject, engine={"retries": 0})
    run_campaign(made)
    messages = [message for (message,) in rows(made, "SELECT message FROM errors")]
    assert 0 < len(messages) < 12
    assert all(words in message for message in messages), messages


def test_a_method_without_its_extra_ends_the_run_at_the_first_scene(
    campaign: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def examine(self: object, unit: object, *rest: object) -> Iterator[None]:
        asked.append(unit)
        raise MissingExtraError("This method", "fusion")
        yield

    monkeypatch.setattr(IdentityMethod, "examine", examine)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[fusion\]"):
        run_campaign(campaign())
    assert len(asked) == 1


def test_a_passing_fault_is_asked_again_and_leaves_no_trace(campaign: Make) -> None:
    made = campaign(
        subject={"kind": "planted", "fault": "raises", "on_call": 2},
        engine={"batch": 1, "retries": 1},
    )
    assert run_campaign(made).errors == 0
    assert rows(made, "SELECT count(*) FROM cases WHERE status = 'holds'") == [(12,)]


@pytest.mark.parametrize("batch", [1, 4])
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_an_input_is_asked_again_exactly_as_often_as_the_options_say(
    retries: int, batch: int
) -> None:
    calls: list[int] = []

    class Broken(PerfectSubject):
        def predict(self, images: Sequence[Any]) -> Any:
            calls.append(len(images))
            raise RuntimeError("always")

    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    options = EngineOptions(retries=retries, backoff=0.0)
    thread = SubjectThread(Broken(), options, done.put)
    thread.ask("batch", [np.zeros((8, 8, 3), np.uint8)] * batch)
    outcomes = done.get(timeout=30).outcomes
    thread.close()
    assert all(isinstance(one, SubjectError) for one in outcomes)
    # A batch that fails is split: for each of its inputs this is the first retry.
    expected = [1] * (1 + retries) if batch == 1 else [batch] + [1] * batch * max(1, retries)
    assert calls == expected


def test_without_retries_the_same_passing_fault_costs_a_scene(campaign: Make) -> None:
    made = campaign(
        subject={"kind": "planted", "fault": "raises", "on_call": 2},
        engine={"batch": 1, "retries": 0},
    )
    assert run_campaign(made).errors == 1


def test_a_call_that_hangs_is_left_behind(campaign: Make) -> None:
    made = campaign(
        subject={"kind": "planted", "fault": "hangs", "rate": 0.2, "seconds": 3600},
        engine={"batch": 4, "item_timeout": 0.2, "retries": 0},
    )
    start = time.monotonic()
    tally = run_campaign(made)
    assert 0 < tally.errors < 12
    assert time.monotonic() - start < 60
    messages = {message for (message,) in rows(made, "SELECT message FROM errors")}
    assert all("no answer within 0.2 s" in message for message in messages)


def test_a_subject_that_always_fails_gives_no_verdict(campaign: Make) -> None:
    made = campaign(
        subject={"kind": "planted", "fault": "raises"}, engine={"give_up": 3, "retries": 0}
    )
    with pytest.raises(SubjectError, match="the first 3 scenes all failed"):
        run_campaign(made)
    assert rows(made, "SELECT count(*) FROM errors") == [(3,)]


def test_failed_scenes_can_be_tried_again(campaign: Make) -> None:
    subject = {"kind": "planted", "fault": "raises", "on_call": 2}
    made = campaign(subject=subject, engine={"batch": 1, "retries": 0})
    assert run_campaign(made).errors == 1
    again = run_campaign(made, resume=True)
    assert again.ended == 0, "errors are final unless asked for"
    # When reopened, the subject counts its calls from 1, and fails on the second call again.
    again = run_campaign(made, resume=True, retry_errors=True)
    assert again.ended == 1
    assert rows(made, "SELECT count(*) FROM units") == [(12,)]


def test_a_perfect_subject_raises_no_alarm(campaign: Make) -> None:
    made = campaign()
    run_campaign(made)
    summary = write_summary(made.out_folder)
    assert (summary.cases, summary.failing_cases, summary.flaky_cases) == (12, 0, 0)
    assert summary.failure_rate.high > 0, "12 cases can't prove a rate of exactly zero"
    assert summary.events == {}


def test_a_restless_subject_is_found_out(campaign: Make) -> None:
    made = campaign(subject={"kind": "planted", "fault": "restless"})
    run_campaign(made)
    summary = write_summary(made.out_folder)
    assert summary.failing_cases > 0
    assert set(summary.events) <= {"lost", "appeared", "relabelled", "moved"}
    assert sum(summary.events.values()) == sum(
        sum(kinds.values()) for kinds in summary.by_class.values()
    )


def test_a_budget_in_questions_is_kept_and_divided_beforehand(campaign: Make) -> None:
    made = campaign(identity={"repeats": 5}, engine={"questions": 40})
    tally = run_campaign(made)
    asked = [count for (count,) in rows(made, "SELECT questions FROM units ORDER BY number")]
    assert tally.questions == sum(asked) == 40
    assert asked == [4, 4, 4, 4, *[3] * 8]


def test_a_budget_smaller_than_one_scene_is_refused(campaign: Make) -> None:
    with pytest.raises(UserError, match=r"engine\.questions: found 1, but .* at least 2"):
        run_campaign(campaign(engine={"questions": 1}))


def test_a_budget_in_seconds_leaves_scenes_for_later(campaign: Make) -> None:
    slow = {"kind": "planted", "sleep_ms": 100, "batch": 1}
    made = campaign(subject=slow, engine={"seconds": 0.5, "batch": 1})
    tally = run_campaign(made)
    assert tally.left_out > 0
    assert tally.ended + tally.left_out == 12
    made = campaign(subject=slow, engine={"batch": 1})
    assert run_campaign(made, resume=True).ended == 12 - tally.ended
    assert rows(made, "SELECT count(*) FROM units WHERE status = 'done'") == [(12,)]


def test_a_damaged_image_is_an_error_row_that_names_the_file(
    campaign: Make, tmp_path: Path
) -> None:
    (tmp_path / "photos").mkdir()
    for scene in synthetic_scenes(SyntheticOptions(count=3)):
        write_picture(tmp_path / "photos" / f"{scene.id}.jpg", scene.pixels())
    victim = tmp_path / "photos" / "synthetic-00001.jpg"
    data = victim.read_bytes()
    victim.write_bytes(data[: len(data) // 2])
    made = campaign().model_copy(update={"scenes": {"kind": "folder", "path": "photos"}})
    assert run_campaign(made).ended == 3
    [(stage, message)] = rows(made, "SELECT stage, message FROM errors")
    assert stage == "build"
    assert victim.name in message


def test_a_detector_can_be_read_as_a_classifier(campaign: Make) -> None:
    made = campaign(subject={"kind": "planted", "fault": "restless", "read_as": "labels"})
    run_campaign(made)
    summary = write_summary(made.out_folder)
    assert summary.subject.task == "labels"
    assert summary.failing_cases > 0
    assert set(summary.events) <= {"missing", "extra", "mismatch"}
    with pytest.raises(UserError, match=r"subject\.read_as: found 'words', expected 'labels'"):
        campaign(subject={"kind": "planted", "read_as": "words"})


def test_a_script_without_a_guard_is_not_run_again_by_the_builders(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import snellen as sn\n"
        "print('started')\n"
        "run = sn.run({'method': 'identity', 'subject': {'kind': 'planted'},\n"
        "  'scenes': {'kind': 'synthetic', 'count': 4}, 'engine': {'workers': 2}, 'out': 'run'})\n"
        "print(run.summary.cases)\n"
    )
    done = subprocess.run(
        [sys.executable, script.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["started", "4"], done.stderr
