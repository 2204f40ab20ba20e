"""How often each test trial was dealt, and which a participant may be given."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from snellen.study.design.study_cost import answers_wanted
from snellen.study.design.study_design import StudyDesign
from snellen.study.record import PlannedTrial
from snellen.study.trial import StudyTask, TrialKind


@dataclass
class DealTally:
    """Counts deals, answered or open, by planned trial.

    counts: a trial about a box that people drew counts for the planned one in whose place it
    stands.
    """

    design: StudyDesign
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._tests = {one: self.design.of_kind(TrialKind.TEST, one) for one in StudyTask}
        self._wanted = {one: answers_wanted(self.design, one) for one in self.design.options.tasks}
        self._of_task = {name: one.task for name, one in self.design.trials.items()}
        self._dealt: Counter[StudyTask] = Counter()

    def recount(self, dealt: Mapping[str, int]) -> None:
        """Start again from how often each test trial was dealt."""
        self.counts, self._dealt = Counter(dealt), Counter()
        for name, count in dealt.items():
            self._dealt[self._of_task[name]] += count

    def add(self, name: str, count: int = 1) -> None:
        """Count a deal of a test trial, or take one back."""
        self.counts[name] += count
        self._dealt[self._of_task[name]] += count

    def open(self, trial: PlannedTrial) -> bool:
        """Whether more answers to a trial are wanted than were dealt."""
        return (
            self.counts[trial.trial] < self.design.options.wanted(trial.task)
            and self._dealt[trial.task] < self._wanted[trial.task]
        )

    def is_full(self) -> bool:
        """Whether no trial of any task is open."""
        return not any(self.open(one) for task in self._wanted for one in self._tests[task])

    def batch_for(self, task: StudyTask, seen: Collection[str], rng: random.Random) -> int | None:
        """The batch with the most open trials whose scenes a participant has not seen."""
        best: list[int] = []
        most = 0
        for number, trials in self.design.batches.items():
            if trials[0].task != task or self._shows(trials, seen):
                continue
            need = sum(self.design.options.wanted(task) - self.counts[one.trial] for one in trials)
            if need > most:
                best, most = [], need
            if need == most and need > 0:
                best.append(number)
        return rng.choice(best) if best else None

    def candidates(self, task: StudyTask, seen: Collection[str]) -> list[PlannedTrial]:
        """The open trials of a task whose scenes a participant has not seen."""
        return [
            one
            for one in self._tests[task]
            if self.open(one) and self.design.scene_of(one) not in seen
        ]

    def _shows(self, trials: Iterable[PlannedTrial], seen: Collection[str]) -> bool:
        return any(self.design.scene_of(one) in seen for one in trials)
