"""A simulated participant's way through a study, by the calls that a browser makes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from snellen.study.estimates.simulation.simulated_people import (
    SimulatedPeople,
    SimulatedPerson,
    SimulatedView,
    simulated_answer,
)
from snellen.study.participation import Participation
from snellen.study.record import StudyRecord
from snellen.study.trial import Exposure, ShownTrial, Stage

FRAME_MS = 1000 / 60
WAITING = (Stage.CONSENT, Stage.INSTRUCTIONS)


@dataclass(frozen=True)
class SimulatedStudy:
    """A study that simulated people take part in.

    design: its record, by which a trial's name is looked up. limit: trials of one participant.
    """

    study: Participation
    design: StudyRecord
    people: SimulatedPeople
    limit: int = 10_000

    def run(self, count: int, rng: np.random.Generator) -> list[tuple[str, SimulatedPerson]]:
        """The codes of `count` participants, who answer one after the other, and who they are."""
        persons = [self.people.person(rng) for _ in range(count)]
        return [(self.take_part(one, rng), one) for one in persons]

    def take_part(self, person: SimulatedPerson, rng: np.random.Generator) -> str:
        """The code of one participant, who answers until there is nothing more to answer."""
        code = self.study.enrol({})
        while (stage := self.study.progress(code).stage) in WAITING:
            self.study.pass_stage(code, stage)
        for _ in range(self.limit):
            shown = self.study.next_trial(code)
            if shown is None:
                break
            self._answer(code, shown, person, rng)
        return code

    def _answer(
        self, code: str, shown: ShownTrial, person: SimulatedPerson, rng: np.random.Generator
    ) -> None:
        trial = self.design.trials[shown.trial]
        scene = self.design.samples[trial.samples[0]].scene
        view = SimulatedView(
            trial,
            self.design.samples,
            self.design.objects.get(scene, ()),
            self.study.progress(code).share,
            self.design.seed,
        )
        answer = simulated_answer(self.people, person, view, rng)
        exposure = _exposure(shown, rng)
        self.study.record(code, shown.trial, answer, exposure, person.response_ms(rng))


def _exposure(shown: ShownTrial, rng: np.random.Generator) -> Exposure:
    """Mostly on target; one in fifty is late by three frames."""
    if shown.flash_ms is None:
        return Exposure(frame_ms=FRAME_MS)
    late = 3 * FRAME_MS if rng.random() < 0.02 else 0.0
    return Exposure(shown_ms=shown.flash_ms + late, frame_ms=FRAME_MS)


Opener = Callable[[int], tuple[Participation, Callable[[], StudyRecord]]]
"""Opens a fresh study of a seed: what answers are given to, and how its record is read."""
