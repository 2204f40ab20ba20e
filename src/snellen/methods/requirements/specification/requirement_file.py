"""Requirement files: YAML, validated on reading and written atomically."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from snellen.configuration import parse, yaml_fault
from snellen.disk.atomic_file import write_atomically
from snellen.disk.yaml_text import MOST, parse_yaml
from snellen.errors import UserError
from snellen.errors.excerpt import shown
from snellen.methods.requirements.specification.requirement import Requirement, RequirementFile

FORMAT = 1
NEXT = "Write one with: snellen requirements generate --help"


def read_requirements(path: Path) -> tuple[Requirement, ...]:
    """The requirements in a YAML file."""
    try:
        with path.open(encoding="utf-8") as file:
            values = parse_yaml(file.read(MOST + 1))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file. {NEXT}") from None
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read as text: {error}. {NEXT}") from None
    except yaml.YAMLError as error:
        raise UserError(f"{path}: {yaml_fault(error)} {NEXT}") from None
    if not isinstance(values, dict) or "snellen_requirements" not in values:
        raise UserError(
            f"{path}: is not a requirement file: it has no key snellen_requirements. {NEXT}"
        )
    version = values["snellen_requirements"]
    if version != FORMAT:
        raise UserError(
            f"{path}: snellen_requirements: found {shown(version)}, expected {FORMAT}. "
            "Regenerate the file, or update Snellen."
        )
    items = values.get("requirements")
    if isinstance(items, list):
        for place, item in enumerate(items, start=1):
            _check(item, f"{path}: requirement {place}")
    return parse(RequirementFile, values, str(path)).requirements


def _check(item: object, where: str) -> None:
    if not isinstance(item, dict):
        raise UserError(f"{where}: found {shown(item)}, expected keys and values. {NEXT}")
    name = item.get("name")
    parse(Requirement, item, f"{where} ('{name}')" if isinstance(name, str) else where)


def requirements_yaml(requirements: Sequence[Requirement]) -> str:
    """The text of a requirement file, without unknown values."""
    found = RequirementFile(requirements=tuple(requirements))
    values = found.model_dump(mode="json", exclude_none=True)
    for one in values["requirements"]:
        if not one["shared_with"]:
            del one["shared_with"]
    return yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


class _Dumper(yaml.SafeDumper):
    """Lists of plain values on one line, with items indented under their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def represent_list(self, data: Any) -> yaml.SequenceNode:
        plain = all(isinstance(one, str | int | float) for one in data)
        return self.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=plain)


_Dumper.add_representer(list, _Dumper.represent_list)


def write_requirements(path: Path, requirements: Sequence[Requirement]) -> None:
    """Write the file, replacing an existing one."""
    try:
        write_atomically(path, requirements_yaml(requirements).encode())
    except OSError as error:
        raise UserError(
            f"{path}: cannot be written: {error.strerror}. Choose another path."
        ) from None
