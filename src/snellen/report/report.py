"""The report of a run folder, written from its journal alone.

The subject is not asked: cases are rebuilt from their recipes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from snellen.disk.atomic_file import write_atomically
from snellen.methods.kind import view_of
from snellen.methods.view import RunRecord, View
from snellen.pages.embedded_pictures import Album
from snellen.pages.fault_note import FaultNote
from snellen.pages.finding_pictures import FindingPicture
from snellen.pages.gallery import Card
from snellen.report.document import Facts, document
from snellen.report.finding_folder import write_finding
from snellen.report.junit import junit
from snellen.report.picture_source import pictures_of
from snellen.report.reopened_run import reopened_if_possible
from snellen.report.summary import summary_of
from snellen.report.verdict.fault_summary import ranked_faults
from snellen.report.words import REPORT
from snellen.store.explanations import RecordedExplanation, explanation_of
from snellen.store.faults import Fault
from snellen.store.findings import Finding, findings, spread
from snellen.store.journal import Journal
from snellen.store.opened_journal import opened_journal
from snellen.store.run_folder import CONFIG
from snellen.store.summary import Summary

PICTURES = 24
JUNIT = "junit.xml"


def write_report(folder: Path, *, pictures: int = PICTURES, out: Path | None = None) -> Summary:
    """The summary of the run in a folder, written there with findings, report and JUnit file.

    pictures: how many findings get a folder with pictures; the journal has them all. out: written
    there, and nothing to the run.
    """
    place = out or folder
    with opened_journal(folder) as journal:
        view, album = view_of(journal.get("method")), Album()
        found = findings(journal, view.rank)
        with reopened_if_possible(folder, journal) as run:
            record = RunRecord.of(journal, run)
            summary = summary_of(record)
            known = record.once(ranked_faults)
            chosen = selection(known, found, pictures)
            cards = fitting(_cards(folder, place, record, chosen, known), view.page_bytes)
            own = view.sections(record, summary, album)
        summary.write(place)
        facts = _facts(folder, journal, summary, found, view)
        write_atomically(place / REPORT, document(facts, cards, own, album).encode())
        text = junit(journal, summary, found)
        write_atomically(place / JUNIT, text.encode(errors="backslashreplace"))
    return summary


def selection(known: Sequence[Fault], found: Sequence[Finding], count: int) -> list[Finding]:
    """At most `count` findings to show: one for each fault first, in order, then others.

    If there are more faults than that, they are spread over scenes and kinds, worst first.
    """
    first = list({one.representative.id: one.representative for one in known}.values())
    shown = spread(first, count)
    taken = {one.id for one in first}
    others = [one for one in found if one.id not in taken]
    return [*shown, *spread(others, count - len(shown))]


def _cards(
    folder: Path,
    out: Path,
    record: RunRecord,
    chosen: Sequence[Finding],
    known: Sequence[Fault],
) -> Iterator[Card]:
    """Write each finding's folder and make its card, a few in parallel."""
    view = view_of(record.journal.get("method"))
    limit = view.page_bytes // max(1, len(chosen))
    notes, explained = _notes(known), _explanations(record.journal, chosen)

    def made(picture: FindingPicture) -> Card:
        id = picture.finding.id
        write_finding(folder, picture, explained.get(id), out)
        return replace(picture.card(limit), faults=notes.get(id, ()))

    threads = os.cpu_count() or 1
    shown = pictures_of(folder, record, chosen, view)
    with ThreadPoolExecutor(threads) as pool:
        while batch := list(islice(shown, 2 * threads)):
            yield from pool.map(made, batch)


def _notes(known: Sequence[Fault]) -> dict[str, tuple[FaultNote, ...]]:
    """The faults of each finding, by its id, those that it represents first."""
    notes: dict[str, tuple[FaultNote, ...]] = {}
    for represents in (True, False):
        for fault in known:
            for one in fault.findings[:1] if represents else fault.findings[1:]:
                notes[one.id] = (*notes.get(one.id, ()), FaultNote(fault, represents))
    return notes


def _explanations(journal: Journal, chosen: Sequence[Finding]) -> dict[str, RecordedExplanation]:
    """The explanations of findings by id, read here since a journal is not shared by threads."""
    found = {one.id: explanation_of(journal, one) for one in chosen}
    return {id: one for id, one in found.items() if one is not None}


def fitting(cards: Iterable[Card], limit: int) -> list[Card]:
    """The first cards with at most `limit` bytes of pictures in total; all are made."""
    made = list(cards)
    taken = np.cumsum([card.bytes for card in made])
    return made[: int(np.searchsorted(taken, limit, side="right"))]


def _facts(
    folder: Path, journal: Journal, summary: Summary, found: Sequence[Finding], view: View
) -> Facts:
    config = folder / CONFIG
    return Facts(
        summary=summary,
        folder=folder,
        started=journal.get("started"),
        skipped=journal.get("skipped") or (),
        configuration=config.read_text(encoding="utf-8") if config.exists() else "",
        found=len(found),
        origin=view.origin(found),
    )
