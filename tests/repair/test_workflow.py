"""A repair from end to end, on a toy detector with a planted fault."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from PIL import Image

from snellen.errors import UserError
from snellen.repair.data_split.division import division
from snellen.repair.evaluation.repair_verdict import RepairVerdict
from snellen.repair.page.words import LONG
from snellen.repair.repair_outcome import Outcome
from snellen.repair.repair_plan import load_plan
from snellen.repair.repair_watcher import SilentRepairWatcher
from snellen.repair.training.training_watcher import StepProgress
from snellen.repair.words import lines
from snellen.repair.workflow import RepairRequest, run_repair
from snellen.scenes.coco.writer import write_coco
from snellen.subjects.registry import open_subject
from tests.repair.toy_repair import circles, coco, material, write_configuration

torch.set_num_threads(1)

Repair = Callable[..., Outcome]
SHORT = {"epochs": 1, "steps": 2, "device": "cpu", "workers": 0}
"""A training that changes the weights, where it does not matter what is learnt."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return material(tmp_path_factory)


@pytest.fixture
def repair(toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repair:
    """Carry out a repair in the test's folder: what is asked, then changes of the configuration."""
    monkeypatch.setenv("SNELLEN_CACHE", str(toy / "cache"))

    def carry_out(
        asked: RepairRequest | None = None, watcher: Any = None, **changes: Any
    ) -> Outcome:
        changes = {"fresh": False, **changes}
        plan = load_plan(write_configuration(tmp_path, toy, **changes))
        return run_repair(plan, asked, watcher)

    return carry_out


@pytest.fixture(scope="module")
def finished(toy: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A repair with all three configurations; its folder is not to be written to."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SNELLEN_CACHE", str(toy / "cache"))
        return run_repair(load_plan(write_configuration(folder, toy)))


def results(root: Path) -> dict[str, bytes]:
    """All files of a repair that must not depend on how it came about."""
    names = ["outcome.json", "evaluation.json", "split.json", "repair.yaml", "stages/*.json",
             "rounds/*/retrain/**/*.*", "rounds/*/training/*/toy.pt",
             "rounds/*/training/*/subject.yaml"]  # fmt: skip
    return {
        str(path.relative_to(root)): path.read_bytes()
        for name in names
        for path in sorted(root.glob(name))
        if path.is_file()
    }


def test_the_planted_fault_is_found_and_failing_cases_lessen_it(finished: Outcome) -> None:
    assert finished.test.failing > 0.3 * finished.test.cases
    rows = {row.named.name: row.named.evaluation for row in finished.rows}
    assert list(rows) == ["more-training", "failing", "synthetic"]
    assert rows["failing"].failures.difference.high < 0
    assert rows["failing"].fresh is not None


def test_ways_differ_in_their_pictures_alone(finished: Outcome) -> None:
    output = {one["name"]: one for one in finished.to_json()["ways"]}
    steps = {one["training"]["steps"] for one in output.values()}
    assert steps == {18}
    pictures = {name: one["training"]["pictures"] for name, one in output.items()}
    assert pictures["more-training"] == 0
    assert pictures["failing"] == pictures["synthetic"] > 0
    assert len({one["fingerprint"] for one in output.values()}) == 3
    manifest = json.loads((finished.root / "rounds/1/retrain/synthetic/manifest.json").read_text())
    assert {one["why"] for made in manifest["pictures"] for one in made["inserted"]} == {"random"}


def test_nothing_of_the_evaluation_is_trained_on(finished: Outcome) -> None:
    split = json.loads((finished.root / "split.json").read_text())
    digests = [set(split["scenes"][part].values()) for part in ("train", "repair", "evaluate")]
    assert not digests[0] & digests[1]
    assert not (digests[0] | digests[1]) & digests[2]
    assert not set(split["objects"]["repair"]) & set(split["objects"]["evaluate"])
    for row in finished.rows:
        assert row.named.evaluation.held.held_out is True


def test_the_word_is_the_verdicts_alone(finished: Outcome) -> None:
    said = "\n".join(lines(finished))
    words = [row.named.evaluation.verdict for row in finished.rows]
    assert (": more robust." in said) is (RepairVerdict.MORE_ROBUST in words)
    for row in finished.rows:
        assert f"{row.named.name}: {LONG[row.named.evaluation.verdict]}." in said
    assert "Next:" in said


def test_the_repaired_subject_opens_from_its_file(finished: Outcome) -> None:
    output = finished.to_json()["ways"][1]
    values = yaml.safe_load((finished.root / output["subject"]).read_text())
    with closing(open_subject(values["subject"], Path(values["base"]))) as subject:
        assert subject.fingerprint == output["fingerprint"]
        assert subject.score == pytest.approx(0.3)


def test_the_page_and_its_figures_lie_in_the_folder(finished: Outcome) -> None:
    page = (finished.root / "repair.html").read_text()
    for name in ("more-training", "failing", "synthetic"):
        assert name in page
    figures = json.loads((finished.root / "evaluation.json").read_text())
    assert len(figures["evaluations"]) == 3


def test_a_finished_repair_is_not_done_again(
    finished: Outcome, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(toy / "cache"))
    before = results(finished.root)
    seen = Seen()
    run_repair(load_plan(finished.root), RepairRequest(resume=True), seen)
    assert not [stage for stage in seen.stages if stage.startswith("round")]
    assert results(finished.root) == before
    with pytest.raises(UserError, match="already contains a repair"):
        run_repair(load_plan(finished.root))
    with pytest.raises(UserError, match="differs from the one that started this repair"):
        run_repair(load_plan(finished.root, ["seed=8"]), RepairRequest(resume=True))


class Seen(SilentRepairWatcher):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.stages: list[str] = []

    def stage_started(self, stage: str) -> None:
        self.stages.append(stage)


class Killed(BaseException):
    """Nothing of Snellen catches it, as nothing catches a kill."""


class Cut(Seen):
    """Ends everything at the beginning of some stage, or within a training."""

    def __init__(self, stage: str | None = None, step: int = 0) -> None:
        super().__init__()
        self._stage, self._step = stage, step

    def stage_started(self, stage: str) -> None:
        super().stage_started(stage)
        if stage == self._stage and not self._step:
            raise Killed

    def step_done(self, progress: StepProgress) -> None:
        if self.stages[-1] == self._stage and progress.step == self._step:
            raise Killed


def test_a_repair_that_is_killed_at_every_stage_ends_with_the_same_bytes(
    repair: Repair, tmp_path: Path
) -> None:
    few = {"configurations": ["failing"]}
    seen = Seen()
    repair(watcher=seen, **few)
    whole = results(tmp_path / "repair")
    shutil.rmtree(tmp_path / "repair")
    cuts = [(stage, step) for stage in seen.stages[2:] for step in (0, 9)]
    for stage, step in (one for one in cuts if one[1] == 0 or "training" in one[0]):
        with pytest.raises(Killed):
            repair(RepairRequest(resume=True), Cut(stage, step), **few)
        if stage != "writing the page":
            assert not (tmp_path / "repair" / "outcome.json").exists()
    repair(RepairRequest(resume=True), **few)
    found = results(tmp_path / "repair")
    assert found.keys() == whole.keys()
    assert [name for name in whole if found[name] != whole[name]] == []


def test_grid_rounds_and_evaluation_add_to_a_repair(repair: Repair, tmp_path: Path) -> None:
    few: dict[str, Any] = {
        "configurations": ["more-training"],
        "grid": [[0, 1], [1, 0]],
        "iterate": {"patience": 2},
        "training": SHORT,
    }
    assert [row.named.name for row in repair(**few).rows] == ["more-training"]
    grid = repair(RepairRequest(resume=True, grid=True), **few)
    rows = {row.named.name: row.named for row in grid.rows}
    assert list(rows) == ["0f+1r", "1f+0r", "more-training"], "what was done before is shown too"
    assert (rows["0f+1r"].failing, rows["0f+1r"].random) == (0, 1)
    table = json.loads((tmp_path / "repair" / "evaluation.json").read_text())["evaluations"]
    assert [(one["f"], one["r"]) for one in table] == [(0, 1), (1, 0), (None, None)]

    seen = Seen()
    rounds = repair(RepairRequest(resume=True, rounds=2), seen, **few)
    assert rounds.rounds is not None
    assert [one.number for one in rounds.rounds.rounds] == list(range(1, len(rounds.rows) + 1))
    assert "round 1: training failing" in seen.stages
    assert rounds.rounds.decided_by == "evaluate"
    assert any("may be slightly optimistic" in line for line in lines(rounds))
    page = (tmp_path / "repair" / "repair.html").read_text()
    assert "Round 1: the failure rate" in page
    assert "Stopped: " in page

    seen = Seen()
    again = repair(RepairRequest(evaluate=True), seen, **few)
    assert not [one for one in seen.stages if one.startswith("round")]
    names = [row.named.name for row in again.rows]
    made = [f"round {number}" for number in range(1, len(rounds.rows) + 1)]
    assert names == ["more-training", "0f+1r", "1f+0r", *made]
    output = json.loads((tmp_path / "repair" / "outcome.json").read_text())
    assert [one["name"] for one in output["ways"]] == names
    assert output["iterated"] == json.loads(json.dumps(rounds.rounds.to_json()))
    assert again.best.named.name == output["best"]
    same = {row.named.name: row.named.to_json() for row in rounds.rows}
    assert {row.named.name: row.named.to_json() for row in again.rows[3:]} == same


def test_each_round_starts_from_the_last_and_tests_new_places(
    repair: Repair, toy: Path, tmp_path: Path
) -> None:
    write_coco(circles(4, 14), tmp_path / "watch")
    scenes = {use: coco(toy / "scenes" / use) for use in ("train", "repair", "evaluate")}
    scenes["watch"] = coco(tmp_path / "watch")
    found = repair(RepairRequest(rounds=2), iterate={"patience": 3}, scenes=scenes, training=SHORT)
    assert found.rounds is not None
    assert found.rounds.decided_by == "watch"
    assert not any("too good" in line for line in lines(found))
    if len(found.rounds.rounds) < 2:
        assert found.rounds.stopped  # nothing failed any more, and the reason is told
        return
    root = tmp_path / "repair" / "rounds"
    first, second = (yaml.safe_load((root / n / "test/config.yaml").read_text()) for n in "12")
    assert first["seed"] != second["seed"]
    assert "rounds/1/training/failing" in second["subject"]["arguments"]["weights"]
    facts = [json.loads((tmp_path / f"repair/stages/{n}-training-failing.json").read_text())
             for n in "12"]  # fmt: skip
    new = json.loads((root / "2/retrain/failing/manifest.json").read_text())["pictures"]
    counts = [one["facts"]["pictures"] for one in facts]
    assert counts[1] == counts[0] + len(new), "pictures of all rounds are trained on"


def test_one_set_is_divided_by_the_seed_and_nothing_leaks(
    repair: Repair, toy: Path, tmp_path: Path
) -> None:
    write_coco(circles(20, 31), tmp_path / "all")
    twice = tmp_path / "all" / "images" / "circle-31-0.png"
    few: dict[str, Any] = {
        "scenes": coco(tmp_path / "all"),
        "split": {"train": 1, "repair": 1, "evaluate": 1.5, "watch": 0.5},
        "objects": {**coco(toy / "objects" / "repair"), "prune": "none"},
        "configurations": ["failing"],
        "training": SHORT,
    }
    shutil.copyfile(twice, tmp_path / "all" / "images" / "circle-31-1.png")
    found = repair(**few)
    split = json.loads((tmp_path / "repair" / "split.json").read_text())
    assert {use: len(some) for use, some in split["scenes"].items()} == {
        "train": 5, "repair": 5, "evaluate": 7, "watch": 2
    }  # fmt: skip
    assert [one["scene"] for one in split["left_out"]] == ["circle-31-1.png"]
    assert not set(split["objects"]["repair"]) & set(split["objects"]["evaluate"])
    assert found.rows[0].named.evaluation.held.held_out is True


def _in_another_format(toy: Path) -> dict[str, Any]:
    """Evaluation scenes of which one is a repair scene under another name, as BMP."""
    place = toy / "scenes" / "disguised"
    if not place.exists():
        shutil.copytree(toy / "scenes" / "evaluate", place)
        with Image.open(toy / "scenes/repair/images/circle-12-0.png") as picture:
            picture.save(place / "images" / "circle-13-0.bmp")
        output = (place / "instances.json").read_text()
        (place / "instances.json").write_text(output.replace("circle-13-0.png", "circle-13-0.bmp"))
    uses = {"train": "train", "repair": "repair", "evaluate": "disguised"}
    return {"scenes": {use: coco(toy / "scenes" / name) for use, name in uses.items()}}


LEAKS: list[tuple[str, Callable[[Path], dict[str, Any]], str]] = [
    (
        "a scene in two parts",
        lambda toy: {"scenes": {"train": coco(toy / "scenes/train"),
                                "repair": coco(toy / "scenes/repair"),
                                "evaluate": coco(toy / "scenes/repair")}},
        "is in the repair scenes and in the evaluation scenes",
    ),
    (
        "an object in two parts",
        lambda toy: {"objects": {use: {**coco(toy / "objects/repair"), "prune": "none"}
                                 for use in ("repair", "evaluate")}},
        "is inserted in the repair scenes and in the evaluation scenes",
    ),
    (
        "objects of evaluation cut out of what is trained on",
        lambda toy: {"objects": {"repair": {**coco(toy / "objects/repair"), "prune": "none"},
                                 "evaluate": {**coco(toy / "scenes/train"), "prune": "none"}}},
        "was cut out of scene",
    ),
    (
        "the same pixels in another file format",
        _in_another_format,
        "have the same pixels",
    ),
    (
        "a part that is missing",
        lambda toy: {"scenes": {"train": coco(toy / "scenes/train"),
                                "evaluate": coco(toy / "scenes/evaluate")}},
        "scenes.repair: missing",
    ),
    (
        "a part that is misspelt",
        lambda toy: {"scenes": {"trian": coco(toy / "scenes/train")}},
        "scenes.trian: unknown key; did you mean 'train'",
    ),
    (
        "a subject that cannot learn",
        lambda toy: {"subject": {"kind": "planted"}},
        "can be tested but not trained",
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "words"), [one[1:] for one in LEAKS], ids=[o[0] for o in LEAKS]
)
def test_what_would_prove_nothing_is_refused_and_leaves_nothing(
    repair: Repair, toy: Path, tmp_path: Path, changes: Callable[[Path], dict[str, Any]], words: str
) -> None:
    with pytest.raises(UserError) as output:
        repair(**changes(toy))
    assert words in str(output.value)
    assert not (tmp_path / "repair").exists()


def test_scenes_that_changed_on_the_way_are_noticed(
    repair: Repair, toy: Path, tmp_path: Path
) -> None:
    shutil.copytree(toy / "scenes", tmp_path / "scenes")
    parts = {use: coco(tmp_path / "scenes" / use) for use in ("train", "repair", "evaluate")}
    seen = Cut("round 1: testing tests.repair.toy_detector:open_toy on the repair scenes")
    with pytest.raises(Killed):
        repair(watcher=seen, scenes=parts)
    images = tmp_path / "scenes" / "repair" / "images"
    shutil.copyfile(toy / "objects/repair/images/square-21-0.png", images / "circle-12-0.png")
    with pytest.raises(UserError, match="the scenes of 'repair' differ from those"):
        repair(RepairRequest(resume=True), scenes=parts)


def test_where_nothing_was_trained_yet_there_is_nothing_to_evaluate(repair: Repair) -> None:
    with pytest.raises(Killed):
        repair(
            watcher=Cut("round 1: testing tests.repair.toy_detector:open_toy on the repair scenes")
        )
    seen = Seen()
    with pytest.raises(UserError, match="there is no repaired subject to evaluate"):
        repair(RepairRequest(evaluate=True), seen)
    assert not [one for one in seen.stages if "testing" in one], "told before anything is asked"


def test_questions_that_do_not_go_together_are_refused(repair: Repair, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--iterate cannot be combined with --grid"):
        RepairRequest(grid=True, rounds=2)
    with pytest.raises(UserError, match="expected at least 1 round"):
        RepairRequest(rounds=0)
    with pytest.raises(UserError, match="there is no repair in this folder"):
        repair(RepairRequest(evaluate=True))
    (tmp_path / "repair").mkdir()
    (tmp_path / "repair" / "mine.txt").write_text("precious")
    with pytest.raises(UserError, match="exists and is not a repair folder"):
        repair()
    assert (tmp_path / "repair" / "mine.txt").read_text() == "precious"


def test_insertion_repairs_too(repair: Repair) -> None:
    found = repair(
        method="insertion",
        insertion={"per_object": 2, "labels": ["square"], "controls": 0.0, "relocate": False},
        configurations=["failing"],
        training=SHORT,
    )
    assert found.test.failing > 0
    assert found.rows[0].facts["pictures"] > 0
    assert found.rows[0].named.evaluation.method == "insertion"


def test_without_objects_each_side_cuts_them_out_of_its_own_scenes(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(toy / "cache"))
    plan = load_plan(write_configuration(tmp_path, toy, objects=None))
    with closing(open_subject(plan.options.subject, plan.folder)) as subject:
        found = division(plan, subject)
    for use, scenes in (("repair", "train"), ("evaluate", "evaluate")):
        assert found.objects[use].ids
        digests = {scene.digest for scene in found.scenes[scenes]}
        assert set(found.objects[use].sources.values()) <= digests


def test_whoever_watches_sees_how_far_objects_are_cut_out(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))

    class Cutting(SilentRepairWatcher):
        def __init__(self) -> None:
            self.output: list[tuple[int, int]] = []

        def preparing(self, what: str, done: int, total: int) -> None:
            if what == "cutting objects out of scenes":
                self.output.append((done, total))
            elif what == "pictures":
                raise Killed

    seen = Cutting()
    with pytest.raises(Killed):
        run_repair(load_plan(write_configuration(tmp_path, toy)), watcher=seen)
    assert {total for _, total in seen.output} == {6}
    assert [done for done, _ in seen.output].count(6) == 2, "objects of repair and of evaluation"


def test_where_nothing_fails_there_is_nothing_to_repair_with(repair: Repair) -> None:
    harmless = {"score": 0.4, "tests_per_level": 1, "levels": [1.0], "contour": "box",
                "uncertainty": "none", "size_ratio": [0.01, 0.02], "controls": 0.0}  # fmt: skip
    with pytest.raises(UserError, match="tests failed, so there are no failures to train on"):
        repair(robustness=harmless, configurations=["failing"])


def test_repair_scenes_as_they_are_can_be_trained_on_too(repair: Repair) -> None:
    found = {
        unchanged: repair(
            configurations=["more-training"],
            training=SHORT,
            fresh=False,
            unchanged=unchanged,
            engine={"workers": int(unchanged)},  # cases can be built in a process of their own
            out=f"repair-{unchanged}",
        )
        for unchanged in (False, True)
    }
    train, both = (outcome.workspace.original for outcome in found.values())
    assert {one.id for one in both} - {one.id for one in train} == {
        one.id for one in found[True].workspace.split.sets["repair"]
    }
    first, second = (outcome.rows[0].named.evaluation.after for outcome in found.values())
    assert first.fingerprint != second.fingerprint
