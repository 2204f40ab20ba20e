"""The page says what the evaluation says, and no more."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from snellen.errors import UserError
from snellen.pages.gallery import WORDS_SCRIPT
from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.change import Change
from snellen.repair.evaluation.evaluation_sides import opened_sides
from snellen.repair.evaluation.paired_evaluation import evaluate_pair
from snellen.repair.page.case_selection import NEW, REPAIRED, STILL, select_cases
from snellen.repair.page.named_evaluation import NamedEvaluation, best_of
from snellen.repair.page.page_writer import write_page
from snellen.repair.training.training_curves import Curves
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.statistics.intervals import Interval, wilson_rate
from tests.repair.evaluation.conftest import Runs
from tests.repair.evaluation.planted_runs import SCENES

OTHER = DataPart("training", synthetic_scenes(SyntheticOptions(count=3, seed=77)).scenes)
OWN = DataPart(
    "repair scenes", synthetic_scenes(SyntheticOptions.model_validate(SCENES["robustness"]))
)
CURVES = Curves(
    {"box": [(0, 3.0), (1, 2.0)]},
    {
        "training loss": [(1, 3.0), (2, 2.0)],
        "validation loss": [(0, 4.0), (1, 3.5), (2, 3.0)],
        "validation AP": [(0, 0.31), (1, 0.33), (2, 0.36)],
    },
)


def named(planted: Runs, name: str, after: str, part: DataPart = OTHER) -> NamedEvaluation:
    found = evaluate_pair(planted("same"), planted(after), trained_on=[part], by_id=False)
    return NamedEvaluation(name, found, 3, 1, CURVES)


def every_row(planted: Runs) -> list[NamedEvaluation]:
    return [
        named(planted, "more training", "same"),
        named(planted, "failing cases", "half"),
        named(planted, "mended", "mended"),
    ]


def text_of(path: Path) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", path.read_text().split("</style>")[1]))


def test_the_page_leads_with_the_best_and_has_a_row_for_each(planted: Runs, tmp_path: Path) -> None:
    path = write_page(tmp_path, every_row(planted))
    output = text_of(path)
    assert "More robust: repaired (mended), it fails in 0.0%" in output
    assert all(name in output for name in ("before repair", "more training", "failing cases"))
    assert "3 + 1" in output
    assert "Repaired: fails before, passes after" in output
    assert "Validation AP" in output
    values = json.loads((tmp_path / "evaluation.json").read_text())
    assert [one["name"] for one in values["evaluations"]] == ["more training", "failing cases",
                                                             "mended"]  # fmt: skip
    assert values["evaluations"][2]["verdict"]["word"] == "more robust"
    assert "3 configurations were compared on the same scenes" in output


def test_the_same_evaluation_gives_the_same_bytes(planted: Runs, tmp_path: Path) -> None:
    pages = [write_page(tmp_path / name, [named(planted, "mended", "mended")]) for name in "ab"]
    assert pages[0].read_bytes() == pages[1].read_bytes()
    figures = [(tmp_path / name / "evaluation.json").read_bytes() for name in "ab"]
    assert figures[0] == figures[1]


def test_a_gain_on_its_own_repair_scenes_is_never_called_more_robust(
    planted: Runs, tmp_path: Path
) -> None:
    path = write_page(tmp_path, [named(planted, "mended", "mended", OWN)])
    output = text_of(path)
    assert (
        "No evidence of robustness: mended is measured on the data it was repaired with" in output
    )
    assert "More robust:" not in output
    assert "The evaluation was not held out" in output


def test_the_page_fetches_nothing_and_runs_its_own_script_alone(
    planted: Runs, tmp_path: Path
) -> None:
    evil = "<script>alert(1)</script>"
    one = named(planted, evil, "half")
    page = write_page(tmp_path, [one]).read_text()
    assert evil not in page
    assert "&lt;script&gt;alert(1)" in page
    assert re.findall(r"https?://|src=|@import", page) == []
    assert re.findall(r"<script>(.*?)</script>", page, re.DOTALL) == [WORDS_SCRIPT.text()]
    assert "default-src 'none'" in unescape(page)
    assert page.count("<h1>") == 1
    assert re.search(r"<svg[^>]*role=\"img\"[^>]*aria-label", page)


def test_pictures_are_left_out_where_scenes_are_gone(
    planted: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = named(planted, "mended", "mended")
    monkeypatch.setattr(
        "snellen.engine.start.opened_campaign.scenes_of",
        lambda campaign: (_ for _ in ()).throw(OSError("no")),
    )
    output = text_of(write_page(tmp_path, [one]))
    assert "The same cases" not in output
    assert "Before and after" in output


def test_cases_shown_are_what_they_are_called(planted: Runs) -> None:
    with opened_sides(planted("half"), planted("same")) as (before, after):
        found = select_cases(before, after, 2)
    kinds = [one.kind for one in found]
    assert kinds == sorted(kinds, key=[REPAIRED, NEW, STILL].index)
    assert NEW in kinds
    assert REPAIRED not in kinds  # half fails in some of what the other fails in, and no more
    for one in found:
        assert one.before.recipe == one.after.recipe
        assert one.before.scene == one.after.scene
        assert (one.before.status, one.after.status) == (
            ("holds", "failing") if one.kind == NEW else ("failing", "failing")
        )


def test_a_run_without_tests_has_a_page_that_says_so(planted: Runs, tmp_path: Path) -> None:
    one = named(planted, "mended", "mended")
    none, unknown = wilson_rate(0, 0), Interval(math.nan, -1.0, 1.0, "x")
    nothing = Change(none, none, unknown)
    empty = replace(one.evaluation, failures=nothing, repaired=none, new=none, by_level={})
    output = text_of(write_page(tmp_path, [replace(one, evaluation=empty)]))
    assert "fails in no cases" in output
    assert "changes by an unknown amount" in output
    assert "nan" not in output


def test_names_must_differ_and_the_chosen_one_be_there(planted: Runs, tmp_path: Path) -> None:
    one = named(planted, "mended", "mended")
    with pytest.raises(UserError, match="unique names"):
        write_page(tmp_path, [one, one])
    with pytest.raises(UserError, match="expected one of mended"):
        write_page(tmp_path, [one], chosen="other")
    with pytest.raises(UserError, match="no evaluation"):
        write_page(tmp_path, [])


def test_the_best_is_first_by_word_then_by_rate(planted: Runs) -> None:
    rows = every_row(planted)
    assert best_of(rows).name == "mended"
    assert best_of([rows[0], named(planted, "leaky", "mended", OWN)]).name == "more training"
