"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from snellen.disk.trust import TRUST

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print as JSON.")]


def _decide(trusts: bool) -> bool:
    TRUST.everything = trusts
    return trusts


Trusts: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--trust", callback=_decide, help="Run code that a run folder from elsewhere names."
    ),
]
