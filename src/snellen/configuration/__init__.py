"""Options with validated names and types, and error messages that name the key.

Each package declares its options as an `Options` model. `parse` turns a mapping into one, and an
invalid mapping into a `UserError` with the key's path, the value found and what was expected.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from snellen.configuration.secret_values import hide_secrets
from snellen.disk.yaml_text import MOST, parse_yaml
from snellen.errors import UserError, nearest
from snellen.errors.excerpt import shown
from snellen.errors.redaction import NOT_SHOWN, is_secret
from snellen.plugins import Registry


class Options(BaseModel):
    """Base class of all options: unknown keys are errors, instances are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())


O = TypeVar("O", bound=Options)  # noqa: E741


def parse(model: type[O], values: Mapping[str, Any], where: str) -> O:
    """The options in `values`. `where` starts each message: a file, or `file: key` within it."""
    try:
        return model.model_validate(dict(values))
    except ValidationError as error:
        lines = [_explain(model, dict(one), where) for one in error.errors()]
        raise UserError("\n".join(lines)) from None


def options_of_kind(registry: Registry, values: Mapping[str, Any], where: str) -> Options:
    """The options in `values`, validated by the model of the kind named by the key `kind`."""
    kind = registry.check(values.get("kind"), f"{where}.kind")
    model: type[Options] = registry.load(kind).options
    return parse(model, values, where)


def _explain(model: type[BaseModel], error: dict[str, Any], where: str) -> str:
    path = [str(part) for part in error["loc"]]
    place = ("." if ": " in where else ": ").join([where, ".".join(path)]) if path else where
    if error["type"] == "extra_forbidden":
        return f"{place}: unknown key{nearest(path[-1], _names(model, path[:-1]))}"
    if error["type"] == "missing":
        return f"{place}: missing; it must be given"
    if error["type"] == "value_error" and not path:
        return f"{place}: {error['ctx']['error']}"
    return f"{place}: found {shown(error['input'])}, {_expected(error['msg'])}"


def _names(model: type[BaseModel], path: list[str]) -> list[str]:
    for part in path:
        field = model.model_fields.get(part)
        inner = field.annotation if field is not None else None
        if not (isinstance(inner, type) and issubclass(inner, BaseModel)):
            return []
        model = inner
    return [field.alias or name for name, field in model.model_fields.items()]


def _expected(message: str) -> str:
    """What pydantic expected, in our words.

    >>> _expected("Input should be a valid integer, unable to parse string as an integer")
    'expected a valid integer'
    >>> _expected("Input should be greater than 0")
    'expected a value greater than 0'
    """
    wanted, _, _ = message.removeprefix("Input should be ").partition(", unable to parse")
    if wanted == message:
        return f"but {message[:1].lower()}{message[1:]}"
    return f"expected {'a value ' if wanted.startswith(('greater', 'less')) else ''}{wanted}"


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping in a YAML file."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST + 1)
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such file. `snellen init` writes one to start from.",
            next=f"snellen init {shlex.quote(str(path))}",
        ) from None
    except IsADirectoryError:
        own = path / "config.yaml"
        one = shlex.quote(str(path))
        raise UserError(
            f"{path}: is a folder, expected a configuration file.",
            next=f"snellen report {one}" if own.is_file() else f"snellen init --scenes {one}",
        ) from None
    except (OSError, ValueError) as error:  # ValueError: no text, or no possible path
        raise UserError(f"{path}: cannot be read as text: {error}") from None
    try:
        values = parse_yaml(text)
    except yaml.YAMLError as error:
        raise UserError(f"{path}: {yaml_fault(error)}") from None
    if not isinstance(values, dict):
        raise UserError(f"{path}: found {type(values).__name__}, expected keys and values")
    hide_secrets(values)
    return values


def yaml_fault(error: yaml.YAMLError) -> str:
    """Where a text is not valid YAML, and why."""
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    if mark is None or problem is None:
        return f"not valid YAML: {error}"
    place = f"line {mark.line + 1}, column {mark.column + 1}"
    if "'\\t'" in problem:
        return f"not valid YAML: {place} is a tab. Indent with spaces, two per level."
    return f"not valid YAML: {place}: {problem}. Correct the line."


def set_key(values: dict[str, Any], given: str) -> None:
    """Set `key=value` in nested values; dots in the key separate levels, the value is YAML.

    >>> values = {"engine": {"batch": 1}}
    >>> set_key(values, "engine.batch=4")
    >>> values
    {'engine': {'batch': 4}}
    """
    path, equals, text = given.partition("=")
    if not equals or not path:
        raise UserError(f"--set {path}: expected key=value, such as engine.batch=4")
    *parents, last = path.split(".")
    place = values
    for key in parents:
        if place.get(key) is None:  # missing, or a heading whose lines are all comments
            place[key] = {}
        place = place[key]
        if not isinstance(place, dict):
            raise UserError(f"--set {path}: '{key}' is not a group of keys")
    try:
        place[last] = parse_yaml(text)
    except yaml.YAMLError as error:
        why = NOT_SHOWN if any(map(is_secret, (*parents, last))) else str(error)
        raise UserError(f"--set {path}=...: the value is not valid YAML: {why}") from None
    hide_secrets(values)
