"""Runs in MLflow and in Weights & Biases: what was logged is read back from their own files."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import snellen as sn
from snellen.errors import UserError
from snellen.session.trackers.logged_run import FAULT_COLUMNS, logged_run

OBJECTS = {"kind": "synthetic", "count": 6, "seed": 9, "shade": "deep"}
PLACE = "snellen/insertion"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sn.Run:
    scenes = sn.open_scenes("synthetic", count=2, seed=5, size=[144, 192])
    planted = sn.open_subject(kind="planted", fault="loses", distance=12)
    out = tmp_path_factory.mktemp("run") / "lost"
    return sn.test(planted, scenes, objects=OBJECTS, per_object=2, workers=0, out=out)


def test_what_is_logged_is_what_the_summary_says(run: sn.Run) -> None:
    found, rate = logged_run(run.folder), run.summary.failure_rate
    names = [f"{PLACE}/failure_rate{end}" for end in ("", "_low", "_high")]
    assert [found.metrics[name] for name in names] == [rate.value, rate.low, rate.high]
    assert found.metrics[f"{PLACE}/failing_cases"] == run.summary.failing_cases > 0
    assert found.metrics[f"{PLACE}/proven_fault_count"] == run.summary.faults.proven
    assert found.params[f"{PLACE}/fingerprint"] == run.summary.subject.fingerprint
    assert [row[0] for row in found.faults] == [fault.id for fault in run.faults]
    assert {path.name for path in found.files} == {"report.html", "summary.json"}
    assert not set(found.metrics) & set(found.params)


def test_requirements_are_metrics_and_numbers_without_data_are_left_out(run: sn.Run) -> None:
    from snellen.session.trackers import logged_run as module
    from snellen.store.estimate import Estimate
    from snellen.store.summary import RequirementVerdict

    verdict = RequirementVerdict(
        name="car: fog (50%)", status="violated", value=0.3, low=0.2, high=0.4, says=""
    )
    nothing = Estimate(value=None, low=0, high=1)
    summary = run.summary.model_copy(
        update={"requirements": (verdict,), "difference": nothing, "failure_rate": nothing}
    )
    metrics = dict(vars(module)["_metrics"](summary))
    assert not [name for name in metrics if "difference" in name or "failure_rate" in name]
    assert metrics["requirement/car: fog (50%)_low"] == 0.2
    assert vars(module)["_FOREIGN"].sub("_", "car: fog (50%)") == "car_ fog _50_"


@pytest.fixture
def mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    package = pytest.importorskip("mlflow", reason="the extra mlflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # mlflow-skinny has no other local store
    package.set_tracking_uri((tmp_path / "mlruns").as_uri())
    yield package
    package.end_run()


def test_mlflow_has_the_numbers_the_table_and_the_report(run: sn.Run, mlflow: Any) -> None:
    id, expected, client = sn.log_to_mlflow(run), logged_run(run), mlflow.MlflowClient()
    found = client.get_run(id)
    assert found.info.status == "FINISHED"
    assert mlflow.active_run() is None
    assert found.data.metrics == pytest.approx(expected.metrics)
    assert found.data.params == {name: str(one) for name, one in expected.params.items()}
    paths = {one.path for one in client.list_artifacts(id, PLACE)}
    assert paths == {f"{PLACE}/{name}" for name in ("faults.json", "report.html", "summary.json")}
    table = json.loads(Path(client.download_artifacts(id, f"{PLACE}/faults.json")).read_text())
    assert table == {"columns": list(FAULT_COLUMNS), "data": expected.faults}
    page = Path(client.download_artifacts(id, f"{PLACE}/report.html")).read_bytes()
    assert page == run.report.read_bytes()


def test_an_active_mlflow_run_is_used_and_left_open(run: sn.Run, mlflow: Any) -> None:
    with mlflow.start_run() as training:
        mlflow.log_metric("loss", 0.5)
        assert sn.log_to_mlflow(run) == training.info.run_id
        assert mlflow.active_run() is not None
        mlflow.log_metric("loss", 0.4)
        other = sn.run({
            "method": "identity",
            "subject": {"kind": "planted"},
            "scenes": {"kind": "synthetic", "count": 1},
            "engine": {"workers": 0},
            "out": str(run.folder.parent / "identity"),
        })  # fmt: skip
        sn.log_to_mlflow(other)
    data = mlflow.MlflowClient().get_run(training.info.run_id).data
    assert {"loss", f"{PLACE}/failure_rate", "snellen/identity/failure_rate"} <= set(data.metrics)


def test_what_mlflow_refuses_is_an_error_with_the_next_step(run: sn.Run, mlflow: Any) -> None:
    with mlflow.start_run():
        mlflow.log_param(f"{PLACE}/seed", "another")
        with pytest.raises(UserError, match=r"MLflow refused the run: .* of its own"):
            sn.log_to_mlflow(run)


def records(path: Path) -> Iterator[Any]:
    """The records of an offline run: a header of 7 bytes, then a log in blocks of 32 KiB."""
    from wandb.proto import wandb_internal_pb2

    data, place, block, held = path.read_bytes(), 7, 32768, b""
    while place < len(data):
        left = block - place % block
        if left < 7:
            place += left
            continue
        _, length, kind = struct.unpack("<IHB", data[place : place + 7])
        held += data[place + 7 : place + 7 + length]
        place += 7 + length
        if kind in (1, 4):  # a whole record, or the last part of one
            record = wandb_internal_pb2.Record()
            record.ParseFromString(held)
            held = b""
            yield record


@pytest.fixture
def wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    package = pytest.importorskip("wandb", reason="the extra wandb is not installed")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return package


def logged_values(items: Any) -> dict[str, Any]:
    """Values by name, those of a mapping by its keys as well."""
    out: dict[str, Any] = {}
    for item in items:
        value = json.loads(item.value_json)
        inner = value if isinstance(value, dict) else {}
        out["/".join(item.nested_key) or item.key] = value
        out |= {f"{item.key}/{name}": one for name, one in inner.items()}
    return out


def test_wandb_has_the_numbers_the_table_and_the_report(
    run: sn.Run, wandb: Any, tmp_path: Path
) -> None:
    id, expected = sn.log_to_wandb(run, project="eyes"), logged_run(run)
    assert wandb.run is None
    [file] = tmp_path.glob(f"wandb/offline-run-*/run-{id}.wandb")
    found: dict[str, Any] = {}
    artifacts = []
    for record in records(file):
        found |= logged_values(record.history.item)
        found |= logged_values([*record.config.update, *record.run.config.update])
        artifacts += [record.artifact] if record.artifact.type == "snellen-run" else []
        assert record.run.project in ("", "eyes")
    assert {name: found[name] for name in expected.metrics} == pytest.approx(expected.metrics)
    assert {name: found[name] for name in expected.params} == expected.params
    table = json.loads((file.parent / "files" / found[f"{PLACE}/faults/path"]).read_text())
    assert (table["columns"], table["data"]) == (list(FAULT_COLUMNS), expected.faults)
    page = file.parent / "files" / found[f"{PLACE}/report/path"]
    assert page.read_text(encoding="utf-8") == run.report.read_text(encoding="utf-8")
    [artifact] = artifacts
    assert {one.path for one in artifact.manifest.contents} == {"report.html", "summary.json"}


def test_an_active_wandb_run_is_used_and_left_open(run: sn.Run, wandb: Any) -> None:
    training = wandb.init(project="training")
    try:
        assert sn.log_to_wandb(run) == training.id
        assert wandb.run is training
        assert training.summary[f"{PLACE}/failing_cases"] == run.summary.failing_cases
    finally:
        training.finish()
