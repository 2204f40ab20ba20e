"""How often labels occur together in a scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from snellen.objects.label_names import plain_name


@dataclass(frozen=True)
class CoOccurrence:
    """The number of scenes in which a label occurs, and in which two labels occur together.

    Labels are plain names (see `plain_name`).

    >>> table = CoOccurrence.of_scenes([["person", "dog"], ["person"], ["car"]])
    >>> table.companions(["Person"])
    {'dog': 0.5}
    """

    scenes: Mapping[str, int]
    together: Mapping[tuple[str, str], int]

    @classmethod
    def of_scenes(cls, labels: Iterable[Iterable[str]]) -> CoOccurrence:
        """The table of these scenes, each given as the labels of its objects."""
        single: Counter[str] = Counter()
        pairs: Counter[tuple[str, str]] = Counter()
        for scene in labels:
            names = sorted({plain_name(label) for label in scene})
            single.update(names)
            pairs.update((a, b) for a in names for b in names if a != b)
        return cls(dict(single), dict(pairs))

    def companions(self, labels: Iterable[str]) -> dict[str, float]:
        """Weights of other labels that occur together with the given ones, sorted by name.

        The weight is the share of scenes with a given label that also have the other, summed over
        the given labels.
        """
        given = {plain_name(label) for label in labels}
        weights: dict[str, float] = {}
        for (label, other), count in sorted(self.together.items()):
            if label in given and other not in given:
                weights[other] = weights.get(other, 0.0) + count / self.scenes[label]
        return dict(sorted(weights.items()))
