"""Findings as samples of FiftyOne: complete, with the right places, and opened by FiftyOne."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow
from typer.testing import CliRunner

import snellen as sn
from snellen.cli.main import app
from snellen.errors import FINE, UserError
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

OBJECTS = {"kind": "synthetic", "count": 6, "seed": 9, "shade": "deep"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> sn.Run:
    folder = tmp_path_factory.mktemp("run")
    scenes = sn.open_scenes("synthetic", count=2, seed=5, size=[144, 192])
    planted = sn.open_subject(kind="planted", fault="loses", distance=12)
    out = folder / "lost"
    return sn.test(planted, scenes, objects=OBJECTS, per_object=2, workers=0, out=out)


@pytest.fixture(scope="module")
def exported(run: sn.Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fiftyone") / "set"
    done = CliRunner().invoke(
        app, ["export", str(run.folder), "--to", "fiftyone", "--out", str(out)]
    )
    assert done.exit_code == FINE, done.output
    assert f"{len(run.findings)} findings" in done.output
    return out


def documents(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    metadata = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    return metadata, json.loads((folder / "samples.json").read_text(encoding="utf-8"))["samples"]


def test_a_sample_has_the_image_the_answers_and_the_fault_of_its_finding(
    run: sn.Run, exported: Path
) -> None:
    _, samples = documents(exported)
    assert len(samples) == len(run.findings) > 0
    for sample, finding in zip(samples, run.findings, strict=True):
        assert sample["finding"] == finding.id
        assert np.array_equal(np.asarray(Pillow.open(exported / sample["filepath"])), finding.after)
        height, width = finding.after.shape[:2]
        for name, answer in zip(("before", "after"), finding.predictions, strict=True):
            assert isinstance(answer, Detections)
            boxes = np.array([one["bounding_box"] for one in sample[name]["detections"]])
            corners = np.hstack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
            assert np.allclose(corners * [width, height, width, height], answer.boxes, atol=1e-3)
            labels = [one["label"] for one in sample[name]["detections"]]
            assert labels == [run.subject_traits["classes"][label] for label in answer.labels]
        assert finding.fault is not None
        assert (sample["fault"], sample["cause"]) == (finding.fault.id, finding.fault.cause)
        assert sample["proven"] == finding.fault.proven == ("proven" in sample["tags"])
        assert {one["label"] for one in sample["events"]["detections"]} >= set(
            sample["event_kinds"]
        )


def test_every_field_of_a_sample_is_declared(exported: Path) -> None:
    """FiftyOne ignores what its schema does not know."""
    metadata, samples = documents(exported)
    declared = {one["db_field"]: one for one in metadata["sample_fields"]}
    for sample in samples:
        assert set(sample) - set(declared) == {"_media_type", "_rand"}
        for name in ("before", "after", "events"):
            assert declared[name]["embedded_doc_type"].endswith(f".{sample[name]['_cls']}")
            [inner] = declared[name]["fields"]
            parts = {one["name"] for one in inner["fields"]}
            for one in sample[name]["detections"]:
                assert set(one) - parts == {"_id", "_cls", "attributes"}
    ids = [one["_id"]["$oid"] for one in samples]
    assert len(set(ids)) == len(ids)
    assert all(len(bytes.fromhex(one)) == 12 for one in ids)


def test_the_same_run_gives_the_same_files(run: sn.Run, exported: Path, tmp_path: Path) -> None:
    run.to_fiftyone(tmp_path / "again")
    for name in ("metadata.json", "samples.json"):
        assert (tmp_path / "again" / name).read_bytes() == (exported / name).read_bytes()


def test_a_classifier_gives_classifications(tmp_path: Path) -> None:
    def score(image: Any) -> list[float]:
        score.calls += 1  # type: ignore[attr-defined]
        return [0.9, 0.1 + 0.8 * (score.calls % 2)]  # type: ignore[attr-defined]

    score.calls = 0  # type: ignore[attr-defined]
    images = [np.full((32, 32, 3), 40 * number, np.uint8) for number in range(3)]
    run = sn.test(
        score, images, "identity", classes=["a", "b"], workers=0, batch=1, deterministic=True,
        out=tmp_path / "run",
    )  # fmt: skip
    assert run.to_fiftyone(tmp_path / "set") == len(run.findings) > 0
    metadata, samples = documents(tmp_path / "set")
    kinds = {one["name"]: one["embedded_doc_type"] for one in metadata["sample_fields"]}
    assert kinds["after"] == "fiftyone.core.labels.Classifications"
    assert [one["label"] for one in samples[0]["after"]["classifications"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("subject", "scenes", "says"),
    [
        ({"kind": "planted"}, {"kind": "synthetic", "count": 1}, "has no findings"),
        ({"kind": "planted-3d"}, {"kind": "streets", "count": 1}, "camera+LiDAR frames"),
    ],
)
def test_a_run_without_findings_or_images_is_refused(
    subject: dict[str, Any], scenes: dict[str, Any], says: str, tmp_path: Path
) -> None:
    values = {"method": "identity", "subject": subject, "scenes": scenes}
    run = sn.run({**values, "engine": {"workers": 0}, "out": str(tmp_path / "run")})
    with pytest.raises(UserError, match=says.replace("+", r"\+")):
        run.to_fiftyone(tmp_path / "set")
    assert not (tmp_path / "set").exists()


def test_options_of_data_sets_are_refused(run: sn.Run, tmp_path: Path) -> None:
    arguments = ["export", str(run.folder), "--to", "fiftyone", "--retrain"]
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "set")])
    assert "writes the findings of the whole run" in str(done.exception)


def imported(folder: Path) -> Any:
    """A folder as a data set of the real package; skips where that or its database is absent."""
    fo = pytest.importorskip("fiftyone", reason="fiftyone is not installed")
    try:
        fo.list_datasets()
    except Exception as error:
        pytest.skip(f"FiftyOne's database does not start: {error}")
    return fo.Dataset.from_dir(str(folder), dataset_type=fo.types.FiftyOneDataset)


def test_fiftyone_opens_it(run: sn.Run, exported: Path) -> None:
    dataset = imported(exported)
    try:
        assert len(dataset) == len(run.findings)
        assert dataset.media_type == "image"
        assert dataset.info["verdict"] == run.summary.verdict.sentence
        from fiftyone import ViewField

        assert dataset.match(ViewField("proven")).count() == sum(
            one.fault is not None and one.fault.proven for one in run.findings
        )
        assert dataset.distinct("events.detections.label") == ["lost"]
        assert dataset.count_sample_tags()["insertion"] == len(run.findings)
        for sample, finding in zip(dataset, run.findings, strict=True):
            assert sample["finding"] == finding.id
            assert np.array_equal(np.asarray(Pillow.open(sample.filepath)), finding.after)
            assert finding.fault is not None
            assert (sample["fault"], sample["cause"]) == (finding.fault.id, finding.fault.cause)
            assert json.loads(sample["recipe"]) == finding.recipe
            assert sample["replay"] == finding.replay
            lost = sample["events"].detections[0]
            assert lost["class_name"] == finding.events[0].name
            assert lost["margin"] == finding.events[0].margin
        margins = dataset.sort_by("margin", reverse=True).values("margin")
        assert margins == sorted((one.margin for one in run.findings), reverse=True)
    finally:
        dataset.delete()


def test_fiftyone_writes_the_answers_as_they_were(
    run: sn.Run, exported: Path, tmp_path: Path
) -> None:
    """FiftyOne's own export to COCO puts every box where the subject put it, in pixels."""
    dataset = imported(exported)
    try:
        from fiftyone.types import COCODetectionDataset

        labels = str(tmp_path / "labels.json")
        dataset.export(dataset_type=COCODetectionDataset, labels_path=labels, label_field="after")
        written = json.loads(Path(labels).read_text(encoding="utf-8"))
    finally:
        dataset.delete()
    ids = {Path(one["file_name"]).stem: one["id"] for one in written["images"]}
    for finding in run.findings:
        _, answer = finding.predictions
        assert isinstance(answer, Detections)
        boxes = [
            one["bbox"] for one in written["annotations"] if one["image_id"] == ids[finding.id]
        ]
        sides = np.hstack([answer.boxes[:, :2], answer.boxes[:, 2:] - answer.boxes[:, :2]])
        assert np.allclose(np.array(boxes).reshape(-1, 4), sides, atol=1e-2)


def test_fiftyone_opens_the_answers_of_a_classifier(tmp_path: Path) -> None:
    answers = itertools.cycle(([0.9, 0.1], [0.9, 0.8]))
    images = [np.full((32, 32, 3), 40 * number, np.uint8) for number in range(3)]
    run = sn.test(
        lambda image: next(answers), images, "identity", classes=["a", "b"], workers=0, batch=1,
        deterministic=True, cache=False, out=tmp_path / "run",
    )  # fmt: skip
    run.to_fiftyone(tmp_path / "set")
    dataset = imported(tmp_path / "set")
    try:
        assert len(dataset) == len(run.findings) > 0
        for sample, finding in zip(dataset, run.findings, strict=True):
            _, answer = finding.predictions
            assert isinstance(answer, LabelVector)
            found = sample["after"].classifications
            assert [one.label for one in found] == ["a", "b"]
            assert np.allclose([one.confidence for one in found], answer.scores)
    finally:
        dataset.delete()
