"""The recorded cases of every scene put to a subject, through the engine."""

from __future__ import annotations

from snellen.engine.campaign import Campaign
from snellen.engine.examination import examination
from snellen.engine.open_unit import OpenUnit
from snellen.engine.progress import RunTally, Watcher
from snellen.engine.seeds import unit_generator
from snellen.engine.units import run_units
from snellen.repair.evaluation.replay_method import ReplayMethod
from snellen.store.journal import Journal
from snellen.subjects.subject import Subject

REPLAY = "replay"
"""The key of a journal that says what it is a replay of."""


def asked_about(
    campaign: Campaign, method: ReplayMethod, subject: Subject, journal: Journal, watcher: Watcher
) -> RunTally:
    """Every unit that has not ended yet, through the engine: batched and cached."""
    ended = journal.ended()
    units = [
        OpenUnit(
            number,
            unit,
            examination(
                method,
                unit,
                unit_generator(campaign.seed, REPLAY, unit.id),
                allowance=None,
                steady=subject.deterministic,
            ),
        )
        for number, unit in enumerate(method.units())
        if number not in ended
    ]
    return run_units(units, subject, method.materials, campaign.engine, journal, watcher)
