"""The detections of each reading of a network in each scene of a sample, asked for once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from snellen.engine.accuracy.annotated_sample import AnnotatedSample
from snellen.errors import SubjectError, UserError
from snellen.subjects.model_file.model_subject import ModelSubject, OutputReader
from snellen.subjects.model_file.readings import Reading, option_changes, reading_of
from snellen.terminal.progress import Counter
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.matched_set import MatchedSet
from snellen.vision.precision.set_matching import match_set


class ReadingAnswers:
    """Asks a network once for all readings that prepare the image alike.

    progress: called with the number of forward passes done and planned.
    """

    def __init__(self, subject: ModelSubject, sample: AnnotatedSample, progress: Counter) -> None:
        self._subject, self._sample, self._progress = subject, sample, progress
        self._found: dict[tuple[Reading, int], Detections] = {}
        self._readers: dict[Reading, OutputReader] = {}
        self._unreadable: set[Reading] = set()
        self._options: dict[Reading, dict[str, Any]] = {}
        self._passes = 0

    def readable(self, readings: Iterable[Reading]) -> list[Reading]:
        """The readings that outputs and options allow, and that have not failed."""
        return [one for one in readings if self._can_read(one)]

    def options(self, reading: Reading) -> dict[str, Any]:
        """The options that a reading changes; see `option_changes`."""
        if reading not in self._options:
            self._options[reading] = option_changes(self._subject, reading)
        return self._options[reading]

    def _can_read(self, reading: Reading) -> bool:
        if reading not in self._readers and reading not in self._unreadable:
            try:
                reader = self._subject.read_with(self.options(reading))
            except (UserError, ValueError):
                self._unreadable.add(reading)
            else:
                same = reading_of(reader) == reading
                self._readers |= {reading: reader} if same else {}
                self._unreadable |= set() if same else {reading}
        return reading not in self._unreadable

    def ask(self, readings: Iterable[Reading], scenes: Sequence[int]) -> None:
        """Fill in the detections of these readings in these scenes."""
        known = sorted(self.readable(readings), key=lambda one: repr(one.preparation))
        groups = [list(group) for _, group in groupby(known, key=lambda one: one.preparation)]
        needed = [
            (missing, scene)
            for scene in scenes
            for group in groups
            if (missing := [one for one in group if (one, scene) not in self._found])
        ]
        planned = self._passes + len(needed)
        for missing, scene in needed:
            self._ask_once(self.readable(missing), scene)
            self._passes += 1
            self._progress(self._passes, planned)

    def _ask_once(self, readings: Sequence[Reading], scene: int) -> None:
        if not readings:
            return
        reader = self._readers[readings[0]]
        [(outputs, letterbox)] = self._subject.outputs([self._sample.images[scene]], reader)
        for one in readings:
            try:
                with np.errstate(all="ignore"):
                    answer = self._readers[one].prediction(outputs, letterbox)
            except (SubjectError, UserError, ValueError, IndexError):  # a wrong reading may fail
                self._unreadable.add(one)
                continue
            if isinstance(answer, Detections):
                self._found[one, scene] = self._sample.shared(answer.rounded().ranked())

    def detections(self, reading: Reading, scenes: Sequence[int]) -> list[Detections]:
        """The detections of a reading in these scenes, which were asked for."""
        return [self._found[reading, scene] for scene in scenes]

    def truths(self, scenes: Sequence[int]) -> list[Annotations]:
        """The annotated objects of these scenes."""
        return [self._sample.truths[scene] for scene in scenes]

    def matched(self, reading: Reading, scenes: Sequence[int]) -> MatchedSet:
        """The matches of a reading's detections in these scenes."""
        found, classes = self.detections(reading, scenes), len(self._sample.classes)
        return match_set(found, self.truths(scenes), classes=classes)
