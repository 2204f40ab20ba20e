"""An exam: its rows, its budget, and that it is the methods' ordinary runs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from snellen.cli.main import app
from snellen.engine.campaign import load_campaign
from snellen.engine.run import run_campaign
from snellen.errors import FINE, NO_VERDICT, VIOLATED, UserError
from snellen.exam import exam as exam_module
from snellen.exam.exam import exam
from snellen.exam.scorecard import FAILED, Scorecard, ScorecardRow, chart_order
from snellen.scenes.registry import open_scenes
from snellen.scenes.writers import write_scenes
from snellen.store.journal import journal_of

SCENES = {"kind": "synthetic", "count": 4}
OBJECTS = {"kind": "synthetic", "count": 12, "shade": "deep", "seed": 2}
PLANTED = {"kind": "planted", "fault": "loses", "distance": 5}
Taken = tuple[Path, Scorecard]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of one's own."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def scorecard(rows: list[ScorecardRow]) -> Scorecard:
    """A scorecard with these rows."""
    return Scorecard(snellen_version="0", subject="s", scenes=1, seed=1, took=(), rows=tuple(rows))


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> Taken:
    """A folder with an exam of 30 questions, and its scorecard; not to be written to."""
    folder = tmp_path_factory.mktemp("taken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(folder / "cache"))
        out = folder / "out"
        return out, exam(PLANTED, SCENES, objects=OBJECTS, out=out, questions=30, seed=3)


def by_property(card: Scorecard) -> dict[str, ScorecardRow]:
    """The rows of a scorecard."""
    return {one.property: one for one in card.rows}


def cases(folder: Path) -> list[tuple[Any, ...]]:
    """Every case of a run, as stored."""
    journal = journal_of(folder)
    rows = journal.rows("SELECT unit, number, id, role, status, recipe FROM cases ORDER BY 1, 2")
    journal.close()
    return list(rows)


def test_a_planted_fault_is_in_its_row_and_a_method_alone_gives_the_same_rows(
    tmp_path: Path,
) -> None:
    card = exam(PLANTED, SCENES, objects=OBJECTS, out=tmp_path / "out", questions=120)
    row = by_property(card)["stability beside a new object"]
    assert row.value is not None
    assert row.value < 1
    assert row.proven > 0
    assert row.fault
    assert (tmp_path / "out" / row.picture).is_file()
    assert row.command.startswith("snellen explain")
    saved = (tmp_path / "out" / "scorecard.json").read_text()
    assert Scorecard.model_validate_json(saved) == card
    alone = load_campaign(tmp_path / "out/insertion.yaml", [f"out={tmp_path / 'alone'}"])
    run_campaign(alone)
    found = cases(tmp_path / "alone")
    assert found
    assert found == cases(tmp_path / "out" / "insertion")


def test_a_perfect_subject_raises_no_alarm_in_any_row(tmp_path: Path) -> None:
    card = exam({"kind": "planted", "fault": "none"}, SCENES, out=tmp_path / "out", questions=60)
    read = [one for one in card.rows if one.value is not None]
    assert len(read) >= 4
    assert {one.value for one in read} == {1.0}
    assert not any(one.fault or one.proven or one.violated for one in card.rows)
    assert card.exit_code == FINE


def test_the_same_questions_and_seed_give_the_same_bytes(taken: Taken, tmp_path: Path) -> None:
    folder, first = taken
    card = exam(PLANTED, SCENES, objects=OBJECTS, out=tmp_path / "b", questions=30, seed=3)
    text = card.to_text().replace(str(tmp_path / "b"), "OUT")
    assert text == first.to_text().replace(str(folder), "OUT")
    assert cases(tmp_path / "b/robustness") == cases(folder / "robustness")


def test_options_replace_the_exams_own_in_their_section(tmp_path: Path) -> None:
    options: dict[str, dict[str, Any]] = {
        "insertion": {"per_object": 1},
        "subject": {"distance": 0},
        "engine": {"stop": None},
    }
    exam(PLANTED, SCENES, out=tmp_path / "out", questions=12, options=options)
    campaign = load_campaign(tmp_path / "out/insertion.yaml")
    assert campaign.options["per_object"] == 1
    assert campaign.options["relocate"] is False, "what is not given stays the exam's"
    assert campaign.subject["distance"] == 0
    assert campaign.engine.stop is None
    assert load_campaign(tmp_path / "out/identity.yaml").subject["distance"] == 0


@pytest.mark.parametrize("given", [{"insertoin": {}}, {"insertion": 3}])
def test_options_of_no_section_are_refused_before_anything_is_written(
    given: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"METHOD\.KEY=VALUE"):
        exam(PLANTED, SCENES, out=tmp_path / "out", questions=12, options=given)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("given", [{"insertion": {"nothing": 3}}, {"engine": {"batch": "x"}}])
def test_an_option_that_is_none_is_refused_and_leaves_nothing(
    given: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"^options: (insertion\.nothing|engine\.batch)") as refused:
        exam(PLANTED, SCENES, out=tmp_path / "out", questions=12, options=given)
    assert refused.value.lines[1:] == ["Next: snellen docs exam"]
    assert not (tmp_path / "out").exists()


def test_an_exam_without_a_budget_examines_every_scene(tmp_path: Path) -> None:
    options = {"insertion": {"per_object": 1}, "robustness": {"tests_per_level": 1, "per_scene": 1}}
    one = {"kind": "synthetic", "count": 1}
    card = exam(PLANTED, one, out=tmp_path / "out", minutes=None, options=options)
    assert by_property(card)["repeatability"].value == 1
    assert load_campaign(tmp_path / "out/insertion.yaml").engine.seconds is None


def test_what_does_not_apply_says_why(taken: Taken) -> None:
    rows = by_property(taken[1])
    assert "camera+LiDAR" in rows["camera and LiDAR together"].skipped_because
    assert "thresholds" in rows["what people still see"].skipped_because
    assert rows["camera and LiDAR together"].value is None


def test_an_exam_is_not_written_over_another_and_resumes_to_the_same_card(taken: Taken) -> None:
    folder, first = taken
    given: dict[str, Any] = {"objects": OBJECTS, "out": folder, "questions": 30, "seed": 3}
    with pytest.raises(UserError, match="--resume"):
        exam(PLANTED, SCENES, **given)
    assert exam(PLANTED, SCENES, **given, resume=True) == first


def test_data_and_model_without_a_common_class_name_are_noted(tmp_path: Path) -> None:
    said: list[str] = []
    subject = {"kind": "planted", "classes": ["a", "b", "c", "d", "e", "f"]}
    exam(subject, SCENES, out=tmp_path / "out", questions=6, say=said.append)
    [note] = [line for line in said if line.startswith("note: ")]
    assert "tomato" in note
    assert "the model a, b, c, d" in note


def test_invalid_scenes_are_skipped_if_asked_for(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write_scenes(open_scenes(SCENES, tmp_path), "coco", data)
    next((data / "images").rglob("*.png")).unlink()
    with pytest.raises(UserError, match="--skip-invalid"):
        exam(PLANTED, data, out=tmp_path / "out", questions=6)
    card = exam(PLANTED, data, out=tmp_path / "out", questions=6, skip_invalid=True)
    assert card.scenes == 3
    assert by_property(card)["repeatability"].value is not None


def test_the_command_prints_what_it_took_and_an_interrupt_says_how_to_resume(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = tmp_path / "both.yaml"
    both.write_text("subject: {kind: planted, fault: none}\nscenes: {kind: synthetic, count: 2}\n")
    given = ["exam", str(both), str(both), "--out", str(tmp_path / "out"), "--questions", "12"]
    given += ["--set", "insertion.per_object=2"]
    result = CliRunner().invoke(app, given)
    assert result.exit_code == FINE, result.output
    assert "took: the subject of both.yaml" in result.output
    assert "scorecard.html" in result.output

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(exam_module, "run_campaign", interrupted)
    monkeypatch.setattr(sys, "argv", ["snellen", *given, "--resume"])
    result = CliRunner().invoke(app, sys.argv[1:])
    assert result.exit_code == 130
    assert f"Resume: {shlex.join(['snellen', *given, '--resume'])}" in result.output


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], NO_VERDICT),
        ([{"value": 0.9}], FINE),
        ([{"value": 0.9, "proven": 3, "status": "failures"}], FINE),
        ([{"value": 0.9, "violated": 1}], VIOLATED),
        ([{"value": 0.9}, {"status": FAILED}], NO_VERDICT),
        ([{"skipped_because": "x"}], NO_VERDICT),
    ],
)
def test_the_exit_code_is_that_of_the_gate(rows: list[dict[str, Any]], code: int) -> None:
    made = [ScorecardRow(property="p", method="m", **one) for one in rows]
    assert scorecard(made).exit_code == code


def test_the_headline_leads_with_what_is_proven() -> None:
    def card(*rows: dict[str, Any]) -> Scorecard:
        made = [ScorecardRow(property=f"p{n}", method="m", **one) for n, one in enumerate(rows)]
        return scorecard(made)

    lost = {"value": 0.5, "proven": 2, "fault": "A car is lost. Background holds.", "violated": 1}
    assert card({"value": 1.0}, lost).headline == (
        "2 proven faults and 1 violated requirement in 2 properties examined. "
        "For example: A car is lost."
    )
    assert card({"value": 1.0}).headline == "No proven fault in 1 property examined."
    assert card({"skipped_because": "x"}).headline == "Nothing could be examined."
    flaky = card({"value": 0.9, "status": "flaky"}).headline
    assert flaky.endswith("The same question gets different answers: p0.")
    read = card({"value": 1.0})
    assert repr(read) == str(read) == f"<Scorecard of s on 1 scene: {read.headline}>"
    fails = card({"value": 0.9, "status": "failures"}).headline
    assert fails.endswith("Fails more often than it may: p0.")


def test_a_noisy_subject_reads_only_its_noise(tmp_path: Path) -> None:
    noisy = {"kind": "planted", "fault": "restless", "rate": 0.5}
    card = exam(noisy, {"kind": "synthetic", "count": 6}, out=tmp_path / "out", questions=40)
    rows = by_property(card)
    assert rows["repeatability"].status == "flaky"
    assert rows["repeatability"].value is not None
    others = [one for one in card.rows if one.status == "flaky" and one != rows["repeatability"]]
    assert others
    assert all(one.value is None for one in others), "what repeated by chance is no measure"
    assert "different answers" in card.headline
    assert not any(one.proven for one in card.rows)


def test_accuracy_comes_first_then_what_is_read_best_then_what_is_not_read() -> None:
    names = [("skipped", "m", None), ("bad", "m", 0.2), ("accuracy", "", 0.1), ("good", "m", 0.9)]
    rows = [ScorecardRow(property=name, method=m, value=value) for name, m, value in names]
    assert [one.property for one in chart_order(rows)] == ["accuracy", "good", "bad", "skipped"]
