"""The Kyushu tables: their parts against numbers worked out by hand, and a small run of all."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from experiments.kyushu import published
from experiments.kyushu.__main__ import main
from experiments.kyushu.before_after import PairedTests, figures
from experiments.kyushu.characteristics import (
    HARD,
    PUBLISHED,
    Characteristics,
    JudgedRates,
    failing_cases,
    inserted,
)
from experiments.kyushu.crosstab import crosstab, halves
from experiments.kyushu.crosstab_tables import crosstab_table
from experiments.kyushu.grid_tables import grid
from experiments.kyushu.number_format import relative, signed, spread
from experiments.kyushu.placement_pictures import FAR, NEAR, PlacementKind, cases_of
from experiments.kyushu.retraining_rows import Row
from experiments.kyushu.rq1_tables import rq1
from experiments.kyushu.run_subset import clusterable, has_failures, run_part, scattered

from snellen.methods.robustness.instance_notes import InstanceCounts, UncertaintyNote
from snellen.methods.robustness.level_tables import level_tables
from snellen.repair.evaluation import evaluation_sides as sides
from snellen.repair.evaluation.paired_cases import PairedCases
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Interval, wilson_rate
from snellen.store.journal import Journal
from snellen.store.rates import JudgedCases
from snellen.store.run_folder import CONFIG, JOURNAL


def cells(text: str, first: str) -> list[str]:
    """The cells of the first line of a Markdown table that begins with a cell."""
    line = next(line for line in text.splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_numbers_have_their_intervals_and_changes_with_their_sign() -> None:
    one = Interval(-0.1, -0.2, 0.05, "by hand")
    assert spread(one, 100, 1) == "-10.0 (-20.0 to 5.0)"
    assert signed(one, 100) == "-10.0 (-20.0 to +5.0)"
    assert spread(None) == signed(None) == relative(0.0, 1.0) == "-"
    assert relative(0.142, 0.1047) == "-26.3%"
    assert relative(-2.0, -3.0) == "-50.0%"


# RQ1


def _rates(scenes: int) -> Any:
    weights = scene_weights(scenes, 200, np.random.default_rng(1))
    return SimpleNamespace(weights=weights, place=int)


def _tests(rows: Sequence[tuple[int, float, str, bool, dict[str, float]]]) -> JudgedCases:
    """Scene, base, object, failing and measurements of each test."""
    scenes, bases, objects, failing, output = zip(*rows, strict=True)
    return JudgedCases(
        np.array(scenes),
        np.array(failing),
        tuple({"object": one} for one in objects),
        tuple({"base": base, **one} for base, one in zip(bases, output, strict=True)),
    )


def test_a_change_too_small_to_be_hard_fails_as_published_alone() -> None:
    kept = {"recognised": 1.0, "class_kept": 1.0, "place_kept": 1.0}
    moved = {**kept, "place_kept": 0.0}
    tests = _tests([(0, 0, "a", False, kept), (0, 0, "a", False, moved), (1, 0, "b", True, moved)])
    assert failing_cases(tests, PUBLISHED).tolist() == [False, True, True]
    assert failing_cases(tests, HARD).tolist() == [False, False, True]


def test_an_inserting_instance_counts_once_around_each_base_instance() -> None:
    # Object a fails in 0 of 3 tests, b in 1 of 2, c in 1 of 1; a further one has no uncertainty.
    rows = [
        *[(0, 0.0, "a", False, {"inserted_uncertainty": 1.0})] * 3,
        (1, 0.0, "b", False, {"inserted_uncertainty": 2.0}),
        (1, 0.0, "b", True, {"inserted_uncertainty": 2.0}),
        (2, 0.0, "c", True, {"inserted_uncertainty": 3.0}),
        *[(3, 0.0, "d", True, {})] * 4,
    ]
    tests = _tests(rows)
    found = inserted(tests, tests.failing, "inserted_uncertainty", _rates(4))
    assert found is not None
    assert found.objects == 3
    assert found.value == pytest.approx(1.0)
    assert inserted(tests, tests.failing, "inserted_alone", _rates(4)) is None


def _instance(scene: int, score: float, unsure: float, failing: int, tests: int) -> InstanceCounts:
    output = dict.fromkeys(("box_entropy", "box_trace", "class_entropy", "mutual_information"), 0.0)
    return InstanceCounts(
        scene=str(scene),
        box=(0.0, 0.0, 30.0, 40.0),
        score=score,
        uncertainty=UncertaintyNote(**output, total=unsure, found=1.0),
        failing=failing,
        tests=tests,
    )


def test_fig_6_has_uncertainty_down_and_score_across() -> None:
    instances = [
        _instance(0, 0.3, 1.0, 1, 4),  # lowest of both
        _instance(1, 1.0, 1.0, 3, 4),  # surest, highest score
        _instance(2, 0.3, 2.0, 0, 8),  # most uncertain, lowest score
    ]
    nothing = wilson_rate(0, 0)
    levels = level_tables(instances, _rates(3))
    judged = JudgedRates(wilson_rate(4, 16), wilson_rate(0, 2), nothing, levels,
                    {"score": None, "uncertainty": None},
                    None, [wilson_rate(3, 8), wilson_rate(1, 8)])  # fmt: skip
    text = rq1(Characteristics(instances, 3, 4, 5, {PUBLISHED: judged}))
    assert "4 of 5 scenes were examined" in text
    far = text[text.index("F_r by distance") :]
    assert cells(far, "1")[1].endswith("3 of 8")
    assert cells(far, "2")[1].endswith("1 of 8")
    fig = text[text.index("Fig. 6") :]
    lowest = cells(fig, "0% - 20%")
    assert lowest[1].startswith("0.250")
    assert lowest[1].endswith("1 of 4, 1 inst.")
    assert lowest[5].startswith("0.750")
    assert lowest[2:5] == ["no data"] * 3
    highest = cells(fig, "80% - 100%")
    assert highest[1].startswith("0.000")
    assert highest[5] == "no data"
    assert cells(text, "all instances")[1:3] == ["1.333", "3"]
    assert cells(text, "0% - 20%")[1:3] == ["1.000", "2"]
    theirs = text[text.index("Published:") :]
    assert cells(theirs, "0% - 20%")[1:] == ["0.3675", "0.2712", "0.2478", "0.1854", "0.1446"]
    assert cells(theirs, "80% - 100%")[4:] == ["no data", "no data"]


# RQ2


def _both(before: str, after: str, values: Sequence[dict[str, float]] = ()) -> PairedTests:
    """Three instances of two scenes, four tests each; x fails, g is gone, . holds."""
    scene = np.repeat([0, 0, 1], 4)
    instance = np.repeat([0, 1, 2], 4)
    names = [("first", 0), ("first", 1), ("second", 0)]

    def side(marks: str) -> tuple[sides.CaseOutcome, ...]:
        return tuple(
            sides.CaseOutcome(names[k][0], str(n), names[k], 1, "cat", mark == "x", mark == "g")
            for n, (mark, k) in enumerate(zip(marks, instance.tolist(), strict=True))
        )

    ones = np.ones(12, dtype=np.int64)
    tests = PairedCases(("first", "second"), tuple(names), scene, instance, ones,
                        ("cat",) * 12, side(before), side(after))  # fmt: skip
    measured = {str(n): {"object": 0.0, **one} for n, one in enumerate(values)}
    return PairedTests(
        tests, measured, ({("first", 0): 2.0}, {("first", 0): 3.0, ("second", 0): 9.0})
    )


def test_figures_count_repaired_and_new_failures_and_what_is_gone() -> None:
    found = figures(_both("xx..x.......", "......xxgggg"))
    assert (found.instances, found.scenes) == (3, 2)
    assert found.failures.before.value == pytest.approx(3 / 12)
    assert found.failures.after.value == pytest.approx(6 / 12)
    assert found.repaired.value == pytest.approx(3 / 12)
    assert found.new.value == pytest.approx(6 / 12)
    assert found.undetected.before.value == 0
    assert found.undetected.after.value == pytest.approx(1 / 3)
    # Of the two that failed before, one has none left and one has more.
    assert found.shares.almost_none.value == found.shares.more.value == 0.5
    assert found.spared.value == pytest.approx(1 / 3)
    assert found.uncertainty is not None
    assert (found.uncertainty.before.value, found.uncertainty.after.value) == (2.0, 3.0)


BASE = [0.1, 0.5, 0.9]


def _crossed_values() -> list[dict[str, float]]:
    """Base instances 0 and 1 up to the median; objects 0 and 1 around each, 0 the lower."""
    return [
        {
            "base_uncertainty": BASE[n // 4],
            "base_score": BASE[2 - n // 4],
            "inserted_uncertainty": float(n % 2),
            "object": float(n % 2),
            **({"inserted_alone": 0.5 + n % 2} if n // 4 < 2 else {}),
        }
        for n in range(12)
    ]


def test_halves_are_of_instances_and_leave_out_what_is_not_known() -> None:
    both = _both("." * 12, "." * 12, _crossed_values())
    low, high = halves(both, "base_uncertainty", ("instance",))
    assert low.tolist() == [True] * 8 + [False] * 4
    assert high.tolist() == [False] * 8 + [True] * 4
    low, high = halves(both, "inserted_alone", ("instance", "object"))
    assert low.tolist() == [True, False] * 4 + [False] * 4
    assert high.tolist() == [False, True] * 4 + [False] * 4


def test_the_median_is_not_pulled_by_an_instance_with_many_tests() -> None:
    both = _both("." * 12, "." * 12, _crossed_values())
    many = np.array([0] * 10 + [1, 2])
    scores = [[0.9, 0.5, 0.1][k] for k in many]
    output = [{**one, "base_score": scores[n]} for n, one in enumerate(_crossed_values())]
    moved = replace(
        both,
        tests=replace(both.tests, instance=many),
        measured={str(n): one for n, one in enumerate(output)},
    )
    low, _ = halves(moved, "base_score", ("instance",))
    assert low.tolist() == [False] * 10 + [True, True]


def test_table_4_has_new_and_repaired_failures_by_both_sorts_of_instances() -> None:
    values = _crossed_values()
    rows = [
        _both("x.......x...", "....x...x...", values),
        _both("x.......x...", "x...........", values),
    ]
    made = crosstab(rows)
    # Low uncertain base (instances 0 and 1), low uncertain inserting (even tests): 4 tests twice.
    assert made[0][0].new.value == pytest.approx(1 / 8)
    assert made[0][0].repaired.value == pytest.approx(1 / 8)
    assert made[0][1].new.value == made[0][1].repaired.value == 0
    # The third instance: its only failing test is repaired once of two times.
    assert made[1][0].repaired.value == pytest.approx(1 / 4)
    # Low score: instances 1 and 2. High score: instance 0.
    assert made[3][0].repaired.value == pytest.approx(1 / 4)
    assert made[3][0].new.value == 0
    # Alone scores are not known of what was put around the third instance.
    assert made[1][2].new.cases == 0
    text = crosstab_table({PUBLISHED: made}, {PUBLISHED: made}, ["1f+0r"])
    assert cells(text, "low uncertain base")[1].startswith("12.50 (")
    assert cells(text, "high uncertain base")[3] == "no data"
    theirs = text[text.index("Published:") :]
    assert cells(theirs, "high uncertain base")[1] == "1.825 new; 0.875 repaired"


def test_table_2_has_our_figures_beside_those_of_the_same_published_row() -> None:
    both = _both("xx..x.......", "......xx....")
    judged = {PUBLISHED: both, HARD: _both("." * 12, "x" + "." * 11)}
    evaluation: Any = SimpleNamespace(
        precision=None, uncertainty=None, verdict=RepairVerdict.NOT_SHOWN
    )
    row = Row("3f+0r", judged, judged, evaluation, pictures=7, steps=48)
    text = grid({"3f+0r": row})
    assert cells(text, "nothing (baseline)")[2].startswith("0.250 (")
    assert cells(text, "nothing (baseline)")[-5:-3] == ["2.314", "0.142"]
    ours = cells(text, "3f+0r")
    assert ours[1].startswith("3.000")
    assert ours[2].startswith("0.167 (")
    assert ours[3].startswith("-8.3 (")
    assert ours[4:9] == ["-33.3%", "0.500", "0.000", "0.500", "0.000"]
    assert ours[9].startswith("25.00 (")
    assert ours[10].startswith("16.67 (")
    assert ours[-5:] == [f"{value:g}" for value in published.GRID["3f+0r"]]
    hard = text[text.index(f"Judged by {HARD}") :]
    assert cells(hard, "3f+0r")[2].startswith("0.083 (")
    assert len(cells(hard, "3f+0r")) == 12
    verdict = text[text.index("clean AP and verdicts") :]
    assert cells(verdict, "3f+0r")[1:3] == ["7", "48"]


INSTANCES = [
    {"base": 0, "failing": 2, "clusters": {"clusterable": True}},
    {"base": 4, "failing": 1, "clusters": {"clusterable": False}},
    {"base": 5, "failing": 0, "clusters": {"clusterable": False}},
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with one unit, three instances, two tests each at levels 1 and 5, a control."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / CONFIG).write_text("method: robustness\n")
    notes = json.dumps({"instances": INSTANCES})
    with closing(Journal(folder / JOURNAL)) as journal:
        db = journal._db
        db.execute("INSERT INTO units VALUES (3, 'u', 's', 'done', 9, ?)", (notes,))
        db.execute("INSERT INTO predictions VALUES (1, '{}')")
        failing = {(0, 1), (0, 5), (4, 5)}
        roles = [("test", base, level) for base in (0, 4, 5) for level in (1, 5)]
        for number, (role, base, level) in enumerate([*roles, ("control:patch", 0, 1)]):
            status = "failing" if role == "test" and (base, level) in failing else "holds"
            output = json.dumps({"base": float(base), "level": float(level)})
            db.execute(
                "INSERT INTO cases VALUES (3, ?, ?, ?, ?, '{}', 1, 1, ?, NULL)",
                (number, f"c{base}-{level}-{role}", role, status, output),
            )
            db.execute(
                'INSERT INTO events (unit, "case", number, kind, severity, label, class, margin) '
                "VALUES (3, ?, 0, 'lost', 'hard', 0, 'cat', 0.5)",
                (number,),
            )
    return folder


@pytest.mark.parametrize(
    ("chosen", "bases"), [(has_failures, {0, 4}), (clusterable, {0}), (scattered, {4})]
)
def test_a_part_of_a_run_has_all_tests_of_its_instances_and_nothing_else(
    run: Path, tmp_path: Path, chosen: Callable[..., bool], bases: set[int]
) -> None:
    part = run_part(run, chosen, tmp_path / "part")
    expected = {f"c{base}-{level}-test" for base in bases for level in (1, 5)}
    with closing(Journal(part / JOURNAL)) as journal:
        assert {id for (id,) in journal.rows("SELECT id FROM cases")} == expected
        [(events,)] = journal.rows("SELECT count(*) FROM events")
    assert events == len(expected)
    with closing(Journal(run / JOURNAL)) as journal:
        assert journal.rows("SELECT count(*) FROM cases") == [(7,)]
    assert run_part(run, chosen, part) == part


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        (PlacementKind("C_r", clusterable), {"c0-1-test", "c0-5-test"}),
        (PlacementKind("failing", scattered), {"c4-5-test"}),
        (PlacementKind("Nc_n", scattered, levels=NEAR), {"c4-1-test"}),
        (PlacementKind("Nc_f", scattered, levels=FAR), {"c4-5-test"}),
    ],
)
def test_a_placement_uses_failing_places_or_those_of_its_levels(
    run: Path, placement: PlacementKind, expected: set[str]
) -> None:
    with closing(Journal(run / JOURNAL)) as journal:
        assert cases_of(journal, placement) == expected


@pytest.mark.thorough
def test_a_small_version_of_the_tables_is_written(
    shared: Callable[[str], Path], tmp_path: Path
) -> None:
    data = shared("coco_val64").parent
    shared("coco_train128")
    runs = tmp_path / "runs"
    words = f"--quick --data {data} --runs {runs} --tables 1 2 4"
    main(words.split())
    text = (runs / "results.md").read_text(encoding="utf-8")
    assert all(f"Table {number}" in text for number in (1, 2, 4))
    assert [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| 3f+0r")] == [
        "| 3f+0r"
    ] * 5
    assert len(cells(text, "more-training")) == 17
    assert "measured on what" not in text
