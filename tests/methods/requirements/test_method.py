"""The method, run as a user runs it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import snellen as sn
from snellen.errors import UserError
from snellen.methods.requirements.evidence.run_evidence import evidence

MEASURE = "vifp(sigma_nsq=0.4)"
CLASSES = ["tomato", "lemon", "lime", "ice", "plum", "rose"]


def requirement(name: str, **values: Any) -> dict[str, Any]:
    return {
        "name": name,
        "task": "detection",
        "subtask": "localise",
        "transformation": "gaussian_noise",
        "measure": MEASURE,
        "threshold": 0.5,
        "thresholds": [0.5],
        "source": {"study": "made up"},
        **values,
    }


def configuration(folder: Path, wanted: list[dict[str, Any]], **values: Any) -> Path:
    text = yaml.safe_dump({"snellen_requirements": 1, "requirements": wanted})
    (folder / "requirements.yaml").write_text(text)
    config = {
        "method": "requirements",
        "subject": {"kind": "planted"},
        "scenes": {"kind": "synthetic", "count": 6},
        "requirements": {"file": "requirements.yaml", "samples": 3},
        "engine": {"workers": 0},
        "out": "run",
        **values,
    }
    (folder / "run.yaml").write_text(yaml.safe_dump(config))
    return folder / "run.yaml"


def notes(folder: Path) -> list[dict[str, Any]]:
    with sqlite3.connect(folder / "journal.sqlite") as db:
        return [json.loads(row[0]) for row in db.execute("SELECT notes FROM units ORDER BY number")]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))


def test_every_scene_is_asked_once_as_it_is_and_at_each_change(tmp_path: Path) -> None:
    both = [
        requirement("noise"),
        requirement("noise-whole", subtask="whole"),
        requirement("bright", transformation="brightness", threshold=0.3, thresholds=[0.3]),
    ]
    summary = sn.run(configuration(tmp_path, both)).summary
    assert summary.test_cases == 6 * 3 * 2
    for unit in notes(tmp_path / "run"):
        assert [one["transformation"] for one in unit["cases"]] == [
            "",
            *["brightness"] * 3,
            *["gaussian_noise"] * 3,
        ]
        for one in unit["cases"]:
            assert 0 <= one["delta_v"] <= (0 if one["transformation"] == "" else 1)
            assert {"correctness", "preservation"} <= set(one)


def test_a_second_requirement_asks_nothing_new(tmp_path: Path) -> None:
    wanted = [
        requirement("low", threshold=0.3, thresholds=[0.3], kind="preservation"),
        requirement("bright", transformation="brightness", threshold=0.6, thresholds=[0.6]),
        requirement("high", subtask="classify", label="lemon", threshold=0.9, thresholds=[0.9]),
    ]

    def run(out: str, *only: str, order: int = 1) -> Any:
        options = {"file": "requirements.yaml", "samples": 4, "controls": 0.5, "only": list(only)}
        values = {"requirements": options, "out": out}
        return sn.run(configuration(tmp_path, wanted[::order], **values)).summary

    assert run("first", "low", "bright").cache_hits == 0
    for number, only in enumerate((["high"], ["bright", "high"], ["low"], [])):
        again = run(f"run{number}", *only, order=-1)
        assert again.questions > 0
        assert again.cache_hits >= 0.9 * again.questions


def test_a_threshold_beyond_the_tested_changes_is_refused(tmp_path: Path) -> None:
    options = {"file": "requirements.yaml", "most": 0.4}
    path = configuration(tmp_path, [requirement("noise")], requirements=options)
    with pytest.raises(UserError, match=r"'noise' reaches .* 0.5, but cases .* 0.4 .*Raise `most`"):
        sn.run(path)


def test_outcomes_of_a_perfect_subject_on_clean_scenes_are_perfect(tmp_path: Path) -> None:
    sn.run(configuration(tmp_path, [requirement("noise")]))
    for kind in ("correctness", "preservation"):
        found = evidence(notes(tmp_path / "run"), kind, ("localise", "classify"), 0.5, CLASSES)
        clean = found.counts(None)[found.transformation == ""]
        assert clean.sum() > 0
        assert (clean == clean[:, :1, :1]).all()
        assert found.scenes == 6


def test_rows_do_not_depend_on_workers_or_batch(tmp_path: Path) -> None:
    digests = []
    for number, engine in enumerate(({"workers": 0, "batch": 1}, {"workers": 1, "batch": 5})):
        path = configuration(tmp_path, [requirement("noise")], engine=engine, out=f"run{number}")
        sn.run(path)
        with sqlite3.connect(tmp_path / f"run{number}" / "journal.sqlite") as db:
            digests.append(db.execute("SELECT notes FROM units ORDER BY number").fetchall())
    assert digests[0] == digests[1]


def test_a_budget_takes_some_of_the_cases(tmp_path: Path) -> None:
    path = configuration(tmp_path, [requirement("noise")], engine={"questions": 18, "workers": 0})
    summary = sn.run(path).summary
    assert summary.questions <= 18
    assert summary.test_cases == 12


@pytest.mark.parametrize(
    ("change", "values", "message"),
    [
        ({"label": "tomatoe"}, {}, "the subject has no label 'tomatoe'; did you mean 'tomato'"),
        (
            {"task": "segmentation", "subtask": "segment"},
            {},
            "is on segmentation, but this subject can only be checked for detection",
        ),
        ({"transformation": "frsot"}, {}, "frsot"),
        ({"measure": "vif"}, {}, "vif"),
        (
            {},
            {"requirements": {"file": "requirements.yaml", "only": ["nois"]}},
            "has no requirement 'nois'; did you mean 'noise'",
        ),
        ({}, {"requirements": {"file": "none.yaml"}}, r"none.yaml: no such file"),
    ],
)
def test_what_does_not_fit_is_reported_before_anything_is_asked(
    change: dict[str, Any], values: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = configuration(tmp_path, [requirement("noise", **change)], **values)
    with pytest.raises(UserError, match=message):
        sn.run(path)


def test_two_measures_of_one_transformation_are_refused(tmp_path: Path) -> None:
    both = [requirement("one"), requirement("other", measure="vifp(sigma_nsq=2)")]
    with pytest.raises(
        UserError, match=r"'one' and 'other' measure gaussian_noise by .*0.4.* and by"
    ):
        sn.run(configuration(tmp_path, both))


def test_correctness_needs_annotations(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    from snellen.scenes.pictures import write_picture

    write_picture(tmp_path / "images" / "a.png", np.full((64, 64, 3), 200, np.uint8))
    scenes = {"kind": "folder", "path": "images"}
    path = configuration(tmp_path, [requirement("noise")], scenes=scenes)
    with pytest.raises(UserError, match="no scene is annotated"):
        sn.run(path)
    kept = configuration(tmp_path, [requirement("noise", kind="preservation")], scenes=scenes)
    assert sn.run(kept).summary.units.errors == 0


def test_a_finding_is_judged_again_by_a_replay(tmp_path: Path) -> None:
    from snellen.report.replay import replay

    noisy = requirement("noise", threshold=0.95, thresholds=[0.95])
    summary = sn.run(configuration(tmp_path, [noisy])).summary
    assert summary.failing_cases > 0
    with sqlite3.connect(tmp_path / "run" / "journal.sqlite") as db:
        [(id,)] = db.execute("SELECT id FROM findings LIMIT 1").fetchall()
    assert replay(tmp_path / "run", id).failing == 1
