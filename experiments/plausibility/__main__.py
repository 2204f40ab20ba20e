"""Sheets of accepted objects and of insertions, to be looked at and rated by a person.

Run: python -m experiments.plausibility OUT [--data ../shared/data]
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from experiments.plausibility.sheets import insertion_sheets, object_sheets
from snellen.objects.library.open_objects import open_objects
from snellen.scenes.registry import open_scenes
from snellen.subjects.registry import open_subject

SEED = 18


def main(
    out: Annotated[Path, typer.Argument(help="The folder to write the sheets to.")],
    data: Annotated[Path, typer.Option("--data", help="The data folder.")] = Path("../shared/data"),
    count: Annotated[int, typer.Option("--count", min=1, help="Most insertions.")] = 100,
    first: Annotated[int, typer.Option("--first", min=0, help="The first photograph.")] = 0,
) -> None:
    """Write both kinds of sheets, and print the yield and the naturalness measures."""
    out.mkdir(parents=True, exist_ok=True)
    detector = {"kind": "onnx", "model": str(data.resolve() / "detectors" / "yolox_nano.onnx")}
    voc = {"kind": "voc", "root": str(data.resolve() / "voc600")}
    train = data.resolve() / "coco_train128"
    coco = {
        "kind": "coco",
        "annotations": str(train / "instances_train2017.json"),
        "images": str(train / "images"),
    }
    subject = open_subject(detector, Path(), "subject")
    libraries = [open_objects(one, Path(), subject, skip_invalid=True) for one in (coco, voc)]
    typer.echo(object_sheets(libraries, out, np.random.default_rng(SEED)))
    scenes = open_scenes(voc, Path(), skip_invalid=True).scenes[first:]
    typer.echo(insertion_sheets(scenes, libraries[1], subject, out, count, SEED))
    subject.close()


if __name__ == "__main__":
    typer.run(main)
