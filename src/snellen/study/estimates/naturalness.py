"""Which pipeline's pictures people find more natural, from the orders of `rank`.

Each participant orders pictures of one scene made by several pipelines. Ranks, 1 for the most
natural, are averaged by participant; pipelines are compared in pairs by Wilcoxon's signed-rank test
on the participants' mean ranks, adjusted by Holm, as orders of one participant are correlated.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from snellen.statistics.multiplicity import family_wise_p_values
from snellen.study.record import StudyRecord
from snellen.study.trial import RankAnswer, StudyTask, TrialKind
from snellen.vision.arrays import F64

ALPHA = 0.05


@dataclass(frozen=True)
class PipelinePair:
    """Two pipelines, the more natural one first.

    difference: of their mean ranks. effect: the matched-pairs rank-biserial correlation, from 0 for
    none to 1 if every participant prefers the first. p: adjusted by Holm; NaN if nobody prefers
    either.
    """

    better: str
    worse: str
    difference: float
    effect: float
    p: float

    def words(self) -> str:
        """The comparison in a sentence."""
        if not self.p < ALPHA:
            return f"{self.better} and {self.worse}: no difference shown (p = {self.p:.2g})"
        return (
            f"{self.better} looks more natural than {self.worse} "
            f"(p = {self.p:.2g}, effect {self.effect:.2f})"
        )


@dataclass(frozen=True)
class NaturalnessRanking:
    """Pipelines by their mean rank, the most natural first.

    concordance: the mean over scenes of Kendall's W among the participants who ordered it, from 0
    for no agreement to 1; NaN if no scene was ordered twice. orders: how many there are.
    """

    mean_ranks: dict[str, float]
    pairs: tuple[PipelinePair, ...]
    concordance: float
    participants: int
    orders: int

    def lines(self) -> list[str]:
        """The ranking in words."""
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in self.mean_ranks.items())
        counted = f"{self.orders} orders by {self.participants} participants"
        agreed = "unknown" if np.isnan(self.concordance) else f"{self.concordance:.2f}"
        return [
            f"mean rank (1 is the most natural; {counted}): {ranks}",
            *(one.words() for one in self.pairs),
            f"agreement of participants (Kendall's W): {agreed}",
        ]

    def to_json(self) -> dict[str, Any]:
        """Plain values; NaN becomes None."""

        def plain(value: float) -> float | None:
            return None if np.isnan(value) else round(value, 6)

        return {
            "mean_ranks": {name: round(one, 6) for name, one in self.mean_ranks.items()},
            "pairs": [
                {
                    "better": one.better,
                    "worse": one.worse,
                    "difference": round(one.difference, 6),
                    "effect": round(one.effect, 6),
                    "p": plain(one.p),
                }
                for one in self.pairs
            ],
            "concordance": plain(self.concordance),
            "participants": self.participants,
            "orders": self.orders,
        }


def naturalness_ranking(record: StudyRecord) -> NaturalnessRanking | None:
    """The ranking of the pipelines that every usable order has; None without one.

    Practice is left out, and so is an order given while the page was hidden.
    """
    orders = _orders(record)
    if not orders:
        return None
    names = sorted(set.intersection(*(set(ranks) for _, _, ranks in orders)))
    if len(names) < 2:
        return None
    tables = [
        (person, scene, _ranks(np.array([ranks[name] for name in names])))
        for person, scene, ranks in orders
    ]
    persons: dict[str, list[F64]] = defaultdict(list)
    for person, _, ranks in tables:
        persons[person].append(ranks)
    means = np.array([np.mean(ranks, axis=0) for ranks in persons.values()])
    overall = dict(zip(names, means.mean(axis=0).tolist(), strict=True))
    ordered = dict(sorted(overall.items(), key=lambda item: item[1]))
    pairs = _pairs(list(ordered), means[:, [names.index(name) for name in ordered]])
    return NaturalnessRanking(ordered, pairs, _concordance(tables), len(persons), len(orders))


def _orders(record: StudyRecord) -> list[tuple[str, str, dict[str, int]]]:
    """Participant, scene and the place of each pipeline, of each usable order."""
    found = []
    for one in record.answers:
        trial = record.trials[one.trial]
        usable = trial.task is StudyTask.RANK and trial.kind is TrialKind.TEST
        if not usable or one.exposure.hidden or not isinstance(one.answer, RankAnswer):
            continue
        samples = [record.samples[name] for name in one.answer.order]
        places = {sample.transformation: place for place, sample in enumerate(samples)}
        found.append((one.participant, samples[0].scene, places))
    return found


def _ranks(places: F64) -> F64:
    """1 to K among the pipelines compared."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(places), dtype=np.float64)


def _pairs(names: list[str], means: F64) -> tuple[PipelinePair, ...]:
    """All pairs of pipelines; means: (P, K) the mean ranks of each participant."""
    chosen = list(combinations(range(len(names)), 2))
    tested = [_signed_rank(means[:, worse] - means[:, better]) for better, worse in chosen]
    adjusted = family_wise_p_values([p for p, _ in tested]).tolist()
    return tuple(
        PipelinePair(
            names[better],
            names[worse],
            float(np.mean(means[:, worse] - means[:, better])),
            effect,
            p,
        )
        for (better, worse), (_, effect), p in zip(chosen, tested, adjusted, strict=True)
    )


def _signed_rank(differences: F64) -> tuple[float, float]:
    """The two-sided p-value of Wilcoxon's test, and the rank-biserial correlation."""
    from scipy.stats import rankdata, wilcoxon

    rounded = differences.round(12)
    moved = rounded[rounded != 0]
    if not len(moved):
        return float("nan"), 0.0
    ranks = rankdata(np.abs(moved))
    effect = float(ranks[moved > 0].sum() - ranks[moved < 0].sum()) / float(ranks.sum())
    return float(wilcoxon(moved).pvalue), effect


def _concordance(tables: list[tuple[str, str, F64]]) -> float:
    """Kendall's W of each scene, averaged by the number of its orders."""
    scenes: dict[str, list[F64]] = defaultdict(list)
    for _, scene, ranks in tables:
        scenes[scene].append(ranks)
    found = [(kendall_w(np.array(one)), len(one)) for one in scenes.values() if len(one) > 1]
    if not found:
        return float("nan")
    values, weights = zip(*found, strict=True)
    return float(np.average(values, weights=weights))


def kendall_w(ranks: F64) -> float:
    """The agreement of M rankings of K things, (M, K) without ties: 1 if they are equal.

    >>> kendall_w(np.array([[1.0, 2, 3], [1, 2, 3]]))
    1.0
    """
    raters, things = ranks.shape
    spread = float(((ranks.sum(axis=0) - raters * (things + 1) / 2) ** 2).sum())
    return float(12 * spread / (raters**2 * (things**3 - things)))
