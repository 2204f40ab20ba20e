"""The base of the numbers in `summary.json`, those of every run and those of one method."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class NumberModel(BaseModel):
    """Numbers as a frozen value that accepts no unknown key.

    A key of the JSON file that is no Python name, such as `3d`, is the alias of a field.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, populate_by_name=True, protected_namespaces=()
    )
