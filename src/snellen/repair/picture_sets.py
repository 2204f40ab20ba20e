"""The retraining set of a way, written; and several sets taken as one."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from snellen.configuration import read_yaml
from snellen.errors import UserError
from snellen.repair.repair_arms import Arm
from snellen.repair.retraining.option_hints import KEYS
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.retraining_set import RetrainingSet
from snellen.repair.retraining.set_maker import retraining_set
from snellen.repair.retraining.set_writer import MANIFEST, SCENES, write_retraining_set
from snellen.report.reopened_run import Reopened, reopened
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Scene, SceneSet
from snellen.store.journal import Journal, journal_of

KEPT = (MANIFEST, SCENES, "instances.json")


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Annotated pictures to repair with. sources: the id of the scene of each, by its own id."""

    scenes: SceneSet
    sources: Mapping[str, str]


NO_PICTURES = PictureSet(SceneSet(()), {})


def write_set(run: Path, way: Arm, out: Path) -> dict[str, int]:
    """Write a way's retraining set of a finished run; how many pictures and insertions it has."""
    assert way.retraining is not None
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        found = _made(journal, opened, way.retraining, way.as_many_as)
        write_retraining_set(found, out, "coco")
    inserted = sum(len(one.inserted) for one in found.made)
    return {"pictures": len(found.made), "insertions": inserted}


def _made(
    journal: Journal,
    run: Reopened,
    options: RetrainingOptions,
    as_many_as: RetrainingOptions | None,
) -> RetrainingSet:
    if as_many_as is None:
        return retraining_set(journal, run, options, KEYS)
    wanted = len(retraining_set(journal, run, as_many_as, KEYS).made)
    each = max(options.pictures, math.ceil(wanted / max(1, len(run.scenes))))
    found = retraining_set(journal, run, options.model_copy(update={"pictures": each}), KEYS)
    return _some(found, wanted, options.seed)


def _some(found: RetrainingSet, count: int, seed: int) -> RetrainingSet:
    """The set with at most so many of its pictures, drawn at random, in their order."""
    order = np.random.default_rng(seed).permutation(len(found.made))[:count]
    made = tuple(found.made[place] for place in sorted(order.tolist()))
    used = {one.object for picture in made for one in picture.inserted}
    return replace(
        found,
        made=made,
        scenes=replace(found.scenes, scenes=tuple(one.scene for one in made)),
        objects={id: source for id, source in found.objects.items() if id in used},
    )


def read_set(folder: Path) -> PictureSet:
    """A set that was written."""
    told = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    scenes = open_scenes(read_yaml(folder / SCENES), folder, where=f"{folder / SCENES}")
    return PictureSet(scenes, {one["id"]: one["scene"] for one in told["pictures"]})


def join_picture_sets(sets: Sequence[PictureSet]) -> PictureSet:
    """Several sets as one; ids begin with the set's number, classes are joined by their names."""
    if len(sets) == 1:
        return sets[0]
    names = tuple(dict.fromkeys(name for one in sets for name in one.scenes.classes))
    scenes: list[Scene] = []
    sources: dict[str, str] = {}
    for number, one in enumerate(sets, 1):
        places = np.array([names.index(name) for name in one.scenes.classes], dtype=np.int64)
        for scene in one.scenes:
            id = f"{number}/{scene.id}"
            sources[id] = one.sources[scene.id]
            scenes.append(_renumbered(scene, id, places))
    return PictureSet(SceneSet(tuple(scenes), names, tuple(range(1, len(names) + 1))), sources)


def join_scene_sets(first: SceneSet, second: SceneSet) -> SceneSet:
    """Annotated scenes of two sets as one, classes joined by their names; ids stay."""
    names = tuple(dict.fromkeys((*first.classes, *second.classes)))
    scenes = []
    for one in (first, second):
        places = np.array([names.index(name) for name in one.classes], dtype=np.int64)
        scenes += [_renumbered(scene, scene.id, places) for scene in one]
    return SceneSet(tuple(scenes), names, tuple(range(1, len(names) + 1)))


def _renumbered(scene: Scene, id: str, places: np.ndarray) -> Scene:
    known = scene.annotations
    if known is None:
        raise UserError(
            f"scene '{scene.id}' has no annotations, so there is nothing to learn from it. Give "
            "annotated scenes."
        )
    labels = places[known.labels] if len(known) else known.labels
    return replace(scene, id=id, annotations=replace(known, labels=labels))
