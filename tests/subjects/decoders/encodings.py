"""The encoding of known boxes in the outputs of each family of networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import AnyArray


@dataclass(frozen=True)
class Known:
    """Boxes (N, 4) xyxy in network pixels, labels from 0, scores; the network's size."""

    boxes: AnyArray
    labels: AnyArray
    scores: AnyArray
    size: tuple[int, int]
    classes: int = 80

    def centred(self) -> AnyArray:
        low, high = self.boxes[:, :2], self.boxes[:, 2:]
        return np.concatenate([(low + high) / 2, high - low], axis=1)

    def shares(self, boxes: AnyArray) -> AnyArray:
        height, width = self.size
        return np.asarray(boxes / np.array([width, height, width, height]))


def grid_rows(known: Known, strides: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """(x, y, stride) of each cell, level by level, row by row."""
    height, width = known.size
    return [
        (x, y, stride)
        for stride in strides
        for y in range(int(np.ceil(height / stride)))
        for x in range(int(np.ceil(width / stride)))
    ]


def rows_near(known: Known, strides: tuple[int, ...], stride: int = 32) -> list[int]:
    """For each box, the row of the cell of `stride` that contains its centre."""
    table = {cell: row for row, cell in enumerate(grid_rows(known, strides))}
    return [table[int(x // stride), int(y // stride), stride] for x, y in known.centred()[:, :2]]


def yolox(known: Known) -> dict[str, AnyArray]:
    cells = grid_rows(known, (8, 16, 32))
    out = np.zeros((1, len(cells), 5 + known.classes), dtype=np.float32)
    for index, row in enumerate(rows_near(known, (8, 16, 32))):
        x, y, stride = cells[row]
        cx, cy, width, height = known.centred()[index]
        out[0, row, :4] = (
            cx / stride - x,
            cy / stride - y,
            *np.log([width / stride, height / stride]),
        )
        out[0, row, 4], out[0, row, 5 + known.labels[index]] = 0.99, known.scores[index] / 0.99
    return {"output": out}


def yolox_decoded(known: Known) -> dict[str, AnyArray]:
    cells = grid_rows(known, (8, 16, 32))
    out = np.zeros((1, len(cells), 5 + known.classes), dtype=np.float32)
    out[0, :, :2] = [((x + 0.5) * stride, (y + 0.5) * stride) for x, y, stride in cells]
    rows = rows_near(known, (8, 16, 32))
    out[0, rows, :4], out[0, rows, 4] = known.centred(), 1
    out[0, rows, 5 + known.labels] = known.scores
    return {"output": out}


def yolov5(known: Known) -> dict[str, AnyArray]:
    cells = grid_rows(known, (8, 16, 32))
    out = np.zeros((1, 3 * len(cells), 5 + known.classes), dtype=np.float32)
    out[0, :, :2] = known.size[1]
    rows = np.arange(len(known.boxes)) * 7 + 1
    out[0, rows, :4], out[0, rows, 4] = known.centred(), 0.95
    out[0, rows, 5 + known.labels] = known.scores / 0.95
    return {"output0": out}


def yolov8(known: Known) -> dict[str, AnyArray]:
    cells = grid_rows(known, (8, 16, 32))
    out = np.zeros((1, 4 + known.classes, len(cells)), dtype=np.float32)
    out[0, :2] = known.size[0]
    columns = np.arange(len(known.boxes)) * 11 + 3
    out[0, :4, columns] = known.centred()
    out[0, 4 + known.labels, columns] = known.scores
    return {"output0": out}


def yolov8_in_shares(known: Known) -> dict[str, AnyArray]:
    out = yolov8(known)["output0"]
    height, width = known.size
    out[0, :4] /= np.array([width, height, width, height])[:, None]
    return {"output0": out}


def _prototypes(known: Known) -> AnyArray:
    """32 prototypes; the i-th is 1 in the left half of object i (and a margin), else -1."""
    height, width = known.size[0] // 4, known.size[1] // 4
    out = np.full((32, height, width), -1, dtype=np.float32)
    for one, box in zip(out, known.boxes / 4, strict=False):
        x1, y1, x2, y2 = (int(edge) for edge in np.round(box))
        one[max(0, y1 - 3) : y2 + 3, max(0, x1 - 3) : (x1 + x2) // 2] = 1
    return out


def yolov8_seg(known: Known) -> dict[str, AnyArray]:
    boxes = yolov8(known)["output0"]
    extra = np.zeros((1, 32, boxes.shape[2]), dtype=np.float32)
    for index in range(len(known.boxes)):
        extra[0, index, index * 11 + 3] = 4.0
    return {"output0": np.concatenate([boxes, extra], axis=1), "output1": _prototypes(known)[None]}


def yolov8_seg_channels_last(known: Known) -> dict[str, AnyArray]:
    out = yolov8_seg(known)
    return {"output1": out["output1"].transpose(0, 2, 3, 1), "output0": out["output0"]}


def yolov5_seg(known: Known) -> dict[str, AnyArray]:
    boxes = yolov5(known)["output0"]
    extra = np.zeros((1, boxes.shape[1], 32), dtype=np.float32)
    for index in range(len(known.boxes)):
        extra[0, index * 7 + 1, index] = 4.0
    return {"output0": np.concatenate([boxes, extra], axis=2), "output1": _prototypes(known)[None]}


def _distribution(distance: float) -> AnyArray:
    """Eight logits with a softmax of this mean."""
    low = int(distance)
    shares = np.zeros(8)
    shares[low], shares[min(low + 1, 7)] = 1 - (distance - low), distance - low
    return np.log(np.maximum(shares, 1e-9))


def _nanodet(
    known: Known, strides: tuple[int, ...], middle: float
) -> tuple[AnyArray, AnyArray, list]:
    cells = grid_rows(known, strides)
    scores = np.zeros((len(cells), known.classes), dtype=np.float32)
    sides = np.zeros((len(cells), 32), dtype=np.float32)
    for index, row in enumerate(rows_near(known, strides)):
        x, y, stride = cells[row]
        cx, cy = (x + middle) * stride, (y + middle) * stride
        x1, y1, x2, y2 = known.boxes[index]
        reach = np.array([cx - x1, cy - y1, x2 - cx, y2 - cy]) / stride
        sides[row] = np.concatenate([_distribution(one) for one in reach])
        scores[row, known.labels[index]] = known.scores[index]
    return scores, sides, cells


def nanodet(known: Known) -> dict[str, AnyArray]:
    scores, sides, _ = _nanodet(known, (8, 16, 32), 0.5)
    return {"output": np.concatenate([scores, sides], axis=1)[None]}


def nanodet_split(known: Known) -> dict[str, AnyArray]:
    scores, sides, cells = _nanodet(known, (8, 16, 32), 0.5)
    level = np.array([stride for *_, stride in cells])
    out = {f"cls_{stride}": scores[level == stride] for stride in (8, 16, 32)}
    return {**out, **{f"reg_{stride}": sides[level == stride] for stride in (8, 16, 32)}}


def nanodet_plus(known: Known) -> dict[str, AnyArray]:
    scores, sides, _ = _nanodet(known, (8, 16, 32, 64), 0.0)
    return {"output": np.concatenate([scores, sides], axis=1)[None]}


def _levels(table: AnyArray, cells: list, strides: tuple[int, ...]) -> list[AnyArray]:
    """The rows of each level, with a batch axis."""
    level = np.array([stride for *_, stride in cells])
    return [table[level == stride][None] for stride in strides]


def picodet(known: Known) -> dict[str, AnyArray]:
    """Four levels from 8 to 64, distances from cell centres; PaddleDetection's output names."""
    strides = (8, 16, 32, 64)
    scores, sides, cells = _nanodet(known, strides, 0.5)
    both = [*_levels(scores, cells, strides), *_levels(sides, cells, strides)]
    numbers = (0, 2, 4, 6, 1, 3, 5, 7)
    return {f"transpose_{number}.tmp_0": part for number, part in zip(numbers, both, strict=True)}


def rtmdet(known: Known) -> dict[str, AnyArray]:
    """Per level, logits (1, C, h, w) and distances in pixels from the cell's corner."""
    out = {}
    for order, stride in enumerate((8, 16, 32)):
        rows, columns = (int(np.ceil(side / stride)) for side in known.size)
        logits = np.full((1, known.classes, rows, columns), -20, dtype=np.float32)
        sides = np.ones((1, 4, rows, columns), dtype=np.float32)
        for index, (x1, y1, x2, y2) in enumerate(known.boxes if stride == 32 else []):
            x, y = int((x1 + x2) / 2 // stride), int((y1 + y2) / 2 // stride)
            sides[0, :, y, x] = x * stride - x1, y * stride - y1, x2 - x * stride, y2 - y * stride
            score = known.scores[index]
            logits[0, known.labels[index], y, x] = np.log(score / (1 - score))
        out[f"cls_{order}"], out[f"bbox_{order}"] = logits, sides
    return out


def rtmdet_channels_last(known: Known) -> dict[str, AnyArray]:
    return {name: array.transpose(0, 2, 3, 1) for name, array in rtmdet(known).items()}


def efficientdet(known: Known) -> dict[str, AnyArray]:
    """Encodings relative to anchors of EfficientDet-Lite, which are built by loops here."""
    height, width = known.size
    anchors = []
    for level in range(3, 8):
        rows, columns = int(np.ceil(height / 2**level)), int(np.ceil(width / 2**level))
        for y in range(rows):
            for x in range(columns):
                for octave in range(3):
                    for aspect in (1.0, 2.0, 0.5):
                        wide = 3 * width / columns * 2 ** (octave / 3) * np.sqrt(aspect)
                        tall = 3 * height / rows * 2 ** (octave / 3) / np.sqrt(aspect)
                        centre = ((y + 0.5) * height / rows, (x + 0.5) * width / columns)
                        anchors.append((*centre, tall, wide))
    boxes = np.zeros((1, len(anchors), 4), dtype=np.float32)
    scores = np.zeros((1, len(anchors), known.classes), dtype=np.float32)
    for index, (cx, cy, wide, tall) in enumerate(known.centred()):
        row = len(anchors) // 2 + 101 * index
        ay, ax, ah, aw = anchors[row]
        boxes[0, row] = (cy - ay) / ah, (cx - ax) / aw, np.log(tall / ah), np.log(wide / aw)
        scores[0, row, known.labels[index]] = known.scores[index]
    return {"Identity": boxes, "Identity_1": scores}


def yolo_nas(known: Known) -> dict[str, AnyArray]:
    count = len(grid_rows(known, (8, 16, 32)))
    boxes = np.zeros((1, count, 4), dtype=np.float32)
    scores = np.zeros((1, count, known.classes), dtype=np.float32)
    rows = np.arange(len(known.boxes)) * 11 + 3
    boxes[0, rows], scores[0, rows, known.labels] = known.boxes, known.scores
    return {"pred_bboxes": boxes, "pred_scores": scores}


def paddle_decoded(known: Known) -> dict[str, AnyArray]:
    """PicoDet exported with decoded boxes and without NMS: scores are (C, A)."""
    count = len(grid_rows(known, (8, 16, 32, 64)))
    boxes = np.zeros((1, count, 4), dtype=np.float32)
    scores = np.zeros((1, known.classes, count), dtype=np.float32)
    rows = np.arange(len(known.boxes)) * 11 + 3
    boxes[0, rows], scores[0, known.labels, rows] = known.boxes, known.scores
    return {"tmp_16": boxes, "concat_4.tmp_0": scores}


def yolo_nas_finished(known: Known) -> dict[str, AnyArray]:
    count = len(known.boxes)
    boxes = np.full((1, 50, 4), -1, dtype=np.float32)
    scores, classes = np.ones((1, 50), np.float32), np.zeros((1, 50), np.int64)
    boxes[0, :count], scores[0, :count], classes[0, :count] = (
        known.boxes,
        known.scores,
        known.labels,
    )
    return {
        "graph2_num_predictions": np.array([[count]]),
        "graph2_pred_boxes": boxes,
        "graph2_pred_scores": scores,
        "graph2_pred_classes": classes,
    }


def yolo_nas_flat(known: Known) -> dict[str, AnyArray]:
    image = np.zeros((len(known.boxes), 1))
    columns = [image, known.boxes, known.scores[:, None], known.labels[:, None]]
    return {"graph2_flat_predictions": np.concatenate(columns, axis=1).astype(np.float32)}


def paddle_finished(known: Known) -> dict[str, AnyArray]:
    rows = np.concatenate([known.labels[:, None], known.scores[:, None], known.boxes], axis=1)
    empty = np.tile([-1.0, 0, 0, 0, 0, 0], (3, 1))
    rows = np.concatenate([rows, empty]).astype(np.float32)
    return {"multiclass_nms3_0.tmp_0": rows, "multiclass_nms3_0.tmp_2": np.array([len(rows)])}


def rt_detr_finished(known: Known) -> dict[str, AnyArray]:
    count = len(known.boxes)
    boxes = np.zeros((1, 300, 4), dtype=np.float32)
    labels, scores = np.zeros((1, 300), np.int64), np.zeros((1, 300), np.float32)
    boxes[0, :count], labels[0, :count], scores[0, :count] = (
        known.boxes,
        known.labels,
        known.scores,
    )
    return {"labels": labels, "boxes": boxes, "scores": scores}


def detr(known: Known) -> dict[str, AnyArray]:
    logits = np.full((1, 100, known.classes + 1), -20, dtype=np.float32)
    logits[:, :, -1] = 20
    boxes = np.full((1, 100, 4), 0.5, dtype=np.float32)
    for index, score in enumerate(known.scores):
        logits[0, index, -1] = 0
        logits[0, index, known.labels[index]] = np.log(score / (1 - score))
        boxes[0, index] = known.shares(known.centred())[index]
    return {"logits": logits, "pred_boxes": boxes}


def detr_with_states(known: Known) -> dict[str, AnyArray]:
    """DETR with the hidden states that some exporters add."""
    state = np.zeros((1, 100, 256), dtype=np.float32)
    return {**detr(known), "last_hidden_state": state, "encoder_last_hidden_state": state}


def rt_detr(known: Known) -> dict[str, AnyArray]:
    logits = np.full((1, 300, known.classes), -20, dtype=np.float32)
    boxes = np.full((1, 300, 4), 0.5, dtype=np.float32)
    count = len(known.scores)
    logits[0, np.arange(count), known.labels] = np.log(known.scores / (1 - known.scores))
    boxes[0, :count] = known.shares(known.centred())
    return {"logits": logits, "pred_boxes": boxes}


def rt_detr_joined(known: Known) -> dict[str, AnyArray]:
    parts = rt_detr(known)
    scores = 1 / (1 + np.exp(-parts["logits"].astype(np.float64)))
    return {"output0": np.concatenate([parts["pred_boxes"], scores], axis=2).astype(np.float32)}


def plain(known: Known) -> dict[str, AnyArray]:
    return {
        "boxes": known.boxes.astype(np.float32),
        "labels": known.labels.astype(np.int64) + 1,
        "scores": known.scores.astype(np.float32),
    }


def plain_unnamed(known: Known) -> dict[str, AnyArray]:
    parts = plain(known)
    return {"3": parts["scores"], "1": parts["boxes"], "2": parts["labels"]}


def plain_seg(known: Known) -> dict[str, AnyArray]:
    masks = np.zeros((len(known.boxes), 1, *known.size), dtype=np.float32)
    for one, box in zip(masks[:, 0], known.boxes, strict=True):
        x1, y1, x2, y2 = (int(edge) for edge in np.round(box))
        one[y1:y2, x1 : (x1 + x2) // 2] = 1
    return {**plain(known), "masks": masks}


def with_scores_in_boxes(known: Known) -> dict[str, AnyArray]:
    dets = np.concatenate([known.boxes, known.scores[:, None]], axis=1).astype(np.float32)
    return {"dets": dets[None], "labels": known.labels[None].astype(np.int64)}


def end_to_end(known: Known) -> dict[str, AnyArray]:
    out = np.zeros((1, 300, 6), dtype=np.float32)
    rows = np.concatenate([known.boxes, known.scores[:, None], known.labels[:, None]], axis=1)
    out[0, : len(rows)] = rows
    return {"output0": out}


def _slots(known: Known) -> tuple[AnyArray, AnyArray, AnyArray, AnyArray]:
    """Ten slots as in TensorFlow's post-processing: boxes y1 x1 y2 x2, classes, scores."""
    count = len(known.boxes)
    boxes = np.zeros((1, 10, 4), dtype=np.float32)
    boxes[0, :count] = known.shares(known.boxes)[:, [1, 0, 3, 2]]
    classes, scores = np.zeros((1, 10), np.float32), np.full((1, 10), 0.9, np.float32)
    classes[0, :count], scores[0, :count] = known.labels, known.scores
    return boxes, classes, scores, np.array([count], dtype=np.float32)


def ssd_finished(known: Known) -> dict[str, AnyArray]:
    boxes, classes, scores, count = _slots(known)
    return {"a": boxes, "a:1": classes, "a:2": scores, "a:3": count}


def ssd_finished_second_order(known: Known) -> dict[str, AnyArray]:
    boxes, classes, scores, count = _slots(known)
    return {"b:1": scores, "b:3": boxes, "b:0": count, "b:2": classes}


def ssd_finished_named(known: Known) -> dict[str, AnyArray]:
    boxes, classes, scores, count = _slots(known)
    return {
        "detection_scores": scores,
        "num_detections": count,
        "detection_boxes": boxes,
        "detection_classes": classes + 1,
    }


def ssd(known: Known, anchors: AnyArray) -> dict[str, AnyArray]:
    """Raw encodings relative to anchors (cy, cx, h, w), and logits, background first."""
    boxes = np.zeros((1, len(anchors), 4), dtype=np.float32)
    logits = np.full((1, len(anchors), 1 + known.classes), -20, dtype=np.float32)
    for index, (cx, cy, width, height) in enumerate(known.shares(known.centred())):
        row = index * 13 + 5
        ay, ax, ah, aw = anchors[row]
        boxes[0, row] = (
            10 * (cy - ay) / ah,
            10 * (cx - ax) / aw,
            5 * np.log(height / ah),
            5 * np.log(width / aw),
        )
        score = known.scores[index]
        logits[0, row, 1 + known.labels[index]] = np.log(score / (1 - score))
    return {"raw_outputs/box_encodings": boxes, "raw_outputs/class_predictions": logits}


Encoding = Callable[[Known], dict[str, AnyArray]]
