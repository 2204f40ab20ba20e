"""AP of predictions on real COCO photographs, by pycocotools."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval


class Photographs:
    """The first images of a COCO set, and the AP of a subject on them."""

    def __init__(self, folder: Path, images: int = 64) -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            self.truth = COCO(str(folder / "instances.json"))
        self.numbers = self.truth.getImgIds()[:images]
        files = [one["file_name"] for one in self.truth.loadImgs(self.numbers)]
        self.pixels = [
            np.asarray(Image.open(folder / "images" / file).convert("RGB")) for file in files
        ]

    def precision(
        self, answers: Sequence[Any], classes: Sequence[str], kind: str = "bbox"
    ) -> tuple[float, float]:
        """(AP 0.50:0.95, AP 0.50) of the predicted boxes (`bbox`) or masks (`segm`)."""
        rows = self._rows(answers, classes, kind)
        with contextlib.redirect_stdout(io.StringIO()):
            evaluation = COCOeval(self.truth, self.truth.loadRes(rows), kind)
            evaluation.params.imgIds = self.numbers
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
        return float(evaluation.stats[0]), float(evaluation.stats[1])

    def _rows(
        self, answers: Sequence[Any], classes: Sequence[str], kind: str
    ) -> list[dict[str, Any]]:
        ids = {one["name"]: one["id"] for one in self.truth.loadCats(self.truth.getCatIds())}
        out = []
        for number, answer in zip(self.numbers, answers, strict=True):
            shapes = _boxes(answer) if kind == "bbox" else _masks(answer)
            pairs = zip(answer.labels.tolist(), answer.scores.tolist(), shapes, strict=True)
            for label, score, shape in pairs:
                one = {"image_id": number, "category_id": ids[classes[label]], "score": score}
                out.append({**one, **shape})
        return out


def _boxes(answer: Any) -> list[dict[str, Any]]:
    return [{"bbox": [x1, y1, x2 - x1, y2 - y1]} for x1, y1, x2, y2 in answer.boxes.tolist()]


def _masks(answer: Any) -> list[dict[str, Any]]:
    return [{"segmentation": one} for one in answer.masks.to_coco()]
