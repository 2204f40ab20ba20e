"""`snellen thresholds` on the folder of a study, which simulated people took part in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from snellen.configuration import parse
from snellen.errors import UserError
from snellen.methods.human.human_formats import HUMAN_FORMATS, human_format
from snellen.methods.requirements.commands.thresholds import thresholds
from snellen.study.data.opened_study import OpenedStudy
from snellen.study.data.record_reader import read_record
from snellen.study.design.creation import create_study
from snellen.study.estimates.human_format import FORMAT, record_digest
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople
from snellen.study.estimates.simulation.simulated_session import SimulatedStudy
from snellen.study.options import StudyOptions

CONFIG: dict[str, Any] = {
    "name": "lemons",
    "contact": "owner@example.org",
    "scenes": {"kind": "synthetic", "count": 40, "size": [64, 80], "sides": [16, 24],
               "objects": [1, 2]},
    "classes": ["lemon", "lime"],
    "tasks": ["classify"],
    "corruptions": ["contrast"],
    "samples": 36,
    "batch": 12,
    "sanity": 1,
    "practice": 0,
    "qualification": 0,
    "answers": 4,
    "least_side": 12,
    "measure": "vifp(sigma_nsq=0.4)",
}  # fmt: skip
app = typer.Typer()
app.command()(thresholds)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("study") / "lemons"
    create_study(parse(StudyOptions, CONFIG, "study.yaml"), place.parent, place)
    return place


@pytest.fixture(scope="module")
def answered(folder: Path) -> Path:
    study = OpenedStudy(folder)
    people = SimulatedPeople(middle=0.5, width=0.2, people=0.05)
    session = SimulatedStudy(study, read_record(folder), people)
    session.run(12, np.random.default_rng(1))
    study.close()
    return folder


def asked(*words: object) -> str:
    result = CliRunner().invoke(app, [*map(str, words), "--replicates", "20"])
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_the_format_of_studies_is_found_by_its_folder(folder: Path, tmp_path: Path) -> None:
    assert "study" in HUMAN_FORMATS.kinds()
    assert human_format(folder) is FORMAT
    assert human_format(tmp_path) is None
    assert human_format(tmp_path / "none.csv") is None


def test_a_folder_gives_thresholds_by_three_procedures(answered: Path) -> None:
    text = asked(answered, "--kind", "correctness")
    assert "contrast, correctness: " in text
    assert "by icraf: " in text
    assert "by decompovision: " in text
    assert "participants" in text
    found = json.loads(asked(answered, "--kind", "correctness", "--label", "any", "--json"))
    values = found["thresholds"][0] if "thresholds" in found else found
    assert values["procedure"] == "psychometric"
    assert values["measure"] == "vifp(sigma_nsq=0.4)"
    assert values["by_procedure"].keys() == {"icraf", "decompovision"}
    assert values["source"] == {"file": "lemons", "sha256": record_digest(read_record(answered))}
    assert values["psychometric"]["classify"]["answers"] > 100


def test_a_study_without_answers_is_an_error_that_says_so(tmp_path: Path) -> None:
    options = {**CONFIG, "samples": 12}
    create_study(parse(StudyOptions, options, "study.yaml"), tmp_path, tmp_path / "new")
    with pytest.raises(UserError, match="0 answers"):
        asked(tmp_path / "new")


def test_files_that_do_not_say_who_answered_have_no_curve(tmp_path: Path) -> None:
    bins = tmp_path / "human_c_p_frost.csv"
    bins.write_text("IQA,Accuracy,Count,Num_Accs\n0.5,1,20,20\n0.6,0.5,20,10\n", encoding="utf-8")
    with pytest.raises(UserError, match="who answered"):
        asked(bins, "--procedure", "psychometric")


def test_the_digest_changes_with_an_answer(answered: Path) -> None:
    record = read_record(answered)
    fewer = record.__class__(**{**record.__dict__, "answers": record.answers[:-1]})
    assert record_digest(record) != record_digest(fewer)
