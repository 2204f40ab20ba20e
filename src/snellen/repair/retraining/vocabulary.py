"""The classes of a retraining set: those of the scenes, and of inserted objects."""

from __future__ import annotations

from collections.abc import Sequence

from snellen.objects.label_names import plain_name


class Vocabulary:
    """Names by 0-based id, and the data set's own ids; new names are appended.

    >>> classes = Vocabulary(["traffic light", "car"], [10, 3])
    >>> classes.label("Traffic_Light"), classes.label("dog")
    (0, 2)
    >>> classes.names, classes.own_ids
    (('traffic light', 'car', 'dog'), (10, 3, 11))
    """

    def __init__(self, names: Sequence[str], own_ids: Sequence[int] = ()) -> None:
        self._names = list(names)
        self._own = list(own_ids) or list(range(1, len(self._names) + 1))
        self._labels = {plain_name(name): label for label, name in enumerate(self._names)}

    def label(self, name: str) -> int:
        """The 0-based id of a name, whatever its spelling."""
        plain = plain_name(name)
        if plain not in self._labels:
            self._labels[plain] = len(self._names)
            self._names.append(name)
            self._own.append(max(self._own, default=0) + 1)
        return self._labels[plain]

    @property
    def names(self) -> tuple[str, ...]:
        """The names by 0-based id."""
        return tuple(self._names)

    @property
    def own_ids(self) -> tuple[int, ...]:
        """The data set's own ids, by 0-based id."""
        return tuple(self._own)
