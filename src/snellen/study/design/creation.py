"""`create_study`: a study's folder, from its configuration."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from snellen import __version__
from snellen.configuration.stored_configuration import as_yaml, check_storable
from snellen.disk.atomic_file import new_folder, write_atomically
from snellen.errors import UserError
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet
from snellen.study.data.design_rows import write_design
from snellen.study.data.study_file import CONFIG, DATABASE
from snellen.study.design.insertion_pipelines import InsertionPipelines, open_pipelines
from snellen.study.design.opaque_names import OpaqueNames
from snellen.study.design.question_plan import check_classes
from snellen.study.design.rendered_sample import (
    PICTURES,
    SUFFIX,
    Rendered,
    noise_mask,
    reached_recipe,
    render,
    write_shown,
)
from snellen.study.design.scene_groups import scene_groups
from snellen.study.design.scene_truth import SceneTruth, scene_truths, studied_classes
from snellen.study.design.study_cost import StudyCost, study_cost
from snellen.study.design.study_design import StudyDesign
from snellen.study.design.trial_plan import NamedSample, TrialPlan, trial_plan
from snellen.study.options import PictureFormat, StudyOptions
from snellen.study.record import StudySample, TrueObject
from snellen.study.trial import ShownPicture, StudyTask
from snellen.vision.visual_change.registry import visual_measure

FLASHED = (StudyTask.CLASSIFY, StudyTask.CLASSIFY_BOX)
"""Tasks whose picture is flashed and followed by noise."""
NOISE_MASKS = 4
"""Noise masks of each size, so that nobody learns to see through one."""
LIBRARIES = ("numpy", "opencv-python-headless", "pillow", "scipy")

Count = Callable[[int, int], None]


def create_study(
    options: StudyOptions,
    folder: Path,
    out: Path,
    progress: Count | None = None,
    *,
    skip_invalid: bool = False,
) -> StudyCost:
    """Write the folder of a study, completely or not at all; what the study takes.

    folder: relative paths start here. progress: is called with how many pictures are rendered, and
    of how many. The same options and scenes give the same bytes with the same libraries.
    """
    base = folder.absolute() if options.base is None else folder.absolute() / options.base
    skip = skip_invalid or options.skip_invalid
    options = options.model_copy(update={"base": str(base), "skip_invalid": skip})
    values = options.model_dump(mode="json")
    check_storable(values, out)
    scenes = open_scenes(options.scenes, base, skip_invalid=skip)
    plan = _plan(options, scenes, base)
    with new_folder(out) as draft:
        (draft / PICTURES).mkdir()
        design = _rendered(plan, draft, progress)
        write_design(draft / DATABASE, design)
        (draft / DATABASE).chmod(0o600)  # it has the truth, and will have people's answers
        write_atomically(draft / CONFIG, as_yaml(values).encode())
    return study_cost(design)


def _plan(options: StudyOptions, scenes: SceneSet, base: Path) -> TrialPlan:
    truths = scene_truths(scenes, options)
    classes = studied_classes(scenes, options)
    check_classes(options.tasks, classes)
    rng = np.random.default_rng([options.seed, 0x53747564])
    groups = scene_groups(truths, options, rng)
    names = OpaqueNames(_key(options, truths))
    pipelines = None
    if StudyTask.RANK in options.tasks:
        pipelines = open_pipelines(options, truths, base, skip_invalid=options.skip_invalid)
    return trial_plan(options, classes, groups, names, pipelines, rng)


def _key(options: StudyOptions, truths: Sequence[SceneTruth]) -> bytes:
    """What names are made under: whoever knows it has the configuration and the scenes."""
    state = hashlib.blake2b(options.model_dump_json(exclude={"base"}).encode())
    for one in truths:
        state.update(one.scene.digest.encode())
    return state.digest()


def _rendered(plan: TrialPlan, draft: Path, progress: Count | None) -> StudyDesign:
    options = plan.options
    made = _render_all(plan, draft / PICTURES, progress)
    samples, pictures, objects = {}, {}, {}
    for one in plan.samples.values():
        planned, found = one.planned, made[one.name]
        scene = planned.truth.scene
        samples[one.name] = StudySample(
            sample=one.name,
            scene=scene.id,
            transformation=planned.transformation,
            level=found.level,
            delta_v=found.delta_v,
            recipe=found.recipe,
        )
        height, width = scene.size
        pictures[one.name] = ShownPicture(name=one.name, width=width, height=height)
        objects[scene.id] = planned.truth.objects
    return StudyDesign(
        options,
        visual_measure(options.measure).identity,
        samples,
        pictures,
        _noise(plan, pictures, draft / PICTURES),
        _ordered(objects),
        {one.trial: one for one in plan.trials},
        plan.slots,
        versions(),
    )


def _render_all(plan: TrialPlan, folder: Path, progress: Count | None) -> dict[str, Rendered]:
    options = plan.options
    measure = visual_measure(options.measure)
    suffix = SUFFIX[options.pictures]
    materials = _materials(plan.pipelines)

    def made(one: NamedSample) -> Rendered:
        planned = one.planned
        recipe = one.recipe or reached_recipe(
            planned.truth.scene,
            planned.transformation,
            planned.delta_v,
            planned.seed,
            measure.identity,
            options.strongest,
        )
        path = folder / f"{one.name}{suffix}"
        try:
            return render(planned.truth.scene, recipe, measure, path, materials)
        except UserError as error:
            raise UserError(f"scene {planned.truth.scene.id}: {error}") from None

    found: dict[str, Rendered] = {}
    pool = ThreadPoolExecutor(min(4, os.cpu_count() or 1))
    try:
        for name, one in zip(plan.samples, pool.map(made, plan.samples.values()), strict=True):
            found[name] = one
            if progress is not None:
                progress(len(found), len(plan.samples))
    finally:
        pool.shutdown(cancel_futures=True)  # after an error or Ctrl-C, what is left is not made
    return found


def _materials(pipelines: InsertionPipelines | None) -> Mapping[str, Any]:
    return {} if pipelines is None else pipelines.materials


def _noise(
    plan: TrialPlan, pictures: Mapping[str, ShownPicture], folder: Path
) -> dict[tuple[int, int], tuple[ShownPicture, ...]]:
    flashed = [pictures[one.samples[0]] for one in plan.trials if one.task in FLASHED]
    sizes = sorted({(one.width, one.height) for one in flashed})
    return {size: _noise_of(size, plan.names, plan.rng, folder) for size in sizes}


def _noise_of(
    size: tuple[int, int], names: OpaqueNames, rng: Generator, folder: Path
) -> tuple[ShownPicture, ...]:
    width, height = size
    found = []
    for number in range(NOISE_MASKS):
        name = names.of("noise", width, height, number)
        write_shown(folder / f"{name}{SUFFIX[PictureFormat.PNG]}", noise_mask((height, width), rng))
        found.append(ShownPicture(name=name, width=width, height=height))
    return tuple(found)


def _ordered(
    objects: Mapping[str, tuple[TrueObject, ...]],
) -> dict[str, tuple[TrueObject, ...]]:
    return {scene: objects[scene] for scene in sorted(objects)}


def versions() -> dict[str, str]:
    """The versions of what renders pictures."""
    found = {"snellen": __version__}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except ModuleNotFoundError:  # OpenCV has wheels of several names
            found[name] = "unknown"
    return found
