"""A commented configuration to start from, generated from the options' descriptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from snellen.configuration import Options
from snellen.engine.new_configuration.starting_point import StartingPoint
from snellen.engine.options import EngineOptions
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.cut_options import CutOptions
from snellen.objects.library.open_objects import LIBRARY, LibraryOptions
from snellen.scenes.registry import READERS
from snellen.scenes.scene import SceneSet
from snellen.subjects.registry import ADAPTERS, READ_AS, READ_AS_MEANING

Values = dict[str, Any]


def starter_options(method: str, config: Path, scenes: SceneSet, *, force: bool = False) -> Values:
    """Options of the method that a new configuration needs; writes the files that they name."""
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    starter = kind.opened_starter()
    return {} if starter is None else starter(config, scenes, force=force)


def template(
    method: str,
    start: StartingPoint,
    out: str,
    options: Values | None = None,
    *,
    skip_invalid: bool = False,
) -> str:
    """The text of a configuration with every option, those at their defaults commented out.

    options: the method's own that are known.
    """
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    subject = start.subject
    parts = [
        "# What Snellen tests, with what, and how. Relative paths start at this file's folder.",
        "# Lines that begin with '#' show defaults; remove the '#' to change one.",
        "",
        f"method: {method}  # one of: {', '.join(METHODS.kinds())}",
        "seed: 1  # seed of all randomness",
        f"out: {_plain(out)}  # the run folder",
        *(["skip_invalid: true  # leave out invalid scenes and annotations"] * skip_invalid),
        "",
        "subject:  # the vision system under test",
        *_section(ADAPTERS.load(subject["kind"]).options, subject),
        _read_as(subject),
        "",
        *(_scenes(start.scenes) if kind.scenes else []),
        *(_objects(start.objects) if kind.objects else []),
        f"{method}:  # the method's own options",
        *(_section(kind.options, options or {}) or ["  # none"]),
        "",
        "engine:  # how the run is executed; only the two budgets change a result",
        *_section(EngineOptions, {}),
    ]
    return "\n".join(parts) + "\n"


def _read_as(subject: Values) -> str:
    mark, value = ("", subject[READ_AS]) if READ_AS in subject else ("# ", "null")
    return f"  {mark}{READ_AS}: {value}  # {READ_AS_MEANING}"


def _scenes(scenes: Values) -> list[str]:
    return [
        "scenes:  # what the subject is tested on",
        *_section(READERS.load(scenes["kind"]).options, scenes),
        "",
    ]


def _objects(objects: Values) -> list[str]:
    head = "objects:  # what can be put into a scene: a library, or scenes to cut objects from"
    if objects["kind"] == LIBRARY:
        return [head, *_section(LibraryOptions, objects), ""]
    reader = READERS.load(objects["kind"]).options
    return [head, *_section(reader, objects), *_section(CutOptions, objects), ""]


def _section(model: type[Options], given: Values) -> list[str]:
    """A line for each option: the kind, then required and given ones, then the rest."""
    fields = sorted(
        model.model_fields.items(),
        key=lambda one: (one[0] != "kind", one[0] not in given and not one[1].is_required()),
    )
    return [_line(name, field, given) for name, field in fields]


def _line(name: str, field: FieldInfo, given: Values) -> str:
    note = f"  # {field.description}" if field.description else ""
    if name in given:
        return f"  {name}: {_plain(given[name])}{note}"
    if field.is_required():
        return f"  {name}:  # required{note.replace('  #', ':')}"
    default = to_jsonable_python(field.get_default(call_default_factory=True))
    return f"  # {name}: {_plain(default)}{note}"


def _plain(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=10**6).strip()
    return text.removesuffix("...").strip()
