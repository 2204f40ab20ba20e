"""Options of a retraining set as a user writes them, for error messages."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OptionHints:
    """pseudo_labels: an imperative that follows "or"; random_alone: the options."""

    pseudo_labels: str
    random_alone: str


FLAGS = OptionHints("pass --pseudo-labels", "--failing 0 --random 3 --among tested")
"""Options of `snellen export`."""
KEYS = OptionHints(
    "set retraining.pseudo_labels: true",
    "retraining.failing: 0, retraining.random: 3 and retraining.among: tested",
)
"""Keys of the configuration of `snellen repair`."""
