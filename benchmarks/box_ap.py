"""Box AP of 1,000 images: ours against faster-coco-eval and pycocotools, in CPU time of one thread.

Run: python -m benchmarks.box_ap
"""

from __future__ import annotations

import contextlib
import io
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.boxes.box_geometry import to_xywh
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import AveragePrecision, coco_summary, evaluate

TARGETS = {"faster-coco-eval": 3, "pycocotools": 20}
CLASSES, SIDE = 80, 640


def synthetic_set(
    images: int = 1000, per_image: int = 36, seed: int = 1
) -> tuple[list[Detections], list[Annotations]]:
    """Answers and truths of 640 x 640 images: 80 Zipf classes, 7.3 objects an image, mAP near 0.36.

    About 70% of the objects are found, with jittered corners and better scores than the false
    positives, which fill each image up to 36 detections.
    """
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, CLASSES + 1)
    weights /= weights.sum()
    answers, truths = [], []
    for _ in range(images):
        count = rng.poisson(7.3)
        boxes, labels = _boxes(rng, count), rng.choice(CLASSES, count, p=weights)
        crowd = rng.random(count) < 0.01
        truths.append(Annotations(boxes, labels, crowd=crowd))
        found = rng.random(count) < 0.72
        hits = _jittered(rng, boxes[found])
        extra = max(per_image - len(hits), 0)
        answers.append(
            Detections(
                np.concatenate([hits, _boxes(rng, extra)]),
                np.concatenate([labels[found], rng.choice(CLASSES, extra, p=weights)]),
                np.concatenate([rng.beta(4, 2.2, len(hits)), rng.beta(1.1, 6, extra)]),
            )
        )
    return answers, truths


def _boxes(rng: np.random.Generator, count: int) -> Any:
    sides = np.exp(rng.normal(4.0, 0.9, (count, 2))).clip(4, SIDE - 1)
    corner = rng.random((count, 2)) * (SIDE - sides)
    return np.hstack([corner, corner + sides]).astype(np.float32)


def _jittered(rng: np.random.Generator, boxes: Any) -> Any:
    sides = boxes[:, 2:] - boxes[:, :2]
    shift = rng.normal(0, 0.08, (len(boxes), 4)) * np.hstack([sides, sides])
    return (boxes + shift).astype(np.float32)


def coco_dicts(
    answers: list[Detections], truths: list[Annotations]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same set as the dictionaries that COCO's tools take."""
    annotations: list[dict[str, Any]] = []
    results: list[dict[str, Any]] = []
    for image, (answer, truth) in enumerate(zip(answers, truths, strict=True), 1):
        boxes = to_xywh(truth.boxes).tolist()
        for box, label, area, crowd in zip(
            boxes, truth.labels.tolist(), truth.areas.tolist(), truth.crowd.tolist(), strict=True
        ):
            annotations.append(
                {
                    "id": len(annotations) + 1,
                    "image_id": image,
                    "category_id": label + 1,
                    "bbox": box,
                    "area": area,
                    "iscrowd": int(crowd),
                }
            )
        results += [
            {"image_id": image, "category_id": label + 1, "bbox": box, "score": score}
            for box, label, score in zip(
                to_xywh(answer.boxes).tolist(),
                answer.labels.tolist(),
                answer.scores.tolist(),
                strict=True,
            )
        ]
    data = {
        "info": {},
        "images": [{"id": i, "width": SIDE, "height": SIDE} for i in range(1, len(truths) + 1)],
        "categories": [{"id": k, "name": str(k)} for k in range(1, CLASSES + 1)],
        "annotations": annotations,
    }
    return data, results


def cpu(call: Callable[[], Any], repeats: int) -> float:
    """Least CPU seconds of several calls."""
    best = float("inf")
    for _ in range(repeats):
        begin = time.process_time()
        call()
        best = min(best, time.process_time() - begin)
    return best


def peer(name: str, data: dict[str, Any], results: list[dict[str, Any]]) -> tuple[float, float]:
    """CPU seconds of loading from dictionaries in memory, and of the evaluation."""
    if name == "pycocotools":
        from pycocotools.coco import COCO
        from pycocotools.cocoeval import COCOeval
    else:
        from faster_coco_eval import COCO
        from faster_coco_eval import COCOeval_faster as COCOeval
    times = []
    for _ in range(3 if name == "pycocotools" else 5):
        # Copies, since they are written to; their time is not counted.
        fresh = {**data, "annotations": [dict(one) for one in data["annotations"]]}
        found = [dict(one) for one in results]
        begin = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            truth = COCO()
            truth.dataset = fresh
            truth.createIndex()
            run = COCOeval(truth, truth.loadRes(found), "bbox")
            loaded = time.process_time()
            run.evaluate()
            run.accumulate()
            run.summarize()
        times.append((loaded - begin, time.process_time() - loaded))
    return min(one[0] for one in times), min(one[1] for one in times)


def main() -> None:
    answers, truths = synthetic_set()

    def ours() -> AveragePrecision:
        result = evaluate(answers, truths, classes=CLASSES)
        coco_summary(result)
        return result

    result = ours()
    seconds = cpu(ours, 20)
    objects = sum(map(len, truths))
    detections = sum(map(len, answers))
    print(f"{len(truths)} images, {objects} objects, {detections} detections", end="; ")
    print(f"AP {result.value():.3f}, AP50 {result.value(iou=0.5):.3f}")
    print(f"snellen: {seconds * 1e3:.1f} ms of CPU, arrays to the twelve numbers and AP by class")
    data, results = coco_dicts(answers, truths)
    for name, target in TARGETS.items():
        loading, evaluating = peer(name, data, results)
        print(
            f"{name}: {evaluating * 1e3:.0f} ms evaluating, {loading * 1e3:.0f} ms loading from "
            f"dictionaries in memory; {evaluating / seconds:.1f} times ours without loading, "
            f"{(loading + evaluating) / seconds:.1f} times with it (target: at least {target})"
        )


if __name__ == "__main__":
    main()
