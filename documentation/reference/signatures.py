"""The reference of public names in Python: signatures and docstrings, read without importing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import griffe

from documentation.reference.markdown import page

SOURCE = Path(__file__).parents[2] / "src"
WIDTH = 88
"""Characters of a signature on one line; a longer one has a line for each parameter."""
_STARS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def signature_page(title: str, introduction: str, places: Mapping[str, str]) -> str:
    """A page with a section for each name. places: the module of each name."""
    lines = [introduction, ""]
    for name, module in sorted(places.items(), key=lambda one: one[0].lower()):
        lines += _section(_package()[f"{module.removeprefix('snellen.')}.{name}"])
    return page(title, lines)


@cache
def _package() -> Any:
    return griffe.load("snellen", search_paths=[str(SOURCE)])


def _section(found: Any) -> list[str]:
    lines = [f"## {found.name}", "", "```python", *_declaration(found), "```", "", *_text(found)]
    if found.is_class and (methods := _methods(found)):
        lines += ["", *map(_method, methods)]
    return [*lines, ""]


def _declaration(found: Any) -> list[str]:
    if found.is_function:
        return _signature(found).splitlines()
    if found.is_attribute:
        return [f"{found.name} = {_value(found.value)}"]
    bases = ", ".join(map(str, found.bases))
    return [f"class {found.name}{f'({bases})' if bases else ''}:", *(_fields(found) or ["    ..."])]


def _value(found: Any) -> str:
    """A value in full if it is short, else what it is made by."""
    maker = f"{found.function}(...)" if isinstance(found, griffe.ExprCall) else "..."
    return str(found) if len(str(found)) <= WIDTH else maker


def _fields(found: Any) -> list[str]:
    """The lines of a class's attributes."""
    shown = [one for one in found.members.values() if one.is_attribute and _is_public(one.name)]
    return [f"    {one.name}{_typed(one.annotation)}{_assigned(one.value)}" for one in shown]


def _methods(found: Any) -> list[Any]:
    return [one for one in found.members.values() if one.is_function and _is_public(one.name)]


def _method(found: Any) -> str:
    first = found.docstring.value.partition("\n\n")[0] if found.docstring else ""
    return f"- `{_signature(found, wide=True)}`: {' '.join(first.split())}"


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _signature(found: Any, *, wide: bool = False) -> str:
    """A function as it is called, without `self`; on one line if it is short or `wide`."""
    words = _parameters(found)
    end = f") -> {found.returns}" if found.returns is not None else ")"
    line = f"{found.name}({', '.join(words)}{end}"
    if wide or len(line) <= WIDTH:
        return line
    return "\n".join([f"{found.name}(", *(f"    {word}," for word in words), end])


def _parameters(found: Any) -> list[str]:
    own = [one for one in found.parameters if one.name not in ("self", "cls")]
    words = [_parameter(one) for one in own]
    kinds = [one.kind for one in own]
    only = griffe.ParameterKind.keyword_only
    if only in kinds and griffe.ParameterKind.var_positional not in kinds:
        words.insert(kinds.index(only), "*")
    return words


def _parameter(one: Any) -> str:
    stars = _STARS.get(one.kind, "")
    return f"{stars}{one.name}{_typed(one.annotation)}{'' if stars else _assigned(one.default)}"


def _typed(annotation: Any) -> str:
    return "" if annotation is None else f": {annotation}"


def _assigned(value: Any) -> str:
    text = str(value)
    return "" if value is None else f" = {text if len(text) <= WIDTH // 2 else '...'}"


def _text(found: Any) -> list[str]:
    """The docstring, its examples as code."""
    if not found.docstring:
        return []
    parts = re.split(r"\n\n(?=>>> )", found.docstring.value.strip())
    lines = parts[0].splitlines()
    for code in parts[1:]:
        example, _, after = code.partition("\n\n")
        lines += ["", "```pycon", *example.splitlines(), "```", "", *after.splitlines()]
    return lines
