"""The curves of a training, in one SQLite file.

losses: one row for each part of the loss at each step. epochs: one row for each measurement after
each epoch; epoch 0 is the original detector.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from snellen.errors import UserError

FILE = "training.sqlite"
TABLES = """
CREATE TABLE IF NOT EXISTS losses (
  epoch INTEGER, step INTEGER, part TEXT, value REAL, PRIMARY KEY (step, part)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS epochs (
  epoch INTEGER, name TEXT, value REAL, PRIMARY KEY (epoch, name)) WITHOUT ROWID;
"""

StepLosses = tuple[int, Mapping[str, float]]


@dataclass(frozen=True)
class Curves:
    """losses: (step, value) by part; epochs: (epoch, value) by name of the measurement."""

    losses: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    epochs: dict[str, list[tuple[int, float]]] = field(default_factory=dict)


def record(
    folder: Path, epoch: int, steps: Sequence[StepLosses], measured: Mapping[str, float]
) -> None:
    """Add an epoch's rows in one transaction. steps: (number, parts of the loss)."""
    with _opened(folder) as file:
        file.executemany(
            "INSERT INTO losses VALUES (?, ?, ?, ?)",
            [(epoch, step, part, value) for step, parts in steps for part, value in parts.items()],
        )
        rows = [(epoch, name, value) for name, value in measured.items()]
        file.executemany("INSERT INTO epochs VALUES (?, ?, ?)", rows)


def forget_after(folder: Path, epoch: int) -> None:
    """Delete the rows of later epochs, which are not in the checkpoint."""
    with _opened(folder) as file:
        for table in ("losses", "epochs"):
            file.execute(f"DELETE FROM {table} WHERE epoch > ?", (epoch,))


def read_curves(folder: Path) -> Curves:
    """The curves of a training folder, each in order."""
    if not (folder / FILE).exists():
        raise UserError(f"{folder / FILE}: no such file. Name the folder of a training.")
    with _opened(folder) as file:
        losses = file.execute("SELECT part, step, value FROM losses ORDER BY step").fetchall()
        epochs = file.execute("SELECT name, epoch, value FROM epochs ORDER BY epoch").fetchall()
    curves = Curves()
    for table, rows in ((curves.losses, losses), (curves.epochs, epochs)):
        for name, place, value in rows:
            table.setdefault(name, []).append((place, value))
    return curves


@contextmanager
def _opened(folder: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(folder / FILE, timeout=30)) as file:
        file.executescript(TABLES)
        with file:
            yield file
