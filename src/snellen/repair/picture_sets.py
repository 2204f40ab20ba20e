"""The retraining set of an arm on disk, and several sets joined."""

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
    """Annotated repair pictures. sources: the id of each one's scene, by the picture's id."""

    scenes: SceneSet
    sources: Mapping[str, str]


NO_PICTURES = PictureSet(SceneSet(()), {})


def write_set(run: Path, arm: Arm, out: Path) -> dict[str, int]:
    """Write an arm's retraining set from a finished run; the numbers of pictures and insertions."""
    assert arm.retraining is not None
    with closing(journal_of(run)) as journal, reopened(run, journal) as opened:
        found = _made(journal, opened, arm.retraining, arm.as_many_as)
        write_retraining_set(found, out, "coco")
    inserted = sum(len(one.inserted) for one in found.pictures)
    return {"pictures": len(found.pictures), "insertions": inserted}


def _made(
    journal: Journal,
    run: Reopened,
    options: RetrainingOptions,
    as_many_as: RetrainingOptions | None,
) -> RetrainingSet:
    if as_many_as is None:
        return retraining_set(journal, run, options, KEYS)
    wanted = len(retraining_set(journal, run, as_many_as, KEYS).pictures)
    each = max(options.pictures, math.ceil(wanted / max(1, len(run.scenes))))
    found = retraining_set(journal, run, options.model_copy(update={"pictures": each}), KEYS)
    return _some(found, wanted, options.seed)


def _some(found: RetrainingSet, count: int, seed: int) -> RetrainingSet:
    """The set with at most `count` of its pictures, drawn at random, in their order."""
    order = np.random.default_rng(seed).permutation(len(found.pictures))[:count]
    made = tuple(found.pictures[place] for place in sorted(order.tolist()))
    used = {one.object for picture in made for one in picture.inserted}
    return replace(
        found,
        pictures=made,
        scenes=replace(found.scenes, scenes=tuple(one.scene for one in made)),
        objects={id: source for id, source in found.objects.items() if id in used},
    )


def read_set(folder: Path) -> PictureSet:
    """The set in a folder."""
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    scenes = open_scenes(read_yaml(folder / SCENES), folder, where=f"{folder / SCENES}")
    return PictureSet(scenes, {one["id"]: one["scene"] for one in manifest["pictures"]})


def join_picture_sets(sets: Sequence[PictureSet]) -> PictureSet:
    """Several sets as one; ids start with the set's number, classes are joined by name."""
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
    """Annotated scenes of two sets as one, classes joined by name; ids are unchanged."""
    names = tuple(dict.fromkeys((*first.classes, *second.classes)))
    scenes = []
    for one in (first, second):
        places = np.array([names.index(name) for name in one.classes], dtype=np.int64)
        scenes += [_renumbered(scene, scene.id, places) for scene in one]
    return SceneSet(tuple(scenes), names, tuple(range(1, len(names) + 1)))


def _renumbered(scene: Scene, id: str, places: np.ndarray) -> Scene:
    annotations = scene.annotations
    if annotations is None:
        raise UserError(
            f"scene '{scene.id}' has no annotations, so it cannot be used for training. Use "
            "annotated scenes."
        )
    labels = places[annotations.labels] if len(annotations) else annotations.labels
    return replace(scene, id=id, annotations=replace(annotations, labels=labels))
