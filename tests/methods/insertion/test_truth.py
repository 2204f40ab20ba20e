"""Planted faults are found on the right objects; a perfect subject raises no alarm."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.engine.campaign import Campaign, campaign_from
from snellen.engine.run import run_campaign
from snellen.methods.insertion.published_oracle import fails_as_published
from snellen.methods.paste.paste_controls import CHECKS
from snellen.report.summary import write_summary
from snellen.store.codec import prediction_from_text
from snellen.store.journal import Journal
from snellen.subjects.planted import DeviatingSubject
from snellen.vision.detections import Detections

Run = Callable[..., Campaign]
SCENES = {"kind": "synthetic", "size": [160, 208], "sides": [20, 34], "objects": [2, 4]}
OBJECTS = {**SCENES, "shade": "deep", "seed": 2, "count": 30}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run insertion on generated scenes; one library for all tests of this file."""
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path.parent / "truth-cache"))

    def call(
        subject: dict[str, Any],
        insertion: dict[str, Any] | None = None,
        count: int = 20,
        name: str = "run",
        **engine: Any,
    ) -> Campaign:
        campaign = campaign_from(
            {
                "method": "insertion",
                "subject": {"kind": "planted", **subject},
                "scenes": {**SCENES, "count": count},
                "objects": OBJECTS,
                "insertion": insertion or {},
                "engine": {"workers": 0, "cache": False, **engine},
                "out": name,
            },
            tmp_path / "c.yaml",
        )
        run_campaign(campaign)
        return campaign

    return call


def rows(campaign: Campaign, query: str) -> list[tuple[Any, ...]]:
    with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
        return journal.rows(query)


def gap(a: np.ndarray, b: tuple[float, ...]) -> float:
    dx = max(0.0, a[0] - b[2], b[0] - a[2])
    dy = max(0.0, a[1] - b[3], b[1] - a[3])
    return float(np.hypot(dx, dy))


PLACEMENTS = [{"placement": name} for name in ("random", "grid")]
BLENDINGS = [{"blending": name} for name in ("hard", "poisson", "matched")]
OTHERS = [{"footing": "height"}, {"labels": "any", "variety": 3}, {"sizing": "stretch"}]


def no_alarm(campaign: Campaign) -> int:
    """The number of cases of a run that must have no event, not even in its controls and checks."""
    summary = write_summary(campaign.out_folder)
    assert summary.failing_cases == summary.borderline_cases == 0
    assert summary.control.failing == 0
    assert set(summary.controls) == {"patch"}
    kinds = {role for (role,) in rows(campaign, "SELECT DISTINCT role FROM cases")}
    assert {"test", "control:patch"} < kinds
    assert kinds <= {"test", "control:patch", *(f"check:{name}" for name in CHECKS)}
    assert rows(campaign, "SELECT count(*) FROM events") == [(0,)]
    return int(summary.cases)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenes", "cases"), [(8, 1000), pytest.param(40, 5000, marks=pytest.mark.thorough)]
)
def test_a_perfect_subject_raises_no_alarm_in_many_cases(run: Run, scenes: int, cases: int) -> None:
    assert no_alarm(run({}, {"placement": "guided", "per_object": 40}, count=scenes)) >= cases


@pytest.mark.slow
@pytest.mark.parametrize("options", [*PLACEMENTS, *BLENDINGS], ids=str)
def test_a_perfect_subject_raises_no_alarm_however_it_is_placed_and_blended(
    run: Run, options: dict[str, Any]
) -> None:
    assert no_alarm(run({}, {**options, "per_object": 40}, count=3)) >= 300


@pytest.mark.parametrize("options", OTHERS, ids=str)
def test_a_perfect_subject_raises_no_alarm_with_other_options(
    run: Run, options: dict[str, Any]
) -> None:
    assert no_alarm(run({}, {**options, "controls": 0.3}, count=10)) > 200


def test_a_subject_that_loses_neighbours_is_caught_on_exactly_those(run: Run) -> None:
    """Every lost object stands within the distance, and every object within it is lost."""
    reach = 12.0
    campaign = run({"fault": "loses", "distance": reach}, {"relocate": False}, count=8)
    lost = {
        (unit, case, before)
        for unit, case, before in rows(campaign, 'SELECT unit, "case", before FROM events')
    }
    assert {kind for (kind,) in rows(campaign, "SELECT DISTINCT kind FROM events")} == {"lost"}
    expected = set()
    for unit, number, recipe, text in rows(
        campaign,
        "SELECT unit, cases.number, recipe, value FROM cases "
        "JOIN predictions p ON p.number = before WHERE role = 'test'",
    ):
        placed = json.loads(recipe)
        box = (
            placed["x"],
            placed["y"],
            placed["x"] + placed["width"],
            placed["y"] + placed["height"],
        )
        before = prediction_from_text(text)
        assert isinstance(before, Detections)
        near = [gap(old, box) for old in before.boxes]
        # A pixel of slack: the subject measures from what it sees of a soft edge.
        expected |= {(unit, number, k) for k, d in enumerate(near) if d <= reach - 3}
        assert not {k for k, d in enumerate(near) if d > reach + 3} & {
            k for u, c, k in lost if (u, c) == (unit, number)
        }
    assert expected <= lost
    assert len(expected) > 50
    controls = rows(
        campaign,
        "SELECT count(*), total(status = 'failing') FROM cases WHERE role = 'control:patch'",
    )
    assert controls[0][0] > 50
    assert controls[0][1] == 0, "background is no new object"


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ("loses", {("lost", "object")}),
        ("phantom", {("appeared", "phantom")}),
        ("relabels", {("relabelled", "object")}),
        ("shifts", {("moved", "object"), ("lost", "object"), ("appeared", None)}),
    ],
)
def test_each_planted_fault_is_named_rightly(
    run: Run, fault: str, kinds: set[tuple[str, str | None]]
) -> None:
    campaign = run({"fault": fault, "distance": 12}, {"relocate": False}, count=5)
    found = set(rows(campaign, "SELECT DISTINCT kind, truth FROM events WHERE severity = 'hard'"))
    assert found
    assert found <= kinds
    summary = write_summary(campaign.out_folder)
    assert summary.failing_cases > 20
    assert summary.control.failing == 0
    assert summary.difference is not None
    assert summary.difference.low > 0, "the failures stand out from the noise"


FAILING_CONTROLS = """
SELECT count(*) FROM cases t WHERE role = 'test' AND status = 'failing' AND NOT EXISTS (
    SELECT 1 FROM cases c WHERE c.role = 'control:patch' AND c.unit = t.unit
    AND c.parent = t.number AND json_extract(c.measurements, '$.chance') = 1
)
"""


@pytest.mark.parametrize("budget", [None, 60, 150])
def test_every_failing_insertion_has_a_patch_at_its_place(run: Run, budget: int | None) -> None:
    campaign = run({"fault": "loses", "distance": 12}, count=4, questions=budget)
    assert rows(campaign, FAILING_CONTROLS) == [(0,)]
    [(failing,)] = rows(campaign, "SELECT count(*) FROM cases WHERE status = 'failing'")
    assert failing >= 4
    pairs = rows(
        campaign,
        "SELECT c.recipe, t.recipe, t.status, json_extract(c.measurements, '$.chance') "
        "FROM cases c JOIN cases t ON t.unit = c.unit AND t.number = c.parent "
        "WHERE c.role = 'control:patch'",
    )
    for patch, insertion, status, chance in pairs:
        one, other = json.loads(patch), json.loads(insertion)
        assert [one[key] for key in ("object", "x", "y", "width", "height", "blending")] == [
            other[key] for key in ("object", "x", "y", "width", "height", "blending")
        ]
        assert chance == (1.0 if status == "failing" else 0.2)


def test_guided_insertion_needs_half_the_questions_of_random(run: Run) -> None:
    """Mean number of cases until the first failure in a scene; scenes without count in full."""
    costs = {}
    for placement in ("guided", "random"):
        campaign = run(
            {"fault": "loses", "distance": 6},
            {"placement": placement, "relocate": False, "controls": 0},
            name=placement,
        )
        first = [
            count if number is None else number + 1
            for number, count in rows(
                campaign,
                "SELECT min(CASE WHEN status = 'failing' THEN number END), count(*) "
                "FROM cases WHERE role = 'test' GROUP BY unit",
            )
        ]
        costs[placement] = np.mean(first)
    assert costs["guided"] <= costs["random"] / 2


def test_a_subject_that_flickers_at_random_is_flaky_not_failing(run: Run) -> None:
    campaign = run({"fault": "restless"}, {"relocate": False}, count=8)
    summary = write_summary(campaign.out_folder)
    assert summary.flaky_cases > 30
    assert summary.failing_cases <= 0.01 * summary.cases
    chances = rows(
        campaign,
        "SELECT DISTINCT json_extract(c.measurements, '$.chance') FROM cases c "
        "JOIN cases t ON t.unit = c.unit AND t.number = c.parent "
        "WHERE c.role = 'control:patch' AND t.status = 'flaky'",
    )
    assert chances == [(1.0,)], "a control keeps the chance with which it was asked"


def test_a_steady_fault_of_a_subject_not_known_to_be_steady_is_confirmed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = property(lambda subject: False, lambda subject, value: None)
    monkeypatch.setattr(DeviatingSubject, "deterministic", unknown, raising=False)
    campaign = run({"fault": "loses", "distance": 12}, {"relocate": False}, count=4)
    summary = write_summary(campaign.out_folder)
    assert summary.subject.deterministic is False
    assert summary.failing_cases > 10
    assert summary.flaky_cases == 0


def test_scores_that_hover_at_the_threshold_are_borderline_not_failing(run: Run) -> None:
    campaign = run({"fault": "flickers", "swing": 0.02}, {"relocate": False}, count=8)
    summary = write_summary(campaign.out_folder)
    assert summary.borderline_cases > 30
    assert summary.failing_cases == 0


def test_an_inserted_object_that_is_missed_is_counted_apart(run: Run) -> None:
    """Poisson blending washes the colours out, so the subject does not see what was inserted."""
    campaign = run({}, {"blending": "poisson"}, count=4)
    missed = rows(
        campaign,
        "SELECT avg(json_extract(measurements, '$.inserted_missed')) FROM cases "
        "WHERE role = 'test'",
    )
    assert missed[0][0] > 0.9
    assert write_summary(campaign.out_folder).failing_cases == 0


def test_relocation_keeps_failing_and_moves_towards_the_centroid(run: Run) -> None:
    campaign = run({"fault": "loses", "distance": 14}, count=5)
    moved = rows(
        campaign,
        "SELECT r.recipe, p.recipe, r.status, json_extract(r.measurements, '$.progress') "
        "FROM cases r JOIN cases p ON p.unit = r.unit AND p.number = r.parent "
        "WHERE r.role = 'relocation'",
    )
    assert len(moved) > 10
    assert all(status == "failing" for _, _, status, _ in moved)
    assert all(recipe != parent for recipe, parent, _, _ in moved)
    assert all(0 < progress <= 1 for _, _, _, progress in moved)
    placed = rows(campaign, "SELECT unit, recipe FROM cases WHERE role = 'relocation'")
    assert len(set(placed)) == len(placed), "each place once"


def test_a_budget_is_kept(run: Run) -> None:
    campaign = run({"fault": "loses", "distance": 14}, count=5, questions=200)
    asked = [count for (count,) in rows(campaign, "SELECT questions FROM units")]
    assert sum(asked) <= 200
    assert max(asked) <= 40


def test_as_published_every_verdict_is_the_published_oracles(run: Run) -> None:
    options = {"relocate": False, "as_published": True}
    campaign = run({"fault": "phantom", "distance": 12, "rate": 0.5}, options, count=6)
    verdicts = set()
    for recipe, status, old, new in rows(
        campaign,
        "SELECT recipe, status, b.value, a.value FROM cases JOIN predictions b "
        "ON b.number = before JOIN predictions a ON a.number = after WHERE role = 'test'",
    ):
        placed = json.loads(recipe)
        x, y = placed["x"], placed["y"]
        box = (x, y, x + placed["width"], y + placed["height"])
        before, after = prediction_from_text(old), prediction_from_text(new)
        assert isinstance(before, Detections)
        assert isinstance(after, Detections)
        assert placed["blending"] == "hard"
        assert (status == "failing") == fails_as_published(before, after, box, 0.5)
        verdicts.add(status)
    assert verdicts == {"failing", "holds"}


def test_rows_do_not_depend_on_batch_and_workers(run: Run) -> None:
    digests = set()
    for name, engine in (("a", {"batch": 1}), ("b", {"batch": 8, "workers": 2})):
        campaign = run({"fault": "loses", "distance": 12}, count=4, name=name, **engine)
        with closing(Journal(campaign.out_folder / "journal.sqlite")) as journal:
            digests.add(journal.digest())
    assert len(digests) == 1
