"""The same cases put to another subject: nothing else may differ."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import SubjectError, UserError
from snellen.repair.evaluation.evaluation_sides import EvaluationSide, opened_sides
from snellen.repair.evaluation.run_replay import REPLAY, replay_run
from snellen.report.reopened_run import reopened
from snellen.report.report import write_report
from snellen.scenes.coco.writer import write_coco
from snellen.scenes.synthetic.generator import CLASSES, SyntheticOptions, synthetic_scenes
from snellen.store.journal import Journal, journal_of
from tests.repair.evaluation.conftest import Runs
from tests.repair.evaluation.planted_runs import FAULTY

MENDED = {"kind": "planted"}


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(journal_of(folder)) as journal:
        return journal.rows(query)


CASES = (
    "SELECT units.id, role, recipe, cases.status, cases.id FROM cases "
    "JOIN units ON units.number = cases.unit WHERE role = 'test' OR role LIKE 'control%' "
    "ORDER BY cases.unit, cases.number"
)


@pytest.mark.parametrize("method", ["robustness", "insertion"])
def test_the_same_subject_gets_the_same_verdicts_on_the_same_cases(
    method: str, planted: Runs
) -> None:
    run, same = planted("run", method), planted("same", method)
    assert rows(run, CASES) == rows(same, CASES)
    assert any(row[3] == "failing" for row in rows(run, CASES))


@pytest.mark.parametrize("method", ["robustness", "insertion"])
def test_a_mended_subject_fails_in_none_of_them(method: str, planted: Runs) -> None:
    run, mended = rows(planted("run", method), CASES), rows(planted("mended", method), CASES)
    assert [row[:3] for row in run] == [row[:3] for row in mended]
    assert {row[3] for row in mended} == {"holds"}


def test_relocations_are_not_replayed_since_they_were_searched_for_failures(
    planted: Runs,
) -> None:
    count = "SELECT count(*) FROM cases WHERE role = 'relocation'"
    assert rows(planted("run", "insertion"), count)[0][0] > 0
    assert rows(planted("mended", "insertion"), count)[0][0] == 0


def test_every_scene_is_looked_at_also_without_a_case(planted: Runs) -> None:
    with closing(journal_of(planted("same"))) as journal:
        assert len(EvaluationSide(planted("same"), journal).answers()) == 12


def test_an_instance_that_is_not_found_unchanged_is_gone_not_a_success(planted: Runs) -> None:
    with opened_sides(planted("run"), planted("blind")) as (before, after):
        gone = {one.instance for one in after.tests().values() if one.undetected}
        assert gone
        for key, one in after.tests().items():
            assert one.instance == before.tests()[key].instance
            assert one.name == before.tests()[key].name
            assert one.failed == (one.failing or one.instance in gone)
        seen = after.answers()
        lost = sum(not len(seen[unit]) for unit in seen)
        assert lost > 0
        assert not any(one.undetected for one in before.tests().values())


def test_instances_keep_their_name_though_their_place_in_the_answer_changes(
    planted: Runs,
) -> None:
    with opened_sides(planted("run"), planted("blind")) as (_, after):
        for row in after.journal.rows("SELECT measurements FROM cases WHERE role = 'test'"):
            output = json.loads(row[0])
            assert (output["base"] == -1) == bool(output["gone"])
            assert "was" in output
            assert ("recognised" in output) != bool(output["gone"])


def test_a_replay_resumes_and_asks_nothing_twice(planted: Runs, tmp_path: Path) -> None:
    out = tmp_path / "mended"
    shutil.copytree(planted("mended"), out)
    with closing(Journal(out / "journal.sqlite")) as journal:
        whole = journal.digest()
        journal.forget([3, 7])
        assert journal.digest() != whole
    tally = replay_run(planted("run"), MENDED, out)
    assert tally.ended == 2
    assert tally.cache_hits >= tally.questions - 4  # identity controls are asked anew
    with closing(Journal(out / "journal.sqlite")) as journal:
        assert journal.digest() == whole


def test_a_folder_with_another_replay_is_refused(planted: Runs) -> None:
    with pytest.raises(UserError, match="another run or replay"):
        replay_run(planted("run"), MENDED, planted("half"))


def test_a_subject_that_fails_on_every_scene_gives_no_verdict(
    planted: Runs, tmp_path: Path
) -> None:
    (tmp_path / "broken_subject.py").write_text(
        "def detect(images):\n    raise ValueError('no weights')\n"
    )
    subject = {"kind": "python", "target": "broken_subject:detect", "classes": list(CLASSES)}
    with pytest.raises(SubjectError, match=r"every scene failed.*no weights"):
        replay_run(planted("run", "insertion"), subject, tmp_path / "out", folder=tmp_path)


def test_a_replay_of_a_replay_is_refused(planted: Runs, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is itself a replay"):
        replay_run(planted("mended"), MENDED, tmp_path / "out")


def test_other_classes_are_refused(planted: Runs, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="same classes"):
        replay_run(planted("run"), {**MENDED, "classes": ["a", "b"]}, tmp_path / "out")


def test_a_replay_is_a_run_folder_of_its_own(planted: Runs, tmp_path: Path) -> None:
    """It can be reported; its objects are the very ones of the run."""
    out = tmp_path / "half"
    shutil.copytree(planted("half"), out)
    summary = write_report(out, pictures=1)
    [(failing, tests)] = rows(
        out, "SELECT sum(status = 'failing'), count(*) FROM cases WHERE role = 'test'"
    )
    assert summary.failing_cases == failing > 0
    assert summary.test_cases == tests
    with closing(journal_of(out)) as journal:
        assert journal.get(REPLAY)["run"] == "run"


def test_paths_of_a_subject_start_at_the_folder_given_and_those_of_scenes_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a folder has the name of a kind of subject."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    (tmp_path / "tuned" / "python").mkdir(parents=True)
    (tmp_path / "tuned" / "mended_subject.py").write_text(
        "from snellen.subjects.planted.adapter import open_planted\n"
        "perfect = open_planted()\n"
        "def detect(images):\n"
        "    return perfect.predict(images)\n"
    )
    write_coco(synthetic_scenes(SyntheticOptions(count=2)), tmp_path / "data" / "set")
    values = {
        "method": "insertion", "out": "run", "engine": {"workers": 0}, "subject": FAULTY,
        "scenes": {"kind": "coco", "annotations": "set/instances.json", "images": "set/images"},
        "objects": {"kind": "synthetic", "count": 2, "seed": 9, "shade": "deep"},
        "insertion": {"per_object": 1, "relocate": False},
    }  # fmt: skip
    run_campaign(campaign_from(values, tmp_path / "data" / "run.yaml"))
    subject = {"kind": "python", "target": "mended_subject:detect", "classes": list(CLASSES)}
    out = tmp_path / "tuned" / "out"
    replay_run(tmp_path / "data" / "run", subject, out, folder=tmp_path / "tuned")
    assert rows(out, "SELECT DISTINCT status FROM units") == [("done",)]
    with closing(journal_of(out)) as journal, reopened(out, journal) as again:
        assert len(again.scenes) == 2
