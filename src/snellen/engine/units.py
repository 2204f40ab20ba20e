"""Units executed: built, batched, asked or taken from the cache, and written to a journal."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from snellen.changes.recipe import Materials
from snellen.disk.cache import cache_folder
from snellen.engine.builders import Builders
from snellen.engine.looks import Looks
from snellen.engine.loop import Loop
from snellen.engine.open_unit import OpenUnit
from snellen.engine.options import EngineOptions
from snellen.engine.prediction_cache import NoPredictions, Predictions, open_predictions
from snellen.engine.progress import RunTally, Watcher
from snellen.engine.question_pipeline import Pipeline
from snellen.engine.subject_thread import COMPILATION
from snellen.errors import SubjectError
from snellen.store.journal import Journal
from snellen.subjects.subject import InputKind, Subject
from snellen.vision.events import compile_comparisons

log = logging.getLogger(__name__)

DAMAGED_ANSWERS = "damaged_answers"
"""The fact how many cached answers were damaged, and asked again."""


def run_units(
    units: Sequence[OpenUnit],
    subject: Subject,
    materials: Materials,
    options: EngineOptions,
    journal: Journal,
    watcher: Watcher,
    looks: Looks | None = None,
) -> RunTally:
    """The totals; every finished unit and the time taken are in the journal.

    materials: what the recipes of the units' questions are built from. looks: open the units in
    stages, until the run is decided. Raises if every unit of the
    journal ended in an error: then there is no verdict.
    """
    kind = subject.task.input_kind
    builders = Builders(options.worker_count(), materials, kind)
    predictions = _predictions(options, subject)
    # In parallel with the first cases, since the first verdict would wait for it.
    compilation = threading.Thread(
        target=compile_comparisons,
        kwargs={"solids": kind == InputKind.FRAME},
        daemon=True,
        name=COMPILATION,
    )
    compilation.start()
    waits = True
    try:
        loop = Loop(
            Pipeline(subject, options, builders),
            options,
            predictions,
            lambda end: journal.write(end, subject.classes),
            watcher,
        )
        tally = loop.run(units) if looks is None else loop.run((), looks.later)
    except KeyboardInterrupt:
        waits = False  # a scheduler that stops a job soon kills what does not end
        builders.abandon()
        raise
    finally:
        builders.close()
        predictions.close()
        if waits:
            compilation.join()
    _record_totals(journal, tally)
    if predictions.damaged:
        earlier = journal.get(DAMAGED_ANSWERS) or 0
        journal.put({DAMAGED_ANSWERS: earlier + predictions.damaged})
    return tally


def _predictions(options: EngineOptions, subject: Subject) -> Predictions:
    if not options.cache:
        return NoPredictions()
    uncached = getattr(subject, "uncached", "")
    if uncached:
        log.warning("answers of '%s' are not cached: %s", subject.name, uncached)
        return NoPredictions()
    try:
        folder = cache_folder("predictions")
    except OSError as error:
        log.warning("no prediction cache for this run: %s", error)
        return NoPredictions()
    return open_predictions(folder, subject.fingerprint)


def _record_totals(journal: Journal, tally: RunTally) -> None:
    earlier = journal.get("seconds") or {"total": 0.0, "subject": 0.0, "building": 0.0}
    journal.put(
        {
            "seconds": {
                "total": earlier["total"] + tally.wall,
                "subject": earlier["subject"] + tally.busy,
                "building": earlier["building"] + tally.building,
            },
            "left_out": tally.left_out,
            "finished": time.time(),
        }
    )
    if (
        tally.ended
        and tally.errors == tally.ended
        and not journal.rows("SELECT 1 FROM units WHERE status = 'done' LIMIT 1")
    ):
        [(message,)] = journal.rows("SELECT message FROM errors ORDER BY unit LIMIT 1")
        raise SubjectError(
            f"every scene failed, so there is no verdict. The first error: {message}"
        )
