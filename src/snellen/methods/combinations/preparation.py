"""The preparation of a run of `combinations`: objects, rows, and their assignment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from snellen.contract.method import Setting
from snellen.methods.combinations.composition.canvas import photographs
from snellen.methods.combinations.composition.object_assignment import RowObjects, assign_objects
from snellen.methods.combinations.dataset.baseline import LabelledPhotograph, labelled_photographs
from snellen.methods.combinations.dataset.training_counts import training_counts
from snellen.methods.combinations.object_validation.single_objects import (
    extra_label_facts,
    single_objects,
)
from snellen.methods.combinations.object_validation.validated_library import (
    RejectedObject,
    validated_library,
)
from snellen.methods.combinations.options import CombinationOptions
from snellen.methods.combinations.row_plan import label_ids, plan_rows
from snellen.objects.label_names import plain_name
from snellen.objects.library.library import Entry, Library, ids_digest
from snellen.objects.library.open_objects import CUTTING, open_objects
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import Picture

VALIDATING = "showing each object alone"


@dataclass(frozen=True, eq=False)
class PreparedRows:
    """The objects and backgrounds, and for each row the labels present and their objects.

    singles: by class id, objects to test alone. photographs: to compare with.
    """

    library: Library
    backgrounds: dict[str, Picture]
    rows: tuple[tuple[int, ...], ...]
    hands: list[RowObjects]
    facts: Mapping[str, Any]
    singles: Mapping[int, tuple[Entry, ...]] = field(default_factory=dict)
    photographs: tuple[LabelledPhotograph, ...] = ()


def prepare_rows(options: CombinationOptions, setting: Setting) -> PreparedRows:
    """The prepared objects and rows, before the first question."""
    classes = setting.subject.classes
    backgrounds = photographs(setting.scenes, classes, options.background)
    library, rejected = _libraries(options, setting, tuple(backgrounds))
    objects = objects_by_label(library, classes)
    plan = plan_rows(options, classes, objects.keys(), setting.seed, setting.folder)
    hands = assign_objects(plan.rows, objects, options.images, setting.seed)
    wanted = label_ids(options.labels, classes, "combinations.labels")
    facts = {
        "labels": list(classes),
        "usable": [classes[one] for one in wanted if one in objects],
        "unusable": {
            classes[one]: _why(classes[one], rejected) for one in wanted if one not in objects
        },
        "objects": {
            "kept": {classes[one]: len(entries) for one, entries in sorted(objects.items())},
            "rejected": dict(sorted(Counter(one.why for one in rejected).items())),
            "digest": ids_digest(library),
        },
        "array": {**plan.facts, "left_out": plan.left_out},
        "alone": extra_label_facts(library),
        "training": _training(options, setting),
    }
    singles = single_objects(library, classes, options.singles)
    singles = {label: some for label, some in singles.items() if label in wanted}
    count = sum(options.images if row else 1 for row in plan.rows)
    compared = _photographs(options, setting, count)
    return PreparedRows(library, backgrounds, plan.rows, hands, facts, singles, compared)


def _photographs(
    options: CombinationOptions, setting: Setting, count: int
) -> tuple[LabelledPhotograph, ...]:
    """The photographs to compare with; none unless asked for."""
    if options.baseline is None:
        return ()
    where = "combinations.baseline"
    scenes = open_scenes(
        options.baseline, setting.folder, skip_invalid=setting.skip_invalid, where=where
    )
    return labelled_photographs(scenes, setting.subject.classes, count, setting.seed)


def _libraries(
    options: CombinationOptions, setting: Setting, digests: tuple[str, ...]
) -> tuple[Library, tuple[RejectedObject, ...]]:
    """The usable objects, and the rejected ones with reasons."""
    assert setting.objects is not None
    tell = setting.progress
    whole = open_objects(
        setting.objects,
        setting.folder,
        setting.subject,
        "objects",
        skip_invalid=setting.skip_invalid,
        progress=partial(tell, CUTTING) if tell else None,
    )
    if not options.validated:
        return whole, ()
    good = validated_library(
        whole,
        setting.subject,
        options.arrangement(digests),
        together=None if options.as_published else options.max_present,
        progress=partial(tell, VALIDATING) if tell else None,
    )
    return good, good.rejected


def objects_by_label(library: Library, classes: Sequence[str]) -> dict[int, list[Entry]]:
    """The objects of each of the subject's labels that has any, ignoring spelling variants."""
    known = {plain_name(name): id for id, name in enumerate(classes)}
    found: dict[int, list[Entry]] = {}
    for label in library.labels():
        if plain_name(label) in known:
            found.setdefault(known[plain_name(label)], []).extend(library.entries(label))
    return found


def _why(label: str, rejected: Sequence[RejectedObject]) -> str:
    """Why a label has no object to show."""
    mine = [one.why for one in rejected if plain_name(one.entry.label) == plain_name(label)]
    if not mine:
        return "no object in the library"
    reasons = ", ".join(f"{count} {why}" for why, count in Counter(mine).most_common(3))
    return f"none of its {len(mine)} objects is labelled exactly when shown alone: {reasons}"


def _training(options: CombinationOptions, setting: Setting) -> dict[str, Any] | None:
    if options.training is None:
        return None
    where = "combinations.training"
    scenes = open_scenes(
        options.training, setting.folder, skip_invalid=setting.skip_invalid, where=where
    )
    return training_counts(scenes, setting.subject.classes)
