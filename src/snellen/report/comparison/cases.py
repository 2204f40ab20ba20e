"""How often each subject fails on the common scenes and on the common cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from snellen.contract.verdict import TEST
from snellen.statistics.discordant_pairs import DiscordantPairs, discordant_pairs
from snellen.statistics.intervals import Interval, Rate
from snellen.statistics.sample_size import Evidence, curve_of
from snellen.statistics.scene_counts import scene_counts
from snellen.statistics.scene_rates import rate
from snellen.store.case_rows import CaseRow
from snellen.vision.arrays import F64


@dataclass(frozen=True, eq=False)
class RatePair:
    """The rates of A and B on the same scenes; evidence: of B's minus A's."""

    a: Rate
    b: Rate
    evidence: Evidence

    @cached_property
    def difference(self) -> Interval:
        """B's rate minus A's."""
        return curve_of(self.evidence).interval(null=0.0)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            **{
                name: {"cases": int(one.cases), "failing": int(one.failing), **one.to_json()}
                for name, one in (("a", self.a), ("b", self.b))
            },
            "difference": self.difference.to_json(),
        }


def rate_pair(
    a: Iterable[CaseRow],
    b: Iterable[CaseRow],
    scenes: Sequence[str],
    *,
    controls: bool = False,
) -> RatePair:
    """Failing over all tests, or over all controls; paired if both answered the same cases."""
    rows = [[row for row in side if row.control == controls] for side in (a, b)]
    first, second = (_by_scene(side, scenes) for side in rows)
    keyed = [_keyed(side) for side in rows]
    evidence: Evidence = scene_counts(*second), scene_counts(*first)
    if keyed[0].keys() == keyed[1].keys():
        evidence = _paired([(keyed[0][key], keyed[1][key]) for key in keyed[0]], scenes)
    return RatePair(rate(*first), rate(*second), evidence)


def _paired(pairs: Sequence[tuple[CaseRow, CaseRow]], scenes: Sequence[str]) -> DiscordantPairs:
    """B against A on the same cases."""
    first, second = (_by_scene([pair[side] for pair in pairs], scenes) for side in (0, 1))
    both = [x for x, y in pairs if x.failing and y.failing]
    common, _ = _by_scene(both, scenes)
    return discordant_pairs(
        second[0],
        first[0],
        first[1],
        only_first=second[0] - common,
        only_second=first[0] - common,
    )


def _by_scene(rows: Iterable[CaseRow], scenes: Sequence[str]) -> tuple[F64, F64]:
    place = {scene: number for number, scene in enumerate(scenes)}
    counts = np.zeros((2, len(scenes)))
    for row in rows:
        counts[:, place[row.scene]] += (row.failing, 1)
    return counts[0], counts[1]


@dataclass(frozen=True)
class SameCases:
    """The cases that both subjects answered: who fails where.

    difference: B's rate minus A's on these cases, paired, with its p-value; None without cases.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    difference: Interval | None

    @property
    def cases(self) -> int:
        """The number of common cases."""
        return self.both + self.only_a + self.only_b + self.neither

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "cases": self.cases,
            "both_fail": self.both,
            "only_a_fails": self.only_a,
            "only_b_fails": self.only_b,
            "neither_fails": self.neither,
            "difference": None if self.difference is None else self.difference.to_json(),
        }


def same_cases(a: Iterable[CaseRow], b: Iterable[CaseRow], scenes: Sequence[str]) -> SameCases:
    """Tests of the same unit with the same recipe; the nth of equal ones is paired with the nth."""
    first, other = (_keyed(row for row in rows if row.role == TEST) for rows in (a, b))
    pairs = [(row, other[key]) for key, row in first.items() if key in other]
    counts = Counter((x.failing, y.failing) for x, y in pairs)
    return SameCases(
        counts[True, True],
        counts[True, False],
        counts[False, True],
        counts[False, False],
        curve_of(_paired(pairs, scenes)).interval(null=0.0) if pairs else None,
    )


def _keyed(rows: Iterable[CaseRow]) -> dict[tuple[str, str, str, int], CaseRow]:
    seen: Counter[tuple[str, str, str]] = Counter()
    found = {}
    for row in rows:
        key = row.unit, row.role, row.recipe
        found[*key, seen[key]] = row
        seen[key] += 1
    return found
