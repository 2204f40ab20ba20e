"""COCO's own evaluators on our value types: the references for our numbers."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any

import faster_coco_eval
import numpy as np
import pycocotools.coco
import pycocotools.cocoeval

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64, AnyArray
from snellen.vision.boxes.box_geometry import to_xywh
from snellen.vision.detection_formats import to_coco
from snellen.vision.detections import Detections


class PyCocoEval(pycocotools.cocoeval.COCOeval):  # type: ignore[misc]
    """pycocotools, which overwrites `ignore` by `iscrowd`, with our ignored objects restored."""

    def _prepare(self) -> None:
        super()._prepare()
        for one in self.cocoGt.anns.values():
            one["ignore"] = int(bool(one["iscrowd"]) or one["ours"])


class FasterEval(faster_coco_eval.COCOeval_faster):  # type: ignore[misc]
    """faster-coco-eval, likewise."""

    def _prepare(self) -> None:
        super()._prepare()
        for one in self.cocoGt.anns.values():
            one["ignore"] = int(bool(one["iscrowd"]) or one["ours"])


PEERS: dict[str, tuple[Any, Any]] = {
    "pycocotools": (pycocotools.coco.COCO, PyCocoEval),
    "faster-coco-eval": (faster_coco_eval.COCO, FasterEval),
}


def peer_evaluation(
    name: str,
    answers: Sequence[Detections],
    truths: Sequence[Annotations],
    *,
    classes: int,
    masks: bool = False,
    size: Sequence[tuple[int, int]] | None = None,
) -> tuple[F64, F64, F64]:
    """AP (K, A, T, L), recall (K, A, T, L) and the twelve numbers; NaN where COCO has -1."""
    coco, evaluator = PEERS[name]
    sizes = size or [(1000, 1000)] * len(truths)
    base = {
        "info": {},
        "images": [{"id": i, "height": h, "width": w} for i, (h, w) in enumerate(sizes, 1)],
        "categories": [{"id": k + 1, "name": str(k)} for k in range(classes)],
    }
    results = [one for i, answer in enumerate(answers, 1) for one in to_coco(answer, i)]
    if masks:  # with a box, both tools would use the area of the box instead of the mask
        for one in results:
            del one["bbox"]
    with contextlib.redirect_stdout(io.StringIO()):
        truth, found = coco(), coco()
        truth.dataset = {**base, "annotations": annotation_dicts(truths, masks)}
        truth.createIndex()
        if results:
            found = truth.loadRes(results)
        else:
            found.dataset = {**base, "annotations": []}
            found.createIndex()
        run = evaluator(truth, found, "segm" if masks else "bbox")
        run.evaluate()
        run.accumulate()
        run.summarize()
    precision = np.asarray(run.eval["precision"]).mean(axis=1).transpose(1, 2, 0, 3)
    recall = np.asarray(run.eval["recall"]).transpose(1, 2, 0, 3)
    return _nan(precision), _nan(recall), _nan(np.asarray(run.stats[:12], dtype=np.float64))


def annotation_dicts(truths: Sequence[Annotations], masks: bool) -> list[dict[str, Any]]:
    """The truths in COCO format, ids from 1; `ours` marks the ignored ones."""
    out: list[dict[str, Any]] = []
    for image, truth in enumerate(truths, 1):
        boxes = to_xywh(truth.boxes).tolist()
        for k in range(len(truth)):
            out.append(
                {
                    "id": len(out) + 1,
                    "image_id": image,
                    "category_id": int(truth.labels[k]) + 1,
                    "bbox": boxes[k],
                    "area": float(truth.areas[k]),
                    "iscrowd": int(truth.crowd[k]),
                    "ours": int(truth.ignore[k]),
                }
            )
            if masks and truth.masks is not None:
                out[-1]["segmentation"] = truth.masks[k].to_coco()[0]
    return out


def _nan(values: AnyArray) -> F64:
    return np.where(values < 0, np.nan, values).astype(np.float64)
