"""A method of another package that offers `Repairs` is repaired like a built-in one."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import torch

from snellen import plugins
from snellen.contract.repairs import Repairs, Retrains
from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.errors import UserError
from snellen.methods.kind import METHODS, kinds_offering
from snellen.repair.data_split.leakage import DataPart
from snellen.repair.evaluation.evaluation_sides import opened_sides
from snellen.repair.evaluation.paired_evaluation import evaluate_pair
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.evaluation.run_replay import replay_run
from snellen.repair.repair_plan import load_plan, plan_from
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.set_maker import retraining_set_of
from snellen.repair.workflow import run_repair
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.store.journal import journal_of
from tests.repair.nearby_method import NAME
from tests.repair.toy_repair import configuration, material, write_configuration

torch.set_num_threads(1)

FAULTY = {"kind": "planted", "fault": "loses", "distance": 40}
BLIND = {"kind": "planted", "fault": "loses", "victims": "any", "rate": 0.3, "seed": 2}
TRAINED = [DataPart("training", synthetic_scenes(SyntheticOptions(count=4, seed=77)).scenes)]


@pytest.fixture(scope="module", autouse=True)
def _plugged_in() -> Iterator[None]:
    """The method is registered as an installed package would register it."""
    group = METHODS.group
    own = EntryPoint(NAME, "tests.repair.nearby_method:METHOD", group)
    broken = EntryPoint("broken", "tests.repair.no_such_module:METHOD", group)
    found = plugins.installed(group)
    kept = dict(found)
    found |= {NAME: own, "broken": broken}
    yield
    found.clear()
    found.update(kept)


def campaign(method: str, **values: Any) -> dict[str, Any]:
    return {
        "method": method,
        "seed": 3,
        "scenes": {"kind": "synthetic", "count": 12, "seed": 5, "size": [144, 192],
                   "objects": [1, 2]},
        "subject": FAULTY,
        "engine": {"workers": 0},
        "out": "run",
        **values,
    }  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A run of a faulty subject, and its replays by other subjects."""
    place = tmp_path_factory.mktemp("nearby")
    objects = {"kind": "synthetic", "count": 4, "seed": 9, "shade": "deep"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(place / "cache"))
        values = campaign(NAME, objects=objects, nearby={"tests": 3})
        run_campaign(campaign_from(values, place / "nearby.yaml"))
        subjects: dict[str, Any] = {"same": None, "mended": {"kind": "planted"}, "blind": BLIND}
        for name, subject in subjects.items():
            replay_run(place / "run", subject, place / name)
        yield place


def statuses(run: Path) -> list[str]:
    with closing(journal_of(run)) as journal:
        query = "SELECT status FROM cases WHERE role = 'test' ORDER BY unit, number"
        return [status for (status,) in journal.rows(query)]


def test_its_cases_are_put_to_other_subjects(folder: Path) -> None:
    assert "failing" in statuses(folder / "run")
    assert statuses(folder / "same") == statuses(folder / "run")
    assert set(statuses(folder / "mended")) == {"holds"}


def test_its_instances_keep_their_number_and_may_be_gone(folder: Path) -> None:
    with opened_sides(folder / "run", folder / "blind") as (before, after):
        assert any(one.undetected for one in after.tests().values())
        for key, one in after.tests().items():
            assert (one.instance, one.name) == (
                before.tests()[key].instance,
                before.tests()[key].name,
            )
        for (text,) in after.journal.rows("SELECT measurements FROM cases WHERE role = 'test'"):
            output = json.loads(text)
            assert (output["victim"] == -1) == bool(output["gone"]) == ("kept" not in output)


def test_its_repair_is_evaluated(folder: Path) -> None:
    found = evaluate_pair(folder / "same", folder / "mended", trained_on=TRAINED, by_id=False)
    assert found.method == NAME
    assert found.failures.before.value > 0 == found.failures.after.value
    assert found.equal is not None
    assert found.verdict == RepairVerdict.MORE_ROBUST


def test_retraining_sets_are_made_of_its_failures(folder: Path) -> None:
    made = retraining_set_of(folder / "run", RetrainingOptions(failing=1, random=1)).pictures
    inserted = [one for picture in made for one in picture.inserted]
    assert {one.why for one in inserted} == {"failing", "random"}
    assert all(one.instance is not None for one in inserted if one.why == "failing")


def test_it_is_repaired_from_a_configuration(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = material(tmp_path_factory)
    monkeypatch.setenv("SNELLEN_CACHE", str(toy / "cache"))
    changes = {
        "method": NAME,
        NAME: {"tests": 2},
        "configurations": ["failing"],
        "training": {"epochs": 1, "steps": 2, "device": "cpu", "workers": 0},
        "fresh": False,
    }
    found = run_repair(load_plan(write_configuration(tmp_path, toy, **changes)))
    assert found.test.failing > 0
    assert found.rows[0].facts["pictures"] > 0
    assert found.rows[0].named.evaluation.method == NAME


def test_methods_that_offer_repair_are_found_by_asking_them() -> None:
    assert kinds_offering(Repairs) == ["insertion", "robustness", NAME]
    assert kinds_offering(Retrains) == ["fusion", "insertion", "robustness", NAME]


def test_a_method_without_the_ability_is_refused_with_those_that_have_it(tmp_path: Path) -> None:
    run_campaign(campaign_from(campaign("identity"), tmp_path / "identity.yaml"))
    with pytest.raises(UserError, match=r"run of method identity; .*insertion, robustness or nea"):
        replay_run(tmp_path / "run", None, tmp_path / "out")
    with pytest.raises(UserError, match=r"identity inserts no objects.*robustness or nearby\."):
        retraining_set_of(tmp_path / "run", RetrainingOptions())
    values = configuration(tmp_path, method="identity", identity={"repeats": 2})
    with pytest.raises(UserError, match=r"method: found 'identity', expected one of insertion, ro"):
        plan_from(values, Path("x/toy.yaml"))


def test_repair_knows_no_method_by_name() -> None:
    """Neither by an import of its folder nor by a string that names it.

    `identity` is left out: it is a word for a training's data and options as well.
    """
    room = Path(plugins.__file__).parent / "repair"
    folders = tuple(f"snellen.methods.{name}" for name in METHODS.builtin)
    names = set(METHODS.builtin) - {"identity"}
    for file in room.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith(folders), f"{file}: {node.module}"
            if isinstance(node, ast.Constant):
                assert node.value not in names, f"{file}:{node.lineno}: {node.value!r}"
