"""Which objects a subject recognises: shown alone, each must get exactly its own label.

An error in company is an interaction only if the object is recognised alone. An object without a
label is as useless as one with a wrong label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from snellen.changes.compose.compose import Compose
from snellen.errors import UserError, nearest
from snellen.methods.combinations.composition.arrangement import (
    Arrangement,
    alone_recipe,
    among_recipe,
)
from snellen.methods.combinations.object_validation.objects_alone import PresentLabels, labels_alone
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.label_names import plain_name
from snellen.objects.library.exclusion_file import STRUCK_OUT, struck_out
from snellen.objects.library.library import Entry, Library
from snellen.subjects.subject import Subject, Task

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of objects done and the total."""

NO_LABEL = "no label"
STRANGE = "the subject has no such label"
MOST_NAMED = 3


@dataclass(frozen=True)
class RejectedObject:
    """An object that is not used, and why."""

    entry: Entry
    why: str


@dataclass(frozen=True, eq=False)
class ValidatedLibrary:
    """The objects of a library that a subject recognises; a `Library` itself, small to pickle.

    why: the reason for each rejected object, by id. `cutout` still returns such objects. extra: the
    labels that an object gets besides its own, by id.
    """

    library: Library
    why: Mapping[str, str]
    extra: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def labels(self) -> tuple[str, ...]:
        """Names of the labels that have an object, sorted."""
        return tuple(label for label in self.library.labels() if self.entries(label))

    def entries(self, label: str) -> tuple[Entry, ...]:
        """The objects of a label, in the library's order."""
        return tuple(one for one in self.library.entries(label) if one.id not in self.why)

    def cutout(self, id: str) -> Cutout:
        """The cut-out of an id."""
        return self.library.cutout(id)

    @property
    def accepted(self) -> tuple[str, ...]:
        """Ids of the objects that are used."""
        return tuple(one.id for label in self.labels() for one in self.entries(label))

    @property
    def rejected(self) -> tuple[RejectedObject, ...]:
        """The rejected objects, the excluded ones last."""
        every = (*_entries(self.library), *struck_out(self.library))
        return tuple(RejectedObject(one, self.why[one.id]) for one in every if one.id in self.why)

    def counts(self) -> dict[str, tuple[int, dict[str, int]]]:
        """For each label of the library: the number of objects used, and rejected by reason."""
        gone: dict[str, Counter[str]] = {label: Counter() for label in self.library.labels()}
        for one in self.rejected:
            gone.setdefault(one.entry.label, Counter())[one.why] += 1
        return {
            label: (len(self.entries(label)), dict(gone[label].most_common()))
            for label in sorted(gone)
        }


def validated_library(
    library: Library,
    subject: Subject,
    arrangement: Arrangement,
    *,
    together: int | None = None,
    progress: Progress | None = None,
    where: str = "objects",
) -> ValidatedLibrary:
    """The library with only the objects for which the subject outputs exactly their label.

    Each is shown as `alone_recipe` composes it, so that colours of transparent pixels do not show;
    then, if it passes, as small as it typically is among `together` objects, unless that is None.
    Answers are cached on disk: the subject is asked once about an object. progress: called with the
    number of objects done and the total. where: the start of error messages.
    """
    _check(library, subject, where)
    known = {plain_name(name) for name in subject.classes}
    why = {one.id: STRUCK_OUT for one in struck_out(library)}
    recipes: dict[str, Compose] = {}
    for one in _entries(library):
        if plain_name(one.label) in known:
            recipes[one.id] = alone_recipe(one, arrangement)
        else:
            why[one.id] = STRANGE
    shown = {one.id: one for one in _entries(library) if one.id in recipes}
    seen = labels_alone(recipes, library, subject, progress)
    why |= _reasons(shown, seen, subject.classes)
    extra = _extra_labels(shown, seen, subject.classes)
    if together is not None:
        small = {
            id: among_recipe(one, arrangement, together)
            for id, one in shown.items()
            if id not in why
        }
        again = labels_alone(small, library, subject, progress)
        size = f"at the size it has among {together}"
        found = _reasons(shown, again, subject.classes)
        why |= {id: f"{reason}, {size}" for id, reason in found.items()}
    return ValidatedLibrary(library, why, extra)


def _reasons(
    shown: Mapping[str, Entry], seen: Mapping[str, PresentLabels], classes: Sequence[str]
) -> dict[str, str]:
    """Why objects are rejected, by id."""
    found = {id: why_not(shown[id].label, labels, classes) for id, labels in seen.items()}
    return {id: reason for id, reason in found.items() if reason}


def _extra_labels(
    shown: Mapping[str, Entry], seen: Mapping[str, PresentLabels], classes: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """The labels that objects get besides their own, by id."""
    found = {}
    for id, labels in seen.items():
        own = plain_name(shown[id].label)
        names = [classes[one] for one in labels]
        others = tuple(name for name in names if plain_name(name) != own)
        if others and len(others) < len(names):
            found[id] = others
    return found


def why_not(label: str, seen: PresentLabels, classes: Sequence[str]) -> str:
    """Why an object is rejected, or ""; seen: the class ids present, highest score first.

    >>> why_not("Traffic_Light", (1,), ("car", "traffic light"))
    ''
    >>> [why_not("car", seen, ("car", "bus", "dog")) for seen in [(), (1,), (0, 2), (2, 1)]]
    ['no label', 'seen as bus', 'also dog', 'not seen, but dog, bus']
    """
    own = plain_name(label)
    others = [classes[one] for one in seen if plain_name(classes[one]) != own]
    if not seen:
        return NO_LABEL
    if not others:
        return ""
    if len(others) < len(seen):
        return f"also {_listed(others)}"
    return f"seen as {others[0]}" if len(others) == 1 else f"not seen, but {_listed(others)}"


def without_object(library: Library, classes: Sequence[str]) -> tuple[str, ...]:
    """The subject's classes without an object in the library."""
    there = {plain_name(label) for label in library.labels()}
    return tuple(name for name in classes if plain_name(name) not in there)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _entries(library: Library) -> list[Entry]:
    return [one for label in library.labels() for one in library.entries(label)]


def _check(library: Library, subject: Subject, where: str) -> None:
    if subject.task != Task.LABELS:
        raise UserError(
            f"subject: '{subject.name}' has task {subject.task}, but objects are validated by "
            "the labels that a classifier outputs. Add `read_as: labels` under `subject`."
        )
    known = {plain_name(name) for name in subject.classes}
    labels = library.labels()
    if not any(plain_name(label) in known for label in labels):
        first = f"'{labels[0]}'{nearest(labels[0], subject.classes)}" if labels else "nothing"
        raise UserError(
            f"{where}: the subject has none of the {len(labels)} labels of the objects, such as "
            f"{first}. Give objects of its own labels, or name its classes under `subject`."
        )
