"""`snellen schema`: the JSON Schema of configurations, for editors."""

from __future__ import annotations

import json

import typer


def schema() -> None:
    """Print the JSON Schema of configuration files."""
    from snellen.engine.schema import configuration_schema

    typer.echo(json.dumps(configuration_schema(), indent=2))
