"""`snellen schema`: the JSON Schema of a configuration, for an editor."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON Schema of configuration files."""
    from snellen.engine.schema import configuration_schema

    typer.echo(json.dumps(configuration_schema(), indent=2))
