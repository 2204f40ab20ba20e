"""Everything that a run folder shows a person, written from its journal alone.

No question is put to the subject: cases are rebuilt from their recipes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.disk.atomic_file import write_atomically
from snellen.methods.combinations.cases import outcomes
from snellen.methods.combinations.heatmap import map_data
from snellen.methods.fusion.precision import precision_numbers
from snellen.methods.insertion.numbers import relocations
from snellen.methods.requirements.page.axis_samples import Strip, strip_of
from snellen.methods.robustness.instance_pictures import instance_pictures
from snellen.pages.finding_pictures import Pictured
from snellen.pages.gallery import Card, card_of
from snellen.report.document import Facts, document
from snellen.report.finding_folder import write_finding
from snellen.report.junit import junit
from snellen.report.picture_source import pictures_of
from snellen.report.reopened_run import Reopened, reopened_if_possible
from snellen.report.summary import summarise
from snellen.report.words import REPORT
from snellen.store.findings import Finding, findings, spread
from snellen.store.journal import Journal, journal_of
from snellen.store.run_folder import CONFIG, SUMMARY

PICTURES = 24
JUNIT = "junit.xml"
BYTES = 4_000_000
"""Of pictures in the page; as text they take a third more."""
SOLID_BYTES = 7_000_000
"""The same of camera+LiDAR cases, whose points are in the page too."""
STRIPS = 24
"""Axes of visual change that get pictures."""


def write_report(folder: Path, *, pictures: int = PICTURES) -> dict[str, Any]:
    """The summary of the run in a folder, written there with findings, report and JUnit file.

    pictures: how many findings get a folder with pictures; the journal has them all.
    """
    with closing(journal_of(folder)) as journal:
        summary = summarise(journal)
        found = findings(journal)
        limit = SOLID_BYTES if "fusion" in summary else BYTES
        with reopened_if_possible(folder, journal) as run:
            chosen = spread(found, pictures)
            cards = fitting(_cards(folder, journal, chosen, run, limit), limit)
            labels = run.labels if run else {}
            strips = _strips(journal, summary, run)
            instances = instance_pictures(journal, run) if "robustness" in summary else []
            if run is not None and "fusion" in summary:
                summary["fusion"]["precision"] = precision_numbers(journal, run)
        write_atomically(folder / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode())
        facts = _facts(folder, journal, summary, found, labels)
        facts = replace(facts, strips=strips, instances=instances)
        write_atomically(folder / REPORT, document(facts, cards).encode())
        write_atomically(folder / JUNIT, junit(journal, summary, found).encode())
    return summary


def _cards(
    folder: Path, journal: Journal, chosen: list[Finding], run: Reopened | None, limit: int
) -> Iterator[Card]:
    """Each finding's folder written and its card made, a few at a time, side by side."""
    limit //= max(1, len(chosen))

    def made(pictured: Pictured) -> Card:
        write_finding(folder, pictured)
        return card_of(pictured, limit)

    threads = os.cpu_count() or 1
    shown = pictures_of(folder, journal, chosen, run)
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(shown, 2 * threads)):
            yield from pool.map(made, batch)


def _strips(journal: Journal, summary: dict[str, Any], run: Reopened | None) -> list[Strip | None]:
    """A scene along each axis of the summary; none where scenes are gone."""
    axes = summary.get("reliability") or ()
    return [] if run is None else [strip_of(journal, run, one) for one in axes[:STRIPS]]


def fitting(cards: Iterable[Card], limit: int) -> list[Card]:
    """The first cards whose pictures take no more than `limit` bytes together; all are made."""
    made = list(cards)
    taken = np.cumsum([card.bytes for card in made])
    return made[: int(np.searchsorted(taken, limit, side="right"))]


def _facts(
    folder: Path,
    journal: Journal,
    summary: dict[str, Any],
    found: list[Finding],
    labels: dict[str, str],
) -> Facts:
    config = folder / CONFIG
    return Facts(
        summary=summary,
        folder=folder,
        started=journal.get("started"),
        skipped=journal.get("skipped") or (),
        configuration=config.read_text(encoding="utf-8") if config.exists() else "",
        found=len(found),
        moved=sum(one.role != TEST for one in found),
        labels=labels,
        progress=[move["progress"] for move in relocations(journal)],
        map=_map(journal),
    )


def _map(journal: Journal) -> dict[str, Any] | None:
    found = outcomes(journal)
    return None if found is None else map_data(found, journal.get("facts"))
