"""A commented configuration to start from, generated from the options' descriptions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from snellen.configuration import Options
from snellen.engine.options import EngineOptions
from snellen.methods.kind import METHODS, MethodKind
from snellen.objects.library.cut_options import CutOptions
from snellen.scenes.registry import READERS, open_scenes
from snellen.subjects.registry import ADAPTERS, READ_AS, READ_AS_MEANING

Values = dict[str, Any]


def starter_options(method: str, config: Path, scenes: Values, *, force: bool = False) -> Values:
    """Options of the method that a new configuration needs; writes the files that they name."""
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    starter = kind.opened_starter()
    if starter is None:
        return {}
    return starter(config, open_scenes(scenes, config.parent), force=force)


def template(
    method: str, subject: Values, scenes: Values, objects: Values, options: Values | None = None
) -> str:
    """The text of a configuration with every option, those at their defaults commented out.

    options: the method's own that are known.
    """
    kind: MethodKind = METHODS.load(METHODS.check(method, "--method"))
    parts = [
        "# What Snellen tests, with what, and how. Relative paths start at this file's folder.",
        "# Lines that begin with '#' show defaults; remove the '#' to change one.",
        "",
        f"method: {method}  # one of: {', '.join(METHODS.kinds())}",
        "seed: 1  # seed of all randomness",
        "out: runs/first  # the run folder",
        "",
        "subject:  # the vision system under test",
        *_section(ADAPTERS.load(subject["kind"]).options, subject),
        f"  # {READ_AS}: null  # {READ_AS_MEANING}",
        "",
        *(_scenes(scenes) if kind.scenes else []),
        *(_objects(objects) if kind.objects else []),
        f"{method}:  # the method's own options",
        *(_section(kind.options, options or {}) or ["  # none"]),
        "",
        "engine:  # how the run is executed; only the two budgets change a result",
        *_section(EngineOptions, {}),
    ]
    return "\n".join(parts) + "\n"


def _scenes(scenes: Values) -> list[str]:
    return [
        "scenes:  # what the subject is tested on",
        *_section(READERS.load(scenes["kind"]).options, scenes),
        "",
    ]


def _objects(objects: Values) -> list[str]:
    reader = READERS.load(objects["kind"]).options
    return [
        "objects:  # what can be put into a scene: a library, or scenes to cut objects from",
        *_section(reader, objects),
        *_section(CutOptions, objects),
        "",
    ]


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
