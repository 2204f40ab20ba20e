"""Which scenes are shown for what, so that no participant sees one twice.

Practice, qualification and attention checks have scenes of their own, the easiest. The others
form groups of as many scenes as a batch has trials. A batch shows each scene of its group once, and
a participant passes batches of different groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import Generator

from snellen.errors import UserError
from snellen.study.design.scene_truth import SceneTruth
from snellen.study.options import StudyOptions
from snellen.study.trial import StudyTask, TrialKind


@dataclass(frozen=True, eq=False)
class SceneGroups:
    """The scenes of a study by use. checks: by kind and task; groups: of the batches."""

    checks: dict[tuple[TrialKind, StudyTask], tuple[SceneTruth, ...]]
    groups: tuple[tuple[SceneTruth, ...], ...]


def scene_groups(
    truths: Sequence[SceneTruth], options: StudyOptions, rng: Generator
) -> SceneGroups:
    """The scenes of a study by use; an error that says how many are missing."""
    places = check_places(options)
    _check_counts(len(truths), sum(places.values()), options)
    order = [truths[one] for one in rng.permutation(len(truths))]
    easy = sorted(order, key=lambda one: -one.easiness)
    taken = iter(easy)
    checks = {place: tuple(next(taken) for _ in range(count)) for place, count in places.items()}
    used = {id(one) for chosen in checks.values() for one in chosen}
    rest = [one for one in order if id(one) not in used]
    size = options.batch
    groups = [tuple(rest[start : start + size]) for start in range(0, len(rest), size)]
    whole = [group for group in groups if len(group) == size]
    return SceneGroups(checks, tuple(whole[: group_count(options)]))


def group_count(options: StudyOptions) -> int:
    """Groups of scenes, if there are enough scenes.

    With originals, each group comes back in so many batches that every scene is also seen
    unchanged, as far as participants' need of different groups allows: what people answer to the
    original is what a changed version must preserve.
    """
    batches = batch_count(options)
    if options.adaptive or not options.changes_pictures or not options.originals:
        return batches
    return max(options.batches_each, int(batches * options.originals))


def batch_count(options: StudyOptions) -> int:
    """Batches of each task; the pictures asked for are rounded up to whole ones."""
    return -(-options.samples * (options.pool if options.adaptive else 1) // options.batch)


def check_places(options: StudyOptions) -> dict[tuple[TrialKind, StudyTask], int]:
    """How many scenes each task's checks and practice take, the easiest uses first."""
    kinds = (TrialKind.SANITY, TrialKind.QUALIFICATION, TrialKind.PRACTICE)
    return {
        (kind, task): options.shown(kind, task)
        * (options.batches if kind == TrialKind.SANITY else 1)
        for kind in kinds
        for task in options.tasks
    }


def _check_counts(found: int, checks: int, options: StudyOptions) -> None:
    shown = options.batches_each * options.batch
    if found < shown + checks:
        raise UserError(
            f"scenes: found {found} usable, expected {shown + checks} or more: no participant sees "
            f"one twice, and each sees {shown} in {options.batches_each} batches of "
            f"{options.batch} and {checks} in practice and checks. Add scenes, or lower batch, "
            "batches, practice, qualification or sanity."
        )
    if options.samples < shown:
        raise UserError(
            f"samples: found {options.samples}, expected {shown} or more: each participant sees "
            f"{options.batches_each} batches of {options.batch} on different scenes. Raise "
            "samples, or lower batch or batches."
        )
