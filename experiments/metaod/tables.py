"""The tables of the experiment, in the form of the paper's, from the runs' journals."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen.store.journal import Journal
from snellen.store.run_folder import JOURNAL, SUMMARY


@dataclass(frozen=True)
class Numbers:
    """The figures of one run."""

    summary: dict[str, Any]
    objects: int
    insertions: int
    failing: int
    moved: int
    unique: int
    reached: float
    far: float
    hog: tuple[float | None, float | None]
    seam: float | None

    @classmethod
    def of(cls, folder: Path) -> Numbers:
        """The figures of a run folder."""
        summary = json.loads((folder / SUMMARY).read_text())
        with closing(Journal(folder / JOURNAL)) as journal:
            notes = [json.loads(text) for (text,) in journal.rows("SELECT notes FROM units")]
            cases = dict(
                journal.rows(
                    "SELECT role || ':' || (status = 'failing'), count(*) FROM cases GROUP BY 1"
                )
            )
            means = {
                (role, name): journal.rows(
                    f"SELECT avg(json_extract(measurements, '$.{name}')) FROM cases WHERE role = ?",
                    (role,),
                )[0][0]
                for role in ("test", "relocation")
                for name in ("hog", "seam")
            }
        moves = [move for note in notes for move in note.get("relocations", [])]
        moved = [move for move in moves if move["progress"] > 0]
        return cls(
            summary=summary,
            objects=sum(note.get("objects", 0) for note in notes),
            insertions=cases.get("test:0", 0) + cases.get("test:1", 0),
            failing=cases.get("test:1", 0),
            moved=len(moved),
            unique=cases.get("relocation:1", 0),
            reached=_share(moved, 0.999),
            far=_share(moved, 0.4),
            hog=(means["test", "hog"], means["relocation", "hog"]),
            seam=means["test", "seam"],
        )


def _share(moves: list[dict[str, Any]], progress: float) -> float:
    return sum(move["progress"] >= progress for move in moves) / len(moves) if moves else 0.0


def percent(value: float | None) -> str:
    """A share as a percentage."""
    return "-" if value is None else f"{100 * value:.1f}%"


def interval(rate: Mapping[str, Any]) -> str:
    """A rate with its 95% interval."""
    if rate["value"] is None:
        return "-"
    return f"{percent(rate['value'])} ({percent(rate['low'])} to {percent(rate['high'])})"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def results_page(found: Mapping[str, Mapping[str, Path]], day: str, command: str) -> str:
    """All tables as one Markdown page."""
    runs = {
        name: {run: Numbers.of(folder) for run, folder in folders.items()}
        for name, folders in found.items()
    }
    parts = [
        "# MetaOD again: measured",
        f"Made on {day} by `{command}` (seed 1, score threshold 0.5, 10 insertions per object).",
        *(_guided_against_random(runs, judge) for judge in ("published", "events")),
        *(_overview(runs, judge) for judge in ("published", "events")),
        _naturalness(runs),
        _controls(runs),
        _faults(runs),
    ]
    return "\n\n".join(parts) + "\n"


Runs = Mapping[str, Mapping[str, Numbers]]
TITLES = {
    "published": "judged as published (AP = 100%, hard pastes, stretched)",
    "events": "judged by events (hard events only, natural pastes)",
}


def _guided_against_random(runs: Runs, judge: str) -> str:
    rows: list[list[object]] = []
    total = [0, 0, 0, 0]
    for name, of in runs.items():
        guided, random = of[f"{judge}-guided"], of[f"{judge}-random"]
        row = [random.failing, random.insertions, guided.failing, guided.insertions]
        total = [a + b for a, b in zip(total, row, strict=True)]
        rows.append([name, *row, _ratio(row)])
    rows.append(["total", *total, _ratio(total)])
    head = ["detector", "random: errors", "of", "guided: errors", "of", "ratio of rates"]
    note = "Published: 1,454 and 2,529 of 14,850 each, ratio 1.74."
    return f"## Guided against random (Sec. 4.3), {TITLES[judge]}\n\n{table(head, rows)}\n\n{note}"


def _ratio(row: list[int]) -> str:
    if not (row[0] and row[1] and row[3]):
        return "-"
    return f"{(row[2] / row[3]) / (row[0] / row[1]):.2f}"


def _overview(runs: Runs, judge: str) -> str:
    head = [
        "detector", "images", "objects found", "failing, inserted", "failure rate",
        "moved", "unique relocated", "relocation adds", "reach the centroid", "go 40% or more",
    ]  # fmt: skip
    rows: list[list[object]] = []
    for name, of in runs.items():
        one = of[f"{judge}-guided"]
        added = one.unique / one.failing if one.failing else None
        rows.append(
            [
                name,
                one.insertions,
                one.objects,
                one.failing,
                interval(one.summary["failure_rate"]),
                one.moved,
                one.unique,
                percent(added),
                percent(one.reached),
                percent(one.far),
            ]
        )
    note = (
        "Published: 13.1% of images fail (10.5% to 15.6% a detector); relocation adds 9,386 to "
        "28,959, 32.4%; of those that move, 21.9% reach the centroid, 40.2% go 40% or more."
    )
    return f"## Tables 1 and 3, {TITLES[judge]}\n\n{table(head, rows)}\n\n{note}"


def _naturalness(runs: Runs) -> str:
    head = ["detector", "pastes", "HOG, inserted", "HOG, relocated", "seam, inserted"]
    rows: list[list[object]] = []
    for name, of in runs.items():
        for judge, paste in (("published", "hard"), ("events", "natural")):
            one = of[f"{judge}-guided"]
            seam = "-" if one.seam is None else f"{one.seam:.3f}"
            rows.append([name, paste, percent(one.hog[0]), percent(one.hog[1]), seam])
    note = "Published: 98.0% to 98.9% for both."
    return f"## Naturalness (Table 4, and our seam measure)\n\n{table(head, rows)}\n\n{note}"


def _controls(runs: Runs) -> str:
    head = ["detector", "judged", "failure rate", "patch control", "difference", "verdict"]
    rows: list[list[object]] = []
    for name, of in runs.items():
        for judge in ("published", "events"):
            summary = of[f"{judge}-guided"].summary
            verdict, gap = summary["verdict"], summary["difference"]
            more = verdict["more_scenes"]
            rows.append(
                [
                    name,
                    judge,
                    interval(summary["failure_rate"]),
                    interval(summary["control"]["rate"]),
                    "-" if gap is None else interval(gap),
                    verdict["status"] + (f" ({more} more scenes would decide)" if more else ""),
                ]
            )
    note = "Background through the same mask at the same place, weighted by the chance of asking."
    return f"## Controls (not in the paper)\n\n{table(head, rows)}\n\n{note}"


def _faults(runs: Runs) -> str:
    head = ["detector", "findings", "faults", "scenes", "proven", "causes of all faults"]
    rows: list[list[object]] = []
    for name, of in runs.items():
        one = of["events-guided"]
        faults = one.summary["faults"]
        causes = ", ".join(f"{count} {cause}" for cause, count in faults["by_cause"].items())
        rows.append(
            [name, one.failing, faults["count"], faults["scenes"], faults["proven"], causes]
        )
    return f"## Faults, guided, judged by events (not in the paper)\n\n{table(head, rows)}"
