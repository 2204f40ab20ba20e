"""A study's folder: deterministic, complete, balanced, and refused where it cannot be made."""

from __future__ import annotations

import time
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.registry import recipe_from_json
from snellen.errors import UserError
from snellen.scenes.pictures import read_picture
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.study.data.design_rows import read_design
from snellen.study.data.record_reader import read_record
from snellen.study.data.study_file import readable_study
from snellen.study.design.creation import create_study
from snellen.study.design.rendered_sample import Rendered, render
from snellen.study.design.scene_groups import check_places, group_count, scene_groups
from snellen.study.design.scene_truth import scene_truths
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import ORIGINAL
from snellen.study.trial import StudyTask, TrialKind
from snellen.vision.visual_change.registry import visual_measure
from tests.study.made_study import SCENES, create, made_study, options_of


@cache
def scenes_of(count: int) -> SceneSet:
    return open_scenes({**SCENES, "count": count}, Path())


def design_of(folder: Path) -> StudyDesign:
    with readable_study(folder) as db:
        return read_design(db)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}


def test_the_same_configuration_gives_the_same_bytes_and_another_seed_other_names(
    tmp_path: Path,
) -> None:
    changes: dict[str, Any] = {"tasks": ["classify", "rank"], "samples": 8}
    first, again, other = (
        contents(create(tmp_path / name, seed=seed, **changes))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first == again
    assert "study.sqlite" in first
    mode = (tmp_path / "a" / "study.sqlite").stat().st_mode
    assert mode & 0o777 == 0o600, "truth and answers are the owner's"
    assert not set(first) & set(other) - {"study.yaml", "study.sqlite"}


def test_every_picture_is_what_its_recipe_builds_and_changed_as_recorded(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    record = read_record(folder)
    scenes = {one.id: one for one in open_scenes(options_of().scenes, tmp_path)}
    measure = visual_measure(record.measure)
    for name, sample in record.samples.items():
        shown = read_picture(folder / "pictures" / f"{name}.png")
        scene = scenes[sample.scene]
        built = recipe_from_json(sample.recipe).build(scene, {})
        assert np.array_equal(shown, built)
        change = measure.compare(scene.pixels(), shown)
        assert sample.delta_v == pytest.approx(change, abs=1e-6)
        assert (sample.transformation == ORIGINAL) == (sample.level is None)
        if sample.transformation == ORIGINAL:
            assert np.array_equal(shown, scene.pixels())


def test_jpeg_pictures_are_measured_as_shown(tmp_path: Path) -> None:
    folder = create(tmp_path / "s", pictures="jpeg", tasks=["localise"], samples=4)
    record = read_record(folder)
    scenes = {one.id: one for one in open_scenes(options_of().scenes, tmp_path)}
    for name, sample in record.samples.items():
        if sample.transformation != ORIGINAL:
            shown = read_picture(folder / "pictures" / f"{name}.jpg")
            change = visual_measure(record.measure).compare(scenes[sample.scene].pixels(), shown)
            assert sample.delta_v == pytest.approx(change, abs=1e-6)


def test_changes_are_uniform_and_each_batch_has_all_corruptions_and_the_whole_range(
    tmp_path: Path,
) -> None:
    folder = create(
        tmp_path / "s",
        scenes={**SCENES, "count": 90},
        tasks=["classify"],
        samples=80,
        batch=20,
        originals=0.25,
        strongest=0.1,
    )
    design = design_of(folder)
    tests = design.of_kind(TrialKind.TEST)
    samples = [design.samples[one.samples[0]] for one in tests]
    kinds = Counter(one.transformation for one in samples)
    assert kinds == {ORIGINAL: 20, "brightness": 30, "contrast": 30}
    for name in ("brightness", "contrast"):
        changes = sorted(one.delta_v for one in samples if one.transformation == name)
        ideal = [(place + 0.5) / 30 * 0.1 for place in range(30)]
        assert np.abs(np.subtract(changes, ideal)).max() < 0.012
    for trials in design.batches.values():
        own = [design.samples[one.samples[0]] for one in trials]
        assert len({one.scene for one in own}) == 20
        by_kind = Counter(one.transformation for one in own)
        assert by_kind[ORIGINAL] == 5
        assert min(by_kind["brightness"], by_kind["contrast"]) >= 7
        assert sum(one.delta_v > 0.05 for one in own) in range(6, 10)
        assert Counter(one.right == one.label for one in trials)[True] in range(8, 13)


def test_every_scene_of_a_batch_is_also_seen_unchanged_and_asked_the_same(tmp_path: Path) -> None:
    folder = create(tmp_path / "s", tasks=["classify", "classify-box"], samples=32, originals=0.25)
    design = design_of(folder)
    for task in (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX):
        trials = design.of_kind(TrialKind.TEST, task)
        unchanged = {
            design.scene_of(one)
            for one in trials
            if design.samples[one.samples[0]].transformation == ORIGINAL
        }
        assert unchanged == {design.scene_of(one) for one in trials}
        asked = {(design.scene_of(one), one.label, one.object) for one in trials}
        assert len(asked) == len(unchanged)


def test_what_is_right_is_true_of_the_annotations(tmp_path: Path) -> None:
    design = design_of(made_study(tmp_path / "s"))
    for one in design.trials.values():
        objects = {thing.id: thing for thing in design.objects[design.scene_of(one)]}
        if one.task == StudyTask.CLASSIFY:
            there = one.label in {thing.label for thing in objects.values()}
            assert one.right == (one.label if there else f"no {one.label}")
            assert one.choices == (one.label, f"no {one.label}")
        elif one.object is not None:
            assert one.box == objects[one.object].box
            assert objects[one.object].label == (one.label or one.right)
            assert objects[one.object].label in ("tomato", "lemon", "lime")


def test_checks_show_easy_unchanged_scenes_that_nothing_else_shows(tmp_path: Path) -> None:
    design = design_of(made_study(tmp_path / "s"))
    use: dict[str, set[object]] = {}
    for one in design.trials.values():
        batch = ("batch",) if one.kind == TrialKind.TEST else (one.kind, one.task)
        use.setdefault(design.scene_of(one), set()).add(batch)
        if one.kind in (TrialKind.SANITY, TrialKind.QUALIFICATION):
            assert design.samples[one.samples[0]].transformation == ORIGINAL
    assert all(len(uses) == 1 for uses in use.values())


def test_names_of_pictures_and_trials_say_nothing(tmp_path: Path) -> None:
    folder = made_study(tmp_path / "s")
    design = design_of(folder)
    names = [*design.samples, *design.trials]
    assert all(len(one) == 16 and int(one, 16) >= 0 for one in names)
    assert len(set(names)) == len(names)
    assert sorted(design.trials) != list(design.trials)


@settings(max_examples=15)
@given(
    batch=st.integers(1, 6),
    batches=st.integers(1, 3),
    tasks=st.sets(st.sampled_from(["localise", "classify-box", "segment"]), min_size=1),
    samples=st.integers(1, 60),
    originals=st.sampled_from([0.0, 0.25, 0.5]),
    count=st.integers(1, 90),
)
def test_scenes_are_enough_or_the_error_says_how_many_are(
    batch: int, batches: int, tasks: set[str], samples: int, originals: float, count: int
) -> None:
    every_scene = scenes_of(90)
    scenes = SceneSet(every_scene.scenes[:count], every_scene.classes)
    options = options_of(
        batch=batch,
        batches=batches,
        tasks=sorted(tasks),
        samples=samples,
        originals=originals,
        classes=[],
    )
    truths = scene_truths(scenes, options)
    rng = np.random.default_rng(1)
    shown = batch * batches * len(tasks)
    least = shown + sum(check_places(options).values())
    if len(truths) < least or samples < shown:
        number = least if len(truths) < least else shown
        with pytest.raises(UserError, match=rf"expected {number} or more"):
            scene_groups(truths, options, rng)
        return
    found = scene_groups(truths, options, rng)
    used = [one.scene.id for group in found.groups for one in group]
    used += [one.scene.id for chosen in found.checks.values() for one in chosen]
    assert len(set(used)) == len(used)
    assert len(tasks) * batches <= len(found.groups) <= max(group_count(options), 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scenes": {**SCENES, "count": 20}}, "usable, expected 28 or more"),
        ({"samples": 8}, "samples: found 8, expected 16 or more"),
        ({"classes": ["tomatoe"]}, "did you mean 'tomato'"),
        ({"classes": ["tomato"]}, "classes: found 1, expected 2 or more"),
        ({"corruptions": ["frots"]}, "did you mean 'frost'"),
        ({"corruptions": []}, "corruptions: none named"),
        ({"measure": "vifpp"}, "did you mean 'vifp'"),
        ({"measure": "vifp_objects"}, "needs objects"),
        ({"boxes": "people", "tasks": ["classify-box"]}, "must have localise"),
        ({"tasks": ["classify"], "classes": ["tomato"], "scenes": None}, "always right"),
        ({"recruiting": {"link": "http://x"}}, "https"),
        ({"answers": {"segment": 0}}, "greater than 0"),
        ({"nmae": "x"}, "did you mean 'name'"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused_and_nothing_is_written(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    if changes.get("scenes", 0) is None:
        many = {**SCENES, "classes": ["tomato"]}
        changes = {**changes, "scenes": many}
    with pytest.raises(UserError, match=message):
        create(tmp_path / "out" / "s", **changes)
    assert not list(tmp_path.rglob("*"))


def test_scenes_without_annotations_or_masks_are_refused_with_what_to_do(tmp_path: Path) -> None:
    from snellen.scenes.pictures import write_picture

    (tmp_path / "photos").mkdir()
    for number in range(30):
        write_picture(tmp_path / "photos" / f"{number}.png", np.zeros((40, 40, 3), np.uint8))
    folder = {"kind": "folder", "path": "photos"}
    with pytest.raises(UserError, match=r"localise needs annotated scenes.*tasks: \[rank\]"):
        create(tmp_path / "s", scenes=folder, tasks=["localise"], classes=[])
    with pytest.raises(UserError, match="Name objects"):
        create(tmp_path / "s", scenes=folder, tasks=["rank"], classes=[], samples=4)
    assert not (tmp_path / "s").exists()


def test_a_study_that_is_interrupted_leaves_nothing_and_renders_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[Path] = []

    def counted(*given: Any) -> Rendered:
        rendered.append(given[3])
        time.sleep(0.01)
        return render(*given)

    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("snellen.study.design.creation.render", counted)
    options = options_of(tasks=["localise"], samples=80, originals=0.5)
    with pytest.raises(KeyboardInterrupt):
        create_study(options, tmp_path, tmp_path / "s", interrupted)
    assert len(rendered) < 60
    assert not list(tmp_path.iterdir())
