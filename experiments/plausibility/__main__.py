"""Sheets of accepted objects and of insertions, to be looked at and rated by a person.

Run: python -m experiments.plausibility OUT [--data ../shared/data]

The insertions are shuffled with those of the former rules, so that they can be rated blind;
`key.json` says which is which.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from experiments.plausibility.sheets import Way, insertion_sheets, object_sheets
from snellen.methods.insertion.options import InsertionOptions
from snellen.objects.library.open_objects import open_objects
from snellen.scenes.registry import open_scenes
from snellen.subjects.registry import open_subject

SEED = 1307
FORMER_GATE = {"holes": 0.15, "occluded": 0.1, "flat": 1.0, "detail": 0.0, "enough": 0}
FORMER = {"footing": "anywhere", "blending": "feather", "shadow": 0.0, "enlarged": 2.0}


def main(
    out: Annotated[Path, typer.Argument(help="The folder to write the sheets to.")],
    data: Annotated[Path, typer.Option("--data", help="The data folder.")] = Path("../shared/data"),
    count: Annotated[int, typer.Option("--count", min=1, help="Insertions of each way.")] = 100,
    first: Annotated[int, typer.Option("--first", min=0, help="The first VOC photograph.")] = 150,
    seed: Annotated[int, typer.Option("--seed", help="Of the insertions and their order.")] = SEED,
) -> None:
    """Write both kinds of sheets, and print the yield and the naturalness measures."""
    out.mkdir(parents=True, exist_ok=True)
    data = data.resolve()
    detector = {"kind": "onnx", "model": str(data / "detectors" / "yolox_nano.onnx")}
    subject = open_subject(detector, Path(), "subject")
    voc = {"kind": "voc", "root": str(data / "voc600")}
    sources = [_coco(data / "coco_train128", "instances_train2017.json"), voc]
    gates: dict[str, dict[str, Any]] = {
        "now": {},
        "former": {"prune": FORMER_GATE, "recognise": False},
    }
    libraries = {
        name: [open_objects({**one, **gate}, Path(), subject, skip_invalid=True) for one in sources]
        for name, gate in gates.items()
    }
    typer.echo(object_sheets(libraries["now"], out, np.random.default_rng(seed)))
    ways = [
        Way("now", InsertionOptions(per_object=1), libraries["now"]),
        Way("former", InsertionOptions(per_object=1, **FORMER), libraries["former"]),
    ]
    sets = [
        open_scenes(one, Path(), skip_invalid=True)
        for one in (_coco(data / "coco_val64", "instances.json"), voc)
    ]
    scenes = [(sets[0], scene) for scene in sets[0]]
    scenes += [(sets[1], scene) for scene in sets[1].scenes[first:]]
    typer.echo(insertion_sheets(scenes, ways, subject, out, count, seed))
    subject.close()


def _coco(folder: Path, annotations: str) -> dict[str, str]:
    return {
        "kind": "coco",
        "annotations": str(folder / annotations),
        "images": str(folder / "images"),
    }


if __name__ == "__main__":
    typer.run(main)
