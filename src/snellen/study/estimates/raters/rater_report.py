"""Which participants were left out, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from snellen.study.estimates.raters.rater_rule import RaterRule, RaterTest


@dataclass(frozen=True)
class RaterReport:
    """The rule, and the tests that each participant failed: none for one who is kept."""

    rule: RaterRule
    failed: Mapping[str, tuple[RaterTest, ...]]

    @property
    def kept(self) -> frozenset[str]:
        """The participants whose answers count."""
        return frozenset(one for one, tests in self.failed.items() if not tests)

    @property
    def removed(self) -> int:
        """How many participants are left out."""
        return len(self.failed) - len(self.kept)

    def by_test(self) -> dict[RaterTest, int]:
        """How many participants failed each test; one may fail several."""
        return {test: sum(test in one for one in self.failed.values()) for test in RaterTest}

    def words(self) -> str:
        """What was left out, in a sentence."""
        if not self.removed:
            return f"all {len(self.failed)} participants are kept"
        parts = [f"{name} {count}" for name, count in self.by_test().items() if count]
        return f"{self.removed} of {len(self.failed)} participants left out ({', '.join(parts)})"

    def to_json(self) -> dict[str, Any]:
        """Plain values; no participant is named."""
        return {
            "rule": self.rule.model_dump(),
            "participants": len(self.failed),
            "removed": self.removed,
            "removed_by": {str(name): count for name, count in self.by_test().items()},
        }
