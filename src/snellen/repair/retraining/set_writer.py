"""A retraining set as a folder: pictures, labels, where each comes from, and a datasheet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from snellen import __version__
from snellen.disk.atomic_file import new_folder
from snellen.errors import UserError
from snellen.repair.data_split.leakage import DataPart, SimilarPictures
from snellen.repair.retraining.datasheet import datasheet
from snellen.repair.retraining.retraining_set import RetrainingPicture, RetrainingSet
from snellen.repair.retraining.set_formats import FORMATS

MANIFEST, DATASHEET, SCENES = "manifest.json", "README.md", "scenes.yaml"


def write_retraining_set(
    found: RetrainingSet,
    out: Path,
    format: str,
    *,
    against: Sequence[DataPart] = (),
    alike: Sequence[SimilarPictures] = (),
) -> None:
    """Write the new folder `out`, whole or not at all; the same set gives the same bytes.

    against, alike: the parts it was held against, and what looked alike, for the manifest.
    """
    kind = FORMATS[format]
    if kind.flat and any(one.scene.sweep is not None for one in found.made):
        raise UserError(
            f"--format {format} has no place for point clouds, and the run is of camera+LiDAR "
            "frames. Pass --format kitti."
        )
    with new_folder(out) as draft:
        kind.write(found.scenes, draft)
        reading = kind.reading(found.scenes)
        told = manifest(found, format, against, alike)
        _text(draft / MANIFEST, json.dumps(told, indent=1) + "\n")
        _text(draft / SCENES, yaml.safe_dump(reading, sort_keys=False, allow_unicode=True))
        _text(draft / DATASHEET, datasheet(found, told, reading))


def manifest(
    found: RetrainingSet, format: str, against: Sequence[DataPart], alike: Sequence[SimilarPictures]
) -> dict[str, Any]:
    """What is in the set and where it comes from, as plain values."""
    return {
        "snellen_version": __version__,
        "format": format,
        "run": dict(found.run),
        "options": dict(found.options),
        "classes": list(found.scenes.classes),
        "pictures": [_picture(made, found) for made in found.made],
        "objects": dict(found.objects),
        "left_out": [{"scene": one.where, "why": one.why} for one in found.left_out],
        "checked_against": [
            {"name": Path(part.name).name, "scenes": len(part.scenes), "objects": len(part.objects)}
            for part in against
        ],
        "looks_alike": [asdict(one) for one in alike],
    }


def _picture(made: RetrainingPicture, found: RetrainingSet) -> dict[str, Any]:
    labelled = bool(found.options["label_inserted"])
    return {
        "id": made.scene.id,
        "scene": made.source.id,
        "scene_digest": made.source.digest,
        "labels": str(made.origin),
        "inserted": [{**asdict(one), "labelled": labelled} for one in made.inserted],
        "recipe": dict(made.recipe),
    }


def _text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))
