"""One or more uses of each extra: each works with it, and without it names it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import snellen as sn
from snellen.errors import FINE
from tests.isolation.outcome import Outcome, call, run

TINY_DETECTOR = "tests.subjects.torch_models.tiny_detector:TinyDetector"
MAITE_MODEL = """
from types import SimpleNamespace
import numpy as np
import maite.protocols.object_detection

class Model:
    metadata = {"id": "sees nothing", "index2label": {0: "thing"}}

    def __call__(self, batch):
        nothing = SimpleNamespace(boxes=np.zeros((0, 4)), labels=np.zeros(0), scores=np.zeros(0))
        return [nothing for _ in batch]

model = Model()
"""


@dataclass(frozen=True)
class Use:
    """Something that needs an extra.

    carry_out: does it in an empty folder. said: what the outcome says where the extra is installed,
    if that is not success.
    """

    extra: str
    what: str
    carry_out: Callable[[Path], Outcome]
    said: str | None = None

    def works(self, outcome: Outcome) -> bool:
        """Whether the outcome is that of an installation with the extra."""
        return outcome.code == FINE if self.said is None else self.said in outcome.text


def _tflite(folder: Path) -> Outcome:
    (folder / "model.tflite").write_bytes(b"no model")
    return run(folder, method="identity", subject={"kind": "tflite", "model": "model.tflite"})


def _torch(folder: Path) -> Outcome:
    return run(folder, method="identity", subject={"kind": "torch", "target": TINY_DETECTOR})


def _transformers(folder: Path) -> Outcome:
    (folder / "model").mkdir()
    (folder / "model" / "config.json").write_text("{}", encoding="utf-8")
    return run(folder, method="identity", subject={"kind": "transformers", "model": "model"})


def _maite(folder: Path) -> Outcome:
    (folder / "model_of_mine.py").write_text(MAITE_MODEL, encoding="utf-8")
    return run(
        folder, method="identity", subject={"kind": "maite", "target": "model_of_mine:model"}
    )


def _supervision(folder: Path) -> Outcome:
    from snellen.vision.detection_formats import to_supervision
    from snellen.vision.detections import Detections

    boxes = np.array([[1, 2, 3, 4]], dtype=np.float32)
    one = Detections(boxes, np.array([0]), np.array([0.5], dtype=np.float32))
    return call(lambda: to_supervision(one))


def _data_frame(folder: Path) -> Outcome:
    from snellen.store.tables.run_table import Column, ColumnType
    from snellen.store.tables.table_formats import data_frame

    return call(lambda: data_frame({"scene": ["a"]}, [Column("scene", ColumnType.TEXT, "id")]))


def _parquet(folder: Path) -> Outcome:
    from snellen.store.tables.run_table import Column, ColumnType
    from snellen.store.tables.table_formats import write_parquet

    columns = [Column("scene", ColumnType.TEXT, "id")]
    return call(lambda: write_parquet({"scene": ["a"]}, columns, folder / "table.parquet"))


def _tracked(folder: Path, name: str) -> Outcome:
    made = run(folder, method="identity", subject={"kind": "planted"})
    return call(lambda: getattr(sn, name)(folder / "out")) if made.code == FINE else made


def _mlflow(folder: Path) -> Outcome:
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"  # a folder, so that no server is needed
    os.environ["MLFLOW_TRACKING_URI"] = (folder / "mlruns").as_uri()
    return _tracked(folder, "log_to_mlflow")


def _wandb(folder: Path) -> Outcome:
    os.environ |= {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "WANDB_DIR": str(folder)}
    return _tracked(folder, "log_to_wandb")


def _lidar_only(folder: Path) -> Outcome:
    return run(folder, method="identity", subject={"kind": "lidar-only"}, scenes=_streets())


def _fusion(folder: Path) -> Outcome:
    return run(
        folder,
        method="fusion",
        subject={"kind": "planted-3d"},
        scenes=_streets(),
        fusion={"objects": 1, "tries": 1, "controls": 0},
    )


def _streets() -> dict[str, Any]:
    return {"kind": "streets", "count": 1}


def _mesh(folder: Path) -> Outcome:
    from snellen.objects.meshes.mesh_library import open_library
    from snellen.objects.meshes.parametric_mesh import parametric

    mesh = parametric("sedan", np.random.default_rng(1))
    lines = ["v {} {} {}".format(*row) for row in mesh.vertices]
    lines += ["f {} {} {}".format(*row) for row in mesh.faces + 1]
    (folder / "car.obj").write_text("\n".join(lines), encoding="utf-8")
    listing = {"meshes": {"car": {"file": "car.obj", "label": "Car"}}}
    (folder / "meshes.yaml").write_text(yaml.safe_dump(listing), encoding="utf-8")
    return call(lambda: open_library(folder).mesh("car"))


def _path_tracing(folder: Path) -> Outcome:
    from snellen.objects.meshes.parametric_mesh import parametric
    from snellen.vision.rendering.light import Light
    from snellen.vision.rendering.mesh_renderer import shaded_samples
    from snellen.vision.rendering.path_tracer import path_traced_samples
    from snellen.vision.solids.coordinate_frames import CoordinateFrames

    ahead = np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]])
    lens = np.array([[70.0, 0, 32, 0], [0, 70, 24, 0], [0, 0, 1, 0]])
    mesh, frames = parametric("sedan", np.random.default_rng(1)), CoordinateFrames(ahead, lens)
    pose = (14.0, 0.0, -1.7, 0.0)
    drawn = shaded_samples(mesh, pose, frames, (48, 64), light=Light(), sharing=True)
    return call(lambda: path_traced_samples(drawn, mesh, pose, frames, (48, 64), Light()))


def _study(folder: Path) -> Outcome:
    from snellen.study.server.serve import serve
    from snellen.study.server.server_options import ServerOptions

    return call(lambda: serve(folder, ServerOptions(), print))


USES = (
    Use("tflite", "a subject of kind tflite", _tflite, said="LiteRT cannot load it"),
    Use("torch", "a subject of kind torch", _torch),
    Use(
        "transformers",
        "a subject of kind transformers",
        _transformers,
        said="the architecture is (none)",
    ),
    Use("maite", "a subject of kind maite", _maite),
    Use("supervision", "converting to supervision", _supervision),
    Use("analytics", "a data frame", _data_frame),
    Use("analytics", "a Parquet file", _parquet),
    Use("mlflow", "logging to MLflow", _mlflow),
    Use("wandb", "logging to Weights & Biases", _wandb),
    Use("fusion", "a subject of kind lidar-only", _lidar_only),
    Use("fusion", "the method fusion", _fusion),
    Use("fusion", "reading a mesh", _mesh),
    Use("hq", "path tracing", _path_tracing),
    Use("study", "serving a study", _study, said="is not the folder of a study"),
)
