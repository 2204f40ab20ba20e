"""A retraining set as a folder: pictures, labels, manifest and datasheet."""

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
    """Write the new folder `out` atomically; the same set gives the same bytes.

    against, alike: the parts it was checked against, and near-duplicates, for the manifest.
    """
    kind = FORMATS[format]
    if kind.flat and any(one.scene.sweep is not None for one in found.pictures):
        raise UserError(
            f"--format {format} cannot hold point clouds, and the run is on camera+LiDAR frames. "
            "Pass --format kitti."
        )
    with new_folder(out) as draft:
        kind.write(found.scenes, draft)
        section = kind.scenes_yaml(found.scenes)
        contents = manifest(found, format, against, alike)
        _text(draft / MANIFEST, json.dumps(contents, indent=1) + "\n")
        _text(draft / SCENES, yaml.safe_dump(section, sort_keys=False, allow_unicode=True))
        _text(draft / DATASHEET, datasheet(found, contents, section))


def manifest(
    found: RetrainingSet, format: str, against: Sequence[DataPart], alike: Sequence[SimilarPictures]
) -> dict[str, Any]:
    """The contents of the set and their origin, as JSON values."""
    return {
        "snellen_version": __version__,
        "format": format,
        "run": dict(found.run),
        "options": dict(found.options),
        "classes": list(found.scenes.classes),
        "pictures": [_picture(made, found) for made in found.pictures],
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
