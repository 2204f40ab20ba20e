"""People whose curves are known, and who differ; some do not look."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b

import numpy as np
from scipy import special

from snellen.study.estimates.curve.curve_family import FAMILIES, FamilyName
from snellen.study.estimates.curve.curve_posterior import FALL
from snellen.study.estimates.scores.task_scores import true_mask
from snellen.study.record import PlannedTrial, StudySample, TrueObject
from snellen.study.trial import (
    BoxesAnswer,
    ClassAnswer,
    OutlineAnswer,
    RankAnswer,
    StudyAnswer,
    StudyBox,
    StudyTask,
)
from snellen.vision.masks.polygons import polygons_of_masks
from snellen.vision.masks.rle_masks import Masks


class Manner(StrEnum):
    """How a participant takes part."""

    DILIGENT = "diligent"
    SLOW = "slow"
    CLICKER = "clicker"
    SAME = "same"
    SLEEPER = "sleeper"


@dataclass(frozen=True)
class SimulatedPerson:
    """One participant. shift: of their thresholds against the mean person's."""

    shift: float
    lapse: float
    manner: Manner = Manner.DILIGENT
    quickness_ms: float = 700.0

    def looks(self, share: float) -> bool:
        """Whether they still look after a share of the session, 0 to 1."""
        if self.manner is Manner.SLEEPER:
            return share < 0.5
        return self.manner in (Manner.DILIGENT, Manner.SLOW)

    def response_ms(self, rng: np.random.Generator) -> float:
        """How long an answer takes."""
        typical = {Manner.SLOW: 6 * self.quickness_ms, Manner.CLICKER: 400.0, Manner.SAME: 400.0}
        return float(typical.get(self.manner, self.quickness_ms) * rng.lognormal(0, 0.3))


@dataclass(frozen=True)
class SimulatedPeople:
    """Where people come from: their mean curve, and by how much they and scenes differ.

    middle, width: of one person's curve. people, scenes: standard deviations of middles.
    lapse: the mean share of trials in which someone guesses without having looked; it varies.
    inattentive: the share of people who never look, or stop halfway.
    """

    middle: float = 0.6
    width: float = 0.35
    people: float = 0.08
    scenes: float = 0.05
    lapse: float = 0.03
    inattentive: float = 0.0
    family: FamilyName = "gauss"
    shifts: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def threshold(self, fall: float = FALL) -> float:
        """The threshold of all people together, over all scenes (of the Gaussian family)."""
        tails = 2 * float(special.ndtri(0.95))
        spread = math.sqrt((self.width / tails) ** 2 + self.people**2 + self.scenes**2)
        return self.middle + float(special.ndtri(fall)) * spread

    def person(self, rng: np.random.Generator) -> SimulatedPerson:
        """Someone drawn from them."""
        odd = rng.random() < self.inattentive
        bad = (Manner.CLICKER, Manner.SAME, Manner.SLEEPER)
        manner = bad[int(rng.integers(len(bad)))] if odd else Manner.DILIGENT
        lapse = float(rng.beta(2, 2 / self.lapse - 2)) if self.lapse else 0.0
        quick = float(rng.lognormal(math.log(700), 0.3))
        return SimulatedPerson(float(rng.normal(0, self.people)), lapse, manner, quick)

    def recognises(
        self,
        person: SimulatedPerson,
        sample: StudySample,
        share: float,
        seed: int,
        rng: np.random.Generator,
    ) -> bool | None:
        """Whether a person recognises a picture; None if they do not look, or lapse.

        seed: of the scenes' difficulties.
        """
        if not person.looks(share) or rng.random() < person.lapse:
            return None
        middle = self.middle + person.shift + self._shift(sample.scene, seed)
        lost = FAMILIES[self.family].unseen(sample.delta_v, middle, self.width)
        return bool(rng.random() >= lost) if sample.delta_v > 0 else True

    def _shift(self, scene: str, seed: int) -> float:
        key = f"{seed}/{scene}"
        if key not in self.shifts:
            digest = blake2b(key.encode(), digest_size=8).digest()
            drawn = np.random.default_rng(int.from_bytes(digest)).normal(0, self.scenes)
            self.shifts[key] = float(drawn)
        return self.shifts[key]


@dataclass(frozen=True)
class SimulatedView:
    """What a person faces: the trial with its truth, and how much of the session is behind them."""

    trial: PlannedTrial
    samples: Mapping[str, StudySample]
    objects: tuple[TrueObject, ...]
    share: float = 0.0
    seed: int = 0


def simulated_answer(
    people: SimulatedPeople, person: SimulatedPerson, view: SimulatedView, rng: np.random.Generator
) -> StudyAnswer:
    """What a person answers."""
    trial = view.trial
    sample = view.samples[trial.samples[0]]

    def sees() -> bool | None:
        return people.recognises(person, sample, view.share, view.seed, rng)

    if trial.task is StudyTask.RANK:
        order = sorted(
            trial.samples, key=lambda one: view.samples[one].delta_v + rng.normal(0, 0.1)
        )
        return RankAnswer(order=tuple(order))
    if trial.task is StudyTask.LOCALISE:
        drawn = [_jittered(one.box, rng) for one in view.objects if sees()]
        return BoxesAnswer(boxes=tuple(drawn))
    if trial.task is StudyTask.SEGMENT:
        return _outlined(trial, view.objects, bool(sees()))
    if sees():
        return ClassAnswer(choice=trial.right)
    same = person.manner is Manner.SAME
    return ClassAnswer(choice=trial.choices[0 if same else int(rng.integers(len(trial.choices)))])


def _jittered(box: StudyBox, rng: np.random.Generator) -> StudyBox:
    """A box drawn by hand: each side off by a few percent."""
    x1, y1, x2, y2 = box
    wide, high = 0.03 * (x2 - x1), 0.03 * (y2 - y1)
    off = rng.uniform(-1, 1, 4) * (wide, high, wide, high)
    left, top, right, bottom = np.maximum(np.array(box) + off, 0).tolist()
    return left, top, right, bottom


def _outlined(trial: PlannedTrial, objects: tuple[TrueObject, ...], good: bool) -> OutlineAnswer:
    """The object's outline, or a speck in the corner."""
    [target] = [one for one in objects if one.id == trial.object]
    if not good or target.mask is None:
        return OutlineAnswer(polygons=(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),))
    [outlines] = polygons_of_masks(Masks.from_array(true_mask(target)[None]), tolerance=1.0)
    corners = [tuple((float(x), float(y)) for x, y in one[:500]) for one in outlines[:20]]
    return OutlineAnswer(polygons=tuple(corners))
