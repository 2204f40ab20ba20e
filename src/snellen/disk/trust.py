"""Whose code this process may run: folders that the user trusts, and how to ask about others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Trust:
    """The decisions of the user in this process.

    everything: whatever a command names is trusted. ask: puts a question to the user; None where
    nobody can answer. folders: with everything in them.
    """

    everything: bool = False
    ask: Callable[[str], bool] | None = None
    folders: set[Path] = field(default_factory=set)

    def add(self, folder: Path) -> None:
        """Trust what is in a folder from now on."""
        self.folders.add(folder.resolve())

    def covers(self, file: Path) -> bool:
        """Whether a file is trusted."""
        return self.everything or not self.folders.isdisjoint(file.resolve().parents)

    def granted(self, file: Path, question: str) -> bool:
        """Whether the user trusts a file's folder now that they are asked."""
        if self.ask is None or not self.ask(question):
            return False
        self.add(file.parent)
        return True


TRUST = Trust()
"""Those of this process."""
