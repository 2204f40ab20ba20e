"""What a code object refers to: globals, modules that it imports, and what cannot be followed."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from types import CodeType

UNFOLLOWED = frozenset(
    {"eval", "exec", "compile", "globals", "locals", "vars", "open", "input", "__import__"}
)
"""Built-in functions whose result the code alone does not determine."""


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """The code object and those of the functions that it defines."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def global_names(code: CodeType) -> list[str]:
    """The global names that the code reads, in order."""
    found = {
        str(one.argval)
        for part in codes_of(code)
        for one in dis.get_instructions(part)
        if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    return sorted(found)


def imported_names(code: CodeType) -> list[str]:
    """The modules that the code imports when it runs, in order."""
    found = {
        str(one.argval)
        for part in codes_of(code)
        for one in dis.get_instructions(part)
        if one.opname == "IMPORT_NAME"
    }
    return sorted(found)
