"""From a finished run to a retraining set."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from snellen.engine.start.opened_campaign import scenes_of
from snellen.errors import UserError
from snellen.objects.library.library import Library
from snellen.repair.repair_ability import nothing_inserted
from snellen.repair.retraining.failing_cases import FailingFrames, FailingImages
from snellen.repair.retraining.frame_maker import FrameMaker
from snellen.repair.retraining.image_maker import ImageMaker
from snellen.repair.retraining.insertion_cases import insertion_cases
from snellen.repair.retraining.option_hints import FLAGS, OptionHints
from snellen.repair.retraining.options import RetrainingOptions
from snellen.repair.retraining.retraining_set import RetrainingPicture, RetrainingSet
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.report.reopened_run import Reopened, reopened
from snellen.scenes.scene import SceneSet
from snellen.store.journal import Journal, journal_of
from snellen.subjects.subject import Task

LABELS = ("label_inserted", "pseudo_labels")


def retraining_set_of(folder: Path, options: RetrainingOptions) -> RetrainingSet:
    """The retraining set of the run in a folder; its pictures are built on demand."""
    with closing(journal_of(folder)) as journal, reopened(folder, journal) as run:
        return retraining_set(journal, run, options)


def retraining_set(
    journal: Journal, run: Reopened, options: RetrainingOptions, hints: OptionHints = FLAGS
) -> RetrainingSet:
    """The retraining set of a run that inserted cut-outs into images, or meshes into frames.

    hints: how messages name options.
    """
    maker = _maker(journal, run, options, hints)
    made = maker.pictures()
    if not made:
        raise UserError(_nothing(maker, options, hints))
    return _gathered(maker, made, options.model_dump(mode="json"))


def finding_set(journal: Journal, run: Reopened, options: RetrainingOptions) -> RetrainingSet:
    """Each failing case of a run as it was tested; only the options about labels apply."""
    maker = _maker(journal, run, options, FLAGS)
    cases = FailingImages(maker) if isinstance(maker, ImageMaker) else FailingFrames(maker)
    made = cases.pictures()
    if not made:
        raise UserError(
            f"{journal.path.parent}: no case failed, so there is nothing to export. "
            "Test more scenes."
        )
    return _gathered(maker, made, options.model_dump(mode="json", include=set(LABELS)))


def _maker(
    journal: Journal, run: Reopened, options: RetrainingOptions, hints: OptionHints
) -> ImageMaker | FrameMaker:
    scenes = scenes_of(run.campaign)
    vocabulary = Vocabulary(scenes.classes or run.subject.classes, scenes.class_ids)
    if run.subject.task == Task.DETECTION_3D:
        return FrameMaker(journal, run, scenes, options, vocabulary)
    return ImageMaker(journal, run, scenes, options, vocabulary, hints)


def _gathered(
    maker: ImageMaker | FrameMaker, made: list[RetrainingPicture], options: dict[str, Any]
) -> RetrainingSet:
    vocabulary = maker.vocabulary
    scenes = SceneSet(tuple(one.scene for one in made), vocabulary.names, vocabulary.own_ids)
    library: Library | None = maker.run.materials.get("objects")
    cut_from = {} if library is None else _cut_from(library, made)
    left_out = tuple(maker.left_out)
    facts = _facts(maker.journal, maker.run)
    return RetrainingSet(scenes, tuple(made), left_out, facts, options, cut_from)


def _facts(journal: Journal, run: Reopened) -> dict[str, Any]:
    subject = run.subject
    return {
        "snellen_version": journal.get("snellen_version"),
        "method": run.campaign.method,
        "seed": run.campaign.seed,
        "campaign": journal.get("campaign"),
        "subject": {
            "name": subject.name,
            "fingerprint": subject.fingerprint,
            "score": subject.score,
        },
        "scenes": len(run.scenes),
    }


def _cut_from(library: Library, made: Iterable[RetrainingPicture]) -> dict[str, str]:
    used = sorted({one.object for picture in made for one in picture.inserted})
    return {id: library.cutout(id).source for id in used}


def _nothing(maker: ImageMaker | FrameMaker, options: RetrainingOptions, hints: OptionHints) -> str:
    folder = maker.journal.path.parent
    cases = sum(1 for _ in insertion_cases(maker.journal, maker.retrains))
    if not cases:
        return nothing_inserted(maker.run.campaign.method, folder)
    if options.failing:
        return (
            f"{folder}: none of the {cases} insertions failed at a place that can be reused, so "
            "there is nothing to retrain on. Test more scenes, or use random places only: "
            f"{hints.random_alone}."
        )
    return f"{folder}: no scene has a free place for an insertion. Test other scenes."
