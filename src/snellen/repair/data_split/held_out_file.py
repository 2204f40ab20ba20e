"""A file that names held-out scenes, which a retraining set must not share."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snellen.configuration import read_yaml
from snellen.errors import UserError
from snellen.objects.library.library import Library
from snellen.objects.library.open_objects import open_objects
from snellen.repair.data_split.leakage import DataPart
from snellen.scenes.registry import open_scenes


def held_out_part(file: Path) -> DataPart:
    """The held-out scenes that a YAML file names, and the objects if it names any.

    The file is a run's configuration (or any file with `scenes:` and optionally `objects:`), or
    the content of `scenes:` alone, with `kind:` at top level. Paths are relative to its folder.
    """
    values = read_yaml(file)
    folder = Path(values["base"]) if values.get("base") else file.resolve().parent
    given = values if "kind" in values else values.get("scenes")
    if not isinstance(given, Mapping):
        raise UserError(
            f"{file}: names no scenes; expected `scenes:` as in a run's configuration, or `kind:` "
            "and its options at top level."
        )
    scenes = open_scenes(given, folder, where=f"{file}: scenes")
    objects = {} if given is values else _objects(values, folder, file)
    return DataPart(str(file), scenes, objects, held_out=True)


def _objects(values: Mapping[str, Any], folder: Path, file: Path) -> dict[str, str]:
    if not isinstance(values.get("objects"), Mapping):
        return {}
    return sources_in(open_objects(values["objects"], folder, where=f"{file}: objects"))


def sources_in(library: Library) -> dict[str, str]:
    """The digest of the scene that each object of a library was cut from, by the object's id."""
    return {one.id: one.source for label in library.labels() for one in library.entries(label)}
