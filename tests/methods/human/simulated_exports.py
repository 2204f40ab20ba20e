"""A made-up study in the files of Mechanical Turk and Pascal VOC, with what is in them."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PIL import Image as Pillow

from snellen.scenes.voc.reader import CLASSES

WORKER = "A1SECRETWORKER"
SIZE = 60
QUALITIES = (1.04, 0.97, 0.91, 0.85, 0.8, 0.75, 0.7, 0.62, 0.5, 0.45, 0.3, 0.25, 0.2, 0.15, 0.1)
WORDS = ("person", "dog", "other", "potted plant")


@dataclass
class Study:
    """The raw content, as plain lists.

    images: (changed name, original, IQA). votes: (image, box xywh, the labels of five people).
    masks: by (image, xyxy, label), the rectangle that was coloured. objects: by original, (label,
    box from 1). twice: images shown to two people.
    """

    images: list[tuple[str, str, float]] = field(default_factory=list)
    votes: list[tuple[str, list[int], list[str]]] = field(default_factory=list)
    masks: dict[tuple[str, tuple[int, ...], str], list[int]] = field(default_factory=dict)
    objects: dict[str, list[tuple[str, list[int]]]] = field(default_factory=dict)


def made_up_study(rng: np.random.Generator, originals: int = 40) -> Study:
    """People who miss, mislabel and disagree more as the picture gets worse."""
    study = Study()
    for number in range(originals):
        name = f"2008_{number:06d}"
        study.objects[name] = [_object(rng, place) for place in range(int(rng.integers(1, 4)))]
        versions = [(f"{name}.jpg", 1.0)]
        for _ in range(int(rng.integers(1, 4))):
            quality = float(rng.choice(QUALITIES))
            changed = f"{name}.jpg.frost_{len(study.images)}.png"
            study.images.append((changed, f"{name}.jpg", quality))
            versions.append((changed, quality))
        for image, quality in versions:
            _answer(rng, study, image, study.objects[name], min(quality, 1.0))
    return study


def _object(rng: np.random.Generator, place: int) -> tuple[str, list[int]]:
    x, y = 1 + 19 * place, int(rng.integers(1, 30))
    return str(rng.choice(["person", "dog"])), [x, y, x + 16, y + int(rng.integers(10, 25))]


def _answer(
    rng: np.random.Generator,
    study: Study,
    image: str,
    objects: list[tuple[str, list[int]]],
    quality: float,
) -> None:
    for label, box in objects:
        if rng.uniform() > 0.5 + 0.45 * quality:
            continue
        slip = rng.integers(-3, 4, 4) if rng.uniform() < quality else rng.integers(-9, 10, 4)
        x1, y1, x2, y2 = (int(side) for side in np.clip(np.array(box) + slip, 0, SIZE - 1))
        if x2 <= x1 or y2 <= y1:
            continue
        chance = 0.4 + 0.55 * quality
        votes = [label if rng.uniform() < chance else str(rng.choice(WORDS)) for _ in range(5)]
        study.votes.append((image, [x1, y1, x2 - x1, y2 - y1], votes))
        for one in set(votes) & {"person", "dog"}:
            shrink = int(rng.integers(0, 12))
            study.masks[image, (x1, y1, x2, y2), one] = [x1, y1, x2 - shrink, y2]


def write_study(folder: Path, study: Study) -> Path:
    """Write the four CSV files and the VOC folder; every row has a worker id."""
    folder.mkdir(parents=True, exist_ok=True)
    info = [[name, original, "frost", "[0.1 0.2]", iqa] for name, original, iqa in study.images]
    _write(
        folder / "images_transformations_info_500.csv",
        ["img_name", "original_name", "transformation_name", "arguments", "IQA"],
        info,
    )
    _write_labels(folder / "500_C|L.csv", study)
    _write_views(folder / "500_L.csv", study)
    _write_masks(folder / "500_S.csv", study)
    _write_voc(folder / "voc", study)
    return folder


def _write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def _link(image: str) -> str:
    kind = "IMG_TRANSFORMED" if ".frost_" in image else "IMG_ORIGINAL"
    return f"https://host/{kind}/frost/{image}"


def _write_labels(path: Path, study: Study, per_task: int = 4) -> None:
    rows = []
    for start in range(0, len(study.votes), per_task):
        asked = study.votes[start : start + per_task]
        for person in range(5):
            answers = {"url-0": "https://host/SanityCheckImages/a.jpg", "class-0": "dog"}
            for place, (image, _, votes) in enumerate(asked, start=1):
                answers |= {f"url-{place}": _link(image), f"class-{place}": votes[person]}
            boxes = [json.dumps([box]) for _, box, _ in asked] + [""] * (per_task - len(asked))
            rows.append([f"H{start}", WORKER, *boxes, json.dumps([answers])])
    boxes = [f"Input.bbox{place}" for place in range(1, per_task + 1)]
    _write(path, ["HITId", "WorkerId", *boxes, "Answer.taskAnswers"], rows)


def _write_views(path: Path, study: Study) -> None:
    shown = [f"{name}.jpg" for name in study.objects] + [name for name, _, _ in study.images]
    rows = []
    for image in shown:
        boxes = [[2.0 * side for side in box] for name, box, _ in study.votes if name == image]
        answer = {"url-0": _link(image), "bbox-0": json.dumps(json.dumps(boxes)), "scale-0": "2"}
        rows.append(["H1", WORKER, json.dumps([answer])])
    _write(path, ["HITId", "WorkerId", "Answer.taskAnswers"], rows)


def _write_masks(path: Path, study: Study) -> None:
    rows = [
        [WORKER, f"seg_image/1-2-3-4-{image}", label, json.dumps(list(box)), png(_filled(inside))]
        for (image, box, label), inside in study.masks.items()
    ]
    image_data = "Answer.annotatedResult.labeledImage.pngImageData"
    _write(path, ["WorkerId", "Input.image_url", "Input.class", "Input.bbox", image_data], rows)


def _filled(box: Sequence[int]) -> np.ndarray:
    pixels = np.zeros((SIZE, SIZE), np.uint8)
    pixels[max(box[1] - 1, 0) : box[3], max(box[0] - 1, 0) : box[2]] = 1
    return pixels


def png(pixels: np.ndarray) -> str:
    """An image as PNG in base64."""
    buffer = io.BytesIO()
    Pillow.fromarray(pixels).save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def class_pixels(objects: Sequence[tuple[str, list[int]]]) -> np.ndarray:
    """The mask of classes: VOC's number of the class of each pixel."""
    pixels = np.zeros((SIZE, SIZE), np.uint8)
    for label, (x1, y1, x2, y2) in objects:
        pixels[y1 - 1 : y2, x1 - 1 : x2] = CLASSES.index(label) + 1
    return pixels


def _write_voc(folder: Path, study: Study) -> None:
    for name in ("Annotations", "SegmentationClass", "SegmentationObject"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, objects in study.objects.items():
        parts = [
            f"<object><name>{label}</name><bndbox><xmin>{x1}</xmin><ymin>{y1}</ymin>"
            f"<xmax>{x2}</xmax><ymax>{y2}</ymax></bndbox></object>"
            for label, (x1, y1, x2, y2) in objects
        ]
        xml = f"<annotation>{''.join(parts)}</annotation>"
        (folder / "Annotations" / f"{name}.xml").write_text(xml)
        Pillow.fromarray(class_pixels(objects)).save(folder / "SegmentationClass" / f"{name}.png")
        instances = np.zeros((SIZE, SIZE), np.uint8)
        for number, (_, box) in enumerate(objects, start=1):
            instances[_filled(box) > 0] = number
        Pillow.fromarray(instances).save(folder / "SegmentationObject" / f"{name}.png")
