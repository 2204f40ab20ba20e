"""What an exporter packed into a TensorFlow Lite file: a zip archive after the model itself."""

from __future__ import annotations

import ast
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_metadata(path: Path) -> dict[str, str]:
    """The packed values as text (Python literals), by key; `names` from a label file as well."""
    if not zipfile.is_zipfile(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        texts = {name: archive.read(name).decode("utf-8", "replace") for name in archive.namelist()}
    for text in texts.values():
        values = _mapping(text)
        if values:
            return {str(key): repr(value) for key, value in values.items()}
    labels = [text for name, text in texts.items() if name.endswith(".txt")]
    return {"names": repr(labels[0].rstrip().splitlines())} if len(labels) == 1 else {}


def _mapping(text: str) -> Mapping[str, Any] | None:
    """The mapping that a text spells, as JSON or as Python, or None."""
    for read in (json.loads, ast.literal_eval):
        try:
            values = read(text)
        except (ValueError, SyntaxError):
            continue
        if isinstance(values, dict):
            return values
    return None
