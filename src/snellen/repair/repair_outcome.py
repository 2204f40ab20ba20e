"""The outcome of a repair: `outcome.json` and the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snellen import __version__
from snellen.disk.atomic_file import write_atomically
from snellen.repair.page.named_evaluation import NamedEvaluation, best_of
from snellen.repair.page.page_writer import write_page
from snellen.repair.round_words import round_lines
from snellen.repair.rounds import Rounds
from snellen.repair.trained_subject import SUBJECT
from snellen.repair.workspace import FinishedRun, Workspace

FILE = "outcome.json"


@dataclass(frozen=True, eq=False)
class RepairedSubject:
    """One repaired subject. folder: of its training. facts: of its training."""

    named: NamedEvaluation
    folder: Path
    facts: Mapping[str, Any]

    def to_json(self, root: Path) -> dict[str, Any]:
        """JSON values; all figures are in `evaluation.json`."""
        evaluation = self.named.to_json()
        figures = ("verdict", "scenes", "instances", "failure_rate", "per_hundred", "clean_ap")
        trained = {key: self.facts[key] for key in ("pictures", "steps", "epochs", "kept")}
        return {
            **{key: evaluation[key] for key in ("name", "told", "f", "r")},
            "subject": (self.folder / SUBJECT).relative_to(root).as_posix(),
            "fingerprint": evaluation["after"]["fingerprint"],
            "training": trained,
            **{key: evaluation[key] for key in figures},
        }


@dataclass(frozen=True, eq=False)
class Outcome:
    """A finished repair. test: on the repair scenes; tests: on the held-out scenes.

    rows: one repaired subject each, of arms, rounds or both. rounds: the history of an iterated
    repair, else None. chosen: the name of the row of the headline, None for the best.
    """

    workspace: Workspace
    test: FinishedRun
    tests: FinishedRun
    rows: tuple[RepairedSubject, ...]
    rounds: Rounds | None = None
    chosen: str | None = None

    @property
    def best(self) -> RepairedSubject:
        """The row of the page's headline: the last round that improved, or the best arm."""
        name = self.chosen or best_of([row.named for row in self.rows]).name
        return next(row for row in self.rows if row.named.name == name)

    @property
    def root(self) -> Path:
        """The repair folder."""
        return self.workspace.stages.root

    def to_json(self) -> dict[str, Any]:
        """JSON values; the same repair gives the same values."""
        workspace, options = self.workspace, self.workspace.plan.options
        sets = workspace.split.sets
        return {
            "snellen_version": __version__,
            "method": options.method,
            "seed": options.seed,
            "subject": {
                "name": workspace.baseline.name,
                "fingerprint": workspace.baseline.fingerprint,
            },
            "scenes": {use: len(some) for use, some in sets.items()},
            "test": {"cases": self.test.cases, "failing": self.test.failing},
            "held_out_test": {"cases": self.tests.cases, "failing": self.tests.failing},
            "ways": [row.to_json(self.root) for row in self.rows],
            "best": self.best.named.name,
            "iterated": None if self.rounds is None else self.rounds.to_json(),
        }


def write_outcome(outcome: Outcome) -> Outcome:
    """Write `outcome.json`, `evaluation.json` and the page; returns the outcome."""
    outcome.workspace.watcher.stage_started("writing the page")
    named = [row.named for row in outcome.rows]
    notes = round_lines(outcome.rounds)
    write_page(outcome.root, named, chosen=outcome.best.named.name, notes=notes)
    text = json.dumps(outcome.to_json(), indent=1, allow_nan=False)
    write_atomically(outcome.root / FILE, (text + "\n").encode())
    return outcome
