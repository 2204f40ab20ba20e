"""The recorded cases of every scene put to a subject, through the engine."""

from __future__ import annotations

import time

from snellen.disk.cache import cache_folder
from snellen.engine.builders import Builders
from snellen.engine.campaign import Campaign
from snellen.engine.loop import Loop
from snellen.engine.openunit import OpenUnit
from snellen.engine.pipeline import Pipeline
from snellen.engine.predictions import NoPredictions, Predictions, open_predictions
from snellen.engine.progress import Tally, Watcher
from snellen.engine.seeds import unit_generator
from snellen.repair.evaluation.replaying import Replaying
from snellen.store.journal import Journal
from snellen.subjects.subject import Subject

REPLAY = "replay"
"""The key of a journal that says what it is a replay of."""


def asked_about(
    campaign: Campaign, method: Replaying, subject: Subject, journal: Journal, watcher: Watcher
) -> Tally:
    """Every unit that has not ended yet, through the engine: batched and cached."""
    options, ended = campaign.engine, journal.ended()
    units = [
        OpenUnit(
            number,
            unit,
            method.examine(unit, unit_generator(campaign.seed, REPLAY, unit.id), None),
            None,
        )
        for number, unit in enumerate(method.units())
        if number not in ended
    ]
    builders = Builders(options.worker_count(), method.materials)
    predictions = _predictions(campaign, subject)
    try:
        loop = Loop(
            Pipeline(subject, options, builders),
            options,
            predictions,
            lambda end: journal.write(end, subject.classes),
            watcher,
        )
        tally = loop.run(units)
    finally:
        builders.close()
        predictions.close()
    _account(journal, tally)
    return tally


def _predictions(campaign: Campaign, subject: Subject) -> Predictions:
    if not campaign.engine.cache:
        return NoPredictions()
    return open_predictions(cache_folder("predictions"), subject.fingerprint)


def _account(journal: Journal, tally: Tally) -> None:
    spent = journal.get("seconds") or {"total": 0.0, "subject": 0.0, "building": 0.0}
    now = {"total": tally.wall, "subject": tally.busy, "building": tally.building}
    seconds = {key: spent[key] + value for key, value in now.items()}
    journal.put({"seconds": seconds, "left_out": tally.left_out, "finished": time.time()})
