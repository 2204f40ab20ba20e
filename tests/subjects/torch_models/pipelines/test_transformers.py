"""Pipelines of `transformers` as subjects, with tiny random models and no hub."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pillow

import snellen as sn
from snellen.errors import UserError
from snellen.subjects.recognition import recognise_subject
from snellen.subjects.registry import open_subject
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

transformers = pytest.importorskip("transformers")
from tests.subjects.torch_models.pipelines import tiny_models  # noqa: E402

RNG = np.random.default_rng(3)
SIZES = ((60, 80), (90, 70), (60, 80), (90, 70), (60, 80))
IMAGES: list[Image] = [RNG.integers(0, 256, (*size, 3), dtype=np.uint8) for size in SIZES]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    tiny_models.save_yolos(folder / "yolos")
    tiny_models.save_owlvit(folder / "owlvit")
    tiny_models.save_vit(folder / "many", "multi_label_classification")
    tiny_models.save_vit(folder / "one", "single_label_classification")
    return folder


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise AssertionError("a model was looked for on the network")

    monkeypatch.setattr(socket.socket, "connect", refused)


def opened(models: Path, model: str, **options: Any) -> Subject:
    return open_subject({"kind": "transformers", "model": model, **options}, models)


def detections(subject: Subject, images: list[Image]) -> list[Detections]:
    found = subject.predict(images)
    assert all(isinstance(one, Detections) for one in found)
    return list(found)  # type: ignore[arg-type]


def test_a_detector_finds_what_its_model_finds_to_the_pixel(models: Path) -> None:
    """Against the model and its processor, called without the pipeline."""
    import torch

    subject = opened(models, "yolos", floor=0.05)
    assert (subject.name, subject.task) == ("yolos", Task.DETECTION)
    assert subject.classes == tiny_models.LABELS
    model = transformers.AutoModelForObjectDetection.from_pretrained(models / "yolos").eval()
    processor = transformers.AutoImageProcessor.from_pretrained(models / "yolos")
    for image, found in zip(IMAGES, detections(subject, IMAGES), strict=True):
        with torch.inference_mode():
            raw = model(**processor(Pillow.fromarray(image), return_tensors="pt"))
        [own] = processor.post_process_object_detection(raw, 0.05, [image.shape[:2]])
        assert len(found) == len(own["scores"]) > 0
        height, width = image.shape[:2]
        expected = np.clip(own["boxes"].numpy(), 0, [width, height, width, height])
        assert np.abs(found.boxes - expected).max() <= 1
        assert found.labels.tolist() == own["labels"].tolist()
        assert np.allclose(found.scores, own["scores"].numpy(), atol=subject.tolerance)


def test_batches_of_mixed_sizes_keep_their_order(models: Path) -> None:
    subject = opened(models, "yolos")
    together = detections(subject, IMAGES)
    alone = [detections(subject, [image])[0] for image in IMAGES]
    assert not np.allclose(alone[0].boxes, alone[1].boxes)
    for one, other in zip(together, alone, strict=True):
        assert np.array_equal(one.boxes, other.boxes)
        assert np.allclose(one.scores, other.scores, atol=subject.tolerance)


def test_a_zero_shot_detector_looks_for_the_classes_in_the_words_of_the_prompt(
    models: Path,
) -> None:
    plain = opened(models, "owlvit", classes=["car", "thing"], floor=0.0)
    prompted = opened(
        models, "owlvit", classes=["car", "thing"], prompt="a photo of a {}", floor=0.0
    )
    assert plain.classes == prompted.classes == ("car", "thing")
    [found], [other] = detections(plain, IMAGES[:1]), detections(prompted, IMAGES[:1])
    assert set(found.labels.tolist()) == {0, 1}
    assert not np.array_equal(np.sort(found.scores), np.sort(other.scores))
    assert plain.fingerprint != prompted.fingerprint
    pipeline = transformers.pipeline(
        "zero-shot-object-detection",
        model=transformers.AutoModelForZeroShotObjectDetection.from_pretrained(models / "owlvit"),
        image_processor=transformers.AutoImageProcessor.from_pretrained(models / "owlvit"),
        tokenizer=transformers.AutoTokenizer.from_pretrained(models / "owlvit"),
    )
    picture = Pillow.fromarray(IMAGES[0])
    own = pipeline(picture, candidate_labels=["a photo of a car"], threshold=0.0)
    cars = np.sort(other.scores[other.labels == 0])
    assert set(cars.tolist()) <= {np.float32(one["score"]) for one in own}


def test_a_zero_shot_detector_without_classes_is_refused(models: Path) -> None:
    with pytest.raises(UserError, match=r"subject\.classes: missing; a zero-shot detector"):
        opened(models, "owlvit")


@pytest.mark.parametrize(("model", "total"), [("many", None), ("one", 1.0)])
def test_a_classifier_gives_each_class_its_own_score(
    models: Path, model: str, total: float | None
) -> None:
    """Sigmoid for several labels, so that scores need not add up to 1; softmax for one."""
    import torch

    subject = opened(models, model)
    assert subject.task == Task.LABELS
    network = transformers.AutoModelForImageClassification.from_pretrained(models / model).eval()
    processor = transformers.AutoImageProcessor.from_pretrained(models / model)
    with torch.inference_mode():
        raw = network(**processor(Pillow.fromarray(IMAGES[0]), return_tensors="pt")).logits[0]
    expected = raw.sigmoid() if total is None else raw.softmax(0)
    [found] = subject.predict(IMAGES[:1])
    assert isinstance(found, LabelVector)
    assert np.allclose(found.scores, expected.numpy(), atol=1e-5)
    if total is not None:
        assert found.scores.sum() == pytest.approx(total, abs=1e-5)


def test_labels_that_stand_for_no_class_are_left_out(tmp_path: Path) -> None:
    names = ("N/A", "tomato", "N/A", "lemon")
    tiny_models.save_yolos(tmp_path / "gaps", names)
    subject = opened(tmp_path, "gaps", floor=0.01)
    assert subject.classes == ("tomato", "lemon")
    assert all(set(one.labels.tolist()) <= {0, 1} for one in detections(subject, IMAGES))
    renamed = opened(tmp_path, "gaps", classes=["red", "yellow"])
    assert renamed.classes == ("red", "yellow")
    with pytest.raises(UserError, match="found 3 names, but the model's config has 2 labels"):
        opened(tmp_path, "gaps", classes=["a", "b", "c"])


def test_the_fingerprint_follows_weights_and_config_not_the_folder_or_a_readme(
    models: Path, tmp_path: Path
) -> None:
    first = opened(models, "yolos").fingerprint
    copy = shutil.copytree(models / "yolos", tmp_path / "copy")
    (copy / "README.md").write_text("a model card")
    assert opened(tmp_path, "copy").fingerprint == first
    text = (copy / "preprocessor_config.json").read_text()
    (copy / "preprocessor_config.json").write_text(text.replace("48", "64"))
    assert opened(tmp_path, "copy").fingerprint != first
    tiny_models.save_yolos(tmp_path / "other", seed=2)
    assert opened(tmp_path, "other").fingerprint != first


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("facebook/detr-resnet-50", "no such folder. Snellen downloads no model"),
        ("empty", r"has no config\.json, expected a folder written by save_pretrained"),
        ("text", "the architecture is BertForMaskedLM, expected a model for object-detection"),
        ("broken", "cannot be read as JSON"),
        ("half", "cannot be loaded as a pipeline for 'object-detection'"),
    ],
)
def test_what_is_no_saved_pipeline_is_refused_with_the_next_step(
    models: Path, tmp_path: Path, name: str, says: str
) -> None:
    for folder in ("empty", "text", "broken", "half"):
        (tmp_path / folder).mkdir()
    (tmp_path / "text/config.json").write_text('{"architectures": ["BertForMaskedLM"]}')
    (tmp_path / "broken/config.json").write_text("{")
    shutil.copy(models / "yolos/config.json", tmp_path / "half")
    with pytest.raises(UserError, match=says):
        opened(tmp_path, name)


def test_a_saved_model_is_recognised_by_its_folder(models: Path) -> None:
    found = recognise_subject(models / "yolos")
    assert found.values == {"kind": "transformers", "model": str((models / "yolos").resolve())}
    assert sn.open_subject(models / "yolos", score=0.4).score == 0.4


def pipeline_of(models: Path, task: str = "object-detection", model: str = "yolos") -> Any:
    return transformers.pipeline(
        task,
        model=transformers.AutoModelForObjectDetection.from_pretrained(models / model),
        image_processor=transformers.AutoImageProcessor.from_pretrained(models / model),
    )


def test_a_live_pipeline_is_tested_as_it_is(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    scenes = sn.open_scenes("synthetic", count=2, size=[96, 128], objects=[1, 2])
    pipeline = pipeline_of(models)
    run = sn.test(pipeline, scenes, "identity", score=0.1, workers=0)
    assert pipeline.call_count > 0
    again = sn.test(models / "yolos", scenes, "identity", score=0.1, workers=0)
    assert run.summary.cases == again.summary.cases == 2
    assert run.summary.subject.name == "yolos"
    assert run.summary.failing_cases == 0


def test_a_live_pipeline_takes_an_exam(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SNELLEN_CACHE", str(tmp_path / "cache"))
    data = {"kind": "synthetic", "count": 2, "size": [96, 128], "objects": [1, 2]}
    card = sn.exam(pipeline_of(models), data, questions=20, score=0.1)
    assert card.subject == "yolos"
    assert any("6 class names shared" in line for line in card.took)
    with pytest.raises(UserError, match="score: only for an object"):
        sn.exam(models / "yolos", data, score=0.1)


def test_pipelines_of_other_tasks_are_refused_by_name(models: Path) -> None:
    pipeline = pipeline_of(models)
    pipeline.task = "image-segmentation"
    scenes = sn.open_scenes("synthetic", count=1)
    with pytest.raises(UserError, match="is a pipeline for 'image-segmentation', expected object-"):
        sn.test(pipeline, scenes, "identity")
