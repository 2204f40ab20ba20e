"""The scenes and objects of a repair by use, without overlap between uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from snellen.errors import UserError, nearest
from snellen.objects.library.folder_library import FolderLibrary
from snellen.objects.library.library_builder import Progress
from snellen.objects.library.open_objects import open_objects
from snellen.repair.data_split.assignment import assign_objects, assign_parts, without_copies
from snellen.repair.data_split.held_out_file import sources_in
from snellen.repair.data_split.leakage import DataPart, refuse_copies, refuse_leaks
from snellen.repair.repair_plan import RepairPlan
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import SceneSet, Skipped
from snellen.subjects.subject import Subject

TRAIN, REPAIR, EVALUATE, WATCH = USES = ("train", "repair", "evaluate", "watch")
NAMES = {
    TRAIN: "the training scenes",
    REPAIR: "the repair scenes",
    EVALUATE: "the evaluation scenes",
    WATCH: "the watch scenes",
}
INSERTING = (REPAIR, EVALUATE)
"""Uses with their own objects; `watch` shares those of `evaluate`."""


@dataclass(frozen=True, eq=False)
class DividedObjects:
    """The objects of one use: a library and the ids used."""

    library: FolderLibrary
    ids: frozenset[str]

    @property
    def sources(self) -> dict[str, str]:
        """The digest of the scene that each was cut from, by the object's id."""
        return {id: one for id, one in sources_in(self.library).items() if id in self.ids}


@dataclass(frozen=True, eq=False)
class Division:
    """Scenes by use, and objects of repair and evaluation.

    whole: whether the scenes are one set that was split. left_out: scenes that are not used.
    """

    scenes: Mapping[str, SceneSet]
    objects: Mapping[str, DividedObjects]
    whole: bool
    left_out: tuple[Skipped, ...] = ()

    def parts(self) -> list[DataPart]:
        """The uses as parts to check for leakage."""
        return [
            DataPart(
                NAMES[use],
                tuple(scenes),
                self.objects[use].sources if use in self.objects else {},
                held_out=use in (EVALUATE, WATCH),
            )
            for use, scenes in self.scenes.items()
        ]


class Cutting(NamedTuple):
    """The subject that helps to cut objects out of scenes, and a progress callback."""

    subject: Subject
    progress: Progress | None


def division(plan: RepairPlan, subject: Subject, progress: Progress | None = None) -> Division:
    """The scenes and objects of a plan, split where it names one set; leakage is an error.

    progress: called with the number of scenes that objects were cut from.
    """
    given, cutting = plan.options.scenes, Cutting(subject, progress)
    found = _divided(plan, cutting) if "kind" in given else _given(plan, cutting)
    for use in (REPAIR, EVALUATE):
        refuse_copies(DataPart(NAMES[use], tuple(found.scenes[use])))
    refuse_leaks(found.parts(), by_id=not plan.options.ids_may_repeat)
    return found


def _divided(plan: RepairPlan, cutting: Cutting) -> Division:
    options = plan.options
    every = _scenes(plan, options.scenes, "scenes")
    unique, copies = without_copies(every)
    shares = {use: getattr(options.split, use) for use in USES if getattr(options.split, use)}
    homes = assign_parts((scene.digest for scene in unique), shares, options.seed)
    scenes = {
        use: replace(every, scenes=tuple(s for s in unique if homes[s.digest] == use))
        for use in shares
    }
    empty = [use for use, some in scenes.items() if not len(some)]
    if empty:
        raise UserError(
            f"{plan.file}: scenes: {len(unique)} different scenes are too few: none is left for "
            f"'{empty[0]}' with the shares {shares}. Add scenes, or change `split`."
        )
    objects = _objects(plan, cutting, options.objects or options.scenes, homes)
    return Division(scenes, objects, True, (*every.skipped, *copies))


def _given(plan: RepairPlan, cutting: Cutting) -> Division:
    given, where = plan.options.scenes, f"{plan.file}: scenes"
    _check_uses(given, USES, (TRAIN, REPAIR, EVALUATE), where)
    uses = [use for use in USES if use in given]
    scenes = {use: _scenes(plan, given[use], f"scenes.{use}") for use in uses}
    homes = {scene.digest: use for use in uses for scene in scenes[use]}
    objects = plan.options.objects or {REPAIR: given[TRAIN], EVALUATE: given[EVALUATE]}
    skipped = tuple(one for some in scenes.values() for one in some.skipped)
    return Division(scenes, _objects(plan, cutting, objects, homes), False, skipped)


def _scenes(plan: RepairPlan, values: Mapping[str, Any], name: str) -> SceneSet:
    where = f"{plan.file}: {name}"
    return open_scenes(values, plan.folder, skip_invalid=plan.options.skip_invalid, where=where)


def _objects(
    plan: RepairPlan, cutting: Cutting, given: Mapping[str, Any], homes: Mapping[str, str]
) -> dict[str, DividedObjects]:
    """homes: the use of each scene by its digest."""
    if "kind" in given:
        library = _library(plan, cutting, given, "objects")
        options = plan.options
        uses = assign_objects(sources_in(library), homes, options.split.objects, options.seed)
        chosen = {use: frozenset(id for id, own in uses.items() if own == use) for use in INSERTING}
        for use in (one for one in INSERTING if not chosen[one]):
            raise UserError(
                f"{plan.file}: objects: none of {len(uses)} objects is left for '{use}': an object "
                "has the use of the scene it was cut from. Add objects, or give one set each under "
                "`repair` and `evaluate`."
            )
        return {use: DividedObjects(library, chosen[use]) for use in INSERTING}
    _check_uses(given, INSERTING, INSERTING, f"{plan.file}: objects")
    libraries = {use: _library(plan, cutting, given[use], f"objects.{use}") for use in INSERTING}
    return {use: DividedObjects(one, frozenset(sources_in(one))) for use, one in libraries.items()}


def _library(
    plan: RepairPlan, cutting: Cutting, values: Mapping[str, Any], name: str
) -> FolderLibrary:
    return open_objects(
        values,
        plan.folder,
        cutting.subject,
        f"{plan.file}: {name}",
        skip_invalid=plan.options.skip_invalid,
        progress=cutting.progress,
    )


def _check_uses(
    given: Mapping[str, Any], valid: tuple[str, ...], needed: tuple[str, ...], where: str
) -> None:
    for name, value in given.items():
        if name not in valid:
            raise UserError(f"{where}.{name}: unknown key{nearest(str(name), [*valid, 'kind'])}")
        if not isinstance(value, Mapping):
            raise UserError(f"{where}.{name}: found {value!r}, expected keys and values")
    missing = [name for name in needed if name not in given]
    if missing:
        raise UserError(
            f"{where}.{missing[0]}: missing. Give one set with `kind`, to be split, or one set "
            f"each under {', '.join(needed)}."
        )
