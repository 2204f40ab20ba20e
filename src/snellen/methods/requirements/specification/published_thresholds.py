"""Published thresholds by name, with their sources; the data are in `published.yaml`."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from snellen.errors import UserError, nearest
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import Kind
from snellen.methods.requirements.specification.generation import KnownThresholds

FILE = "published.yaml"


def sources() -> list[str]:
    """The names of the published sets of thresholds.

    >>> sources()
    ['decompovision-voc', 'icraf-imagenet']
    """
    return list(_contents()[0])


def published_thresholds(
    source: str, label: str, transformation: str, kind: Kind
) -> KnownThresholds:
    """The human thresholds of a study for a label under a transformation."""
    contents, digest = _contents()
    if source not in contents:
        raise UserError(f"--source: no published thresholds '{source}'{nearest(source, contents)}")
    study = contents[source]
    rows = study["thresholds"]
    for row in rows:
        if (row["label"], row["transformation"]) == (label, transformation):
            return _thresholds_of(study, row, kind, digest)
    has = ", ".join(f"{row['label']} under {row['transformation']}" for row in rows)
    raise UserError(
        f"--source {source}: has no thresholds for {label} under {transformation}; it has {has}. "
        "Estimate your own with: snellen thresholds DATA --json"
    )


def published_rows(source: str, kind: Kind) -> list[KnownThresholds]:
    """All human thresholds of a study, by label and transformation.

    >>> [(one.label, one.transformation) for one in published_rows(sources()[0], "correctness")][:2]
    [('person', 'frost'), ('bus', 'frost')]
    """
    contents, digest = _contents()
    study = contents[source]
    return [_thresholds_of(study, row, kind, digest) for row in study["thresholds"]]


def _thresholds_of(
    study: dict[str, Any], row: dict[str, Any], kind: Kind, digest: str
) -> KnownThresholds:
    source = ThresholdSource(
        study=f"{study['study']} ({row['where']})",
        file=FILE,
        sha256=digest,
        procedure=study["procedure"],
    )
    thresholds = {name: (value, source) for name, value in row[kind].items()}
    label, transformation = row["label"], row["transformation"]
    return KnownThresholds(label, transformation, kind, study["measure"], thresholds, {})


@cache
def _contents() -> tuple[dict[str, Any], str]:
    data = files(__package__).joinpath(FILE).read_bytes()
    return yaml.safe_load(data), hashlib.sha256(data).hexdigest()
