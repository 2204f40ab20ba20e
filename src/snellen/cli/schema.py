"""`snellen schema`: the JSON Schema of configurations, for editors."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def schema(
    builtin: Annotated[
        bool, typer.Option("--builtin", help="Leave out the kinds of installed plug-ins.")
    ] = False,
) -> None:
    """Print the JSON Schema of configuration files."""
    from snellen.engine.schema import configuration_schema

    typer.echo(json.dumps(configuration_schema(builtin=builtin), indent=2))
