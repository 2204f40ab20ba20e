"""The events of a camera+LiDAR case in words, those in 3D and in the image merged."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from snellen.pages.marks import what_happened
from snellen.pages.solids.solid_case import is_solid
from snellen.store.findings import EventRow, Finding

MISSED = "inserted-missed"
IN_SPACE, IN_IMAGE = "in 3D", "in the image"


@dataclass(frozen=True)
class MergedEvent:
    """An event in 3D, in the image, or in both. event: the one in 3D if there is one.

    where: `in 3D`, `in the image`, or both. hard: whether it is hard in either.
    """

    event: EventRow
    where: tuple[str, ...]
    hard: bool


def merged_events(events: Iterable[EventRow]) -> tuple[MergedEvent, ...]:
    """The events, merged over 3D and image by object and kind, hard ones first.

    An inserted object has no index, so it is identified by its place.
    """
    groups: dict[Hashable, list[EventRow]] = {}
    for event in events:
        place = event.solid if event.box is None else event.box
        key = place if event.kind == MISSED else (event.before, event.after)
        groups.setdefault((event.kind, key), []).append(event)
    made = [_merged(group) for group in groups.values()]
    return tuple(sorted(made, key=lambda one: not one.hard))


def _merged(group: Sequence[EventRow]) -> MergedEvent:
    first = max(group, key=lambda one: (one.solid is not None, one.hard))
    where = {one.solid is not None for one in group}
    names = tuple(name for name, flag in ((IN_SPACE, True), (IN_IMAGE, False)) if flag in where)
    return MergedEvent(first, names, any(one.hard for one in group))


def happened(finding: Finding) -> tuple[str, ...]:
    """The events of a case of any method, one line each."""
    if not _in_both_sensors(finding):
        return tuple(what_happened(event) for event in finding.events)
    return tuple(_line(merged) for merged in merged_events(finding.events))


def _in_both_sensors(finding: Finding) -> bool:
    """Whether a case is one of a camera+LiDAR system."""
    return is_solid(finding.recipe) or any(event.solid is not None for event in finding.events)


def _line(merged: MergedEvent) -> str:
    event = merged.event
    where = " and ".join(merged.where)
    if event.solid is None:
        return f"{what_happened(event)}, {where}"
    distance = math.hypot(event.solid[0], event.solid[1])
    return f"{what_happened(event)}, {distance:.0f} m away, {where}"


def mesh_kind(name: str) -> str:
    """The kind of a mesh by its name, which may end with a number.

    >>> mesh_kind("sedan-3"), mesh_kind("my-truck")
    ('sedan', 'my-truck')
    """
    kind, _, number = name.rpartition("-")
    return kind if kind and number.isdigit() else name


def inserted_kinds(recipe: Mapping[str, Any]) -> str | None:
    """The objects that a recipe inserts, in order; None for nothing."""
    return ", ".join(mesh_kind(one[0]) for one in recipe.get("objects") or ()) or None
