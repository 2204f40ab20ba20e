"""YOLOv4-tiny as a torch module beside onnxruntime: answers, passes, heat maps, training steps.

Then how often the warmest pixel of a heat map lies in the box that was asked about, for both
weightings, over the starter pack's photographs.

CPU time of one thread for one 416 x 416 image each, the median of several, so that what else the
machine does counts little. Without the starter pack it says so and stops.

Run: python -m benchmarks.torch_detector
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from snellen.errors import UserError
from snellen.starter.fetch import fetch
from snellen.subjects.passes import Pass
from snellen.subjects.registry import open_subject
from snellen.subjects.torch_models.trainable_detector import Targets

REPEATS = 9
MOST_RATIO = 2.0
PHOTOGRAPHS, ANSWERS, SURE = 14, 6, 0.5


def main() -> None:
    try:
        folders = fetch(["yolov4-tiny", "photographs", "driving"])
    except UserError as error:
        print(f"left out: {error}")
        return
    torch.set_num_threads(1)
    [path] = folders["photographs"].rglob("bus.jpg")
    image = np.asarray(Image.open(path).convert("RGB"))
    onnx = opened(folders["yolov4-tiny"], kind="darknet", threads=1)
    ours = opened(folders["yolov4-tiny"], kind="torch", dropout={})
    [best] = ours.predict([image])
    box, label = best.boxes[0], int(best.labels[0])
    passes = [Pass(image, number) for number in range(1, 9)]
    usual = timed(lambda: onnx.predict([image]))
    rows = {
        "answer, onnxruntime": usual,
        "answer, torch": timed(lambda: ours.predict([image])),
        "one of 8 passes, torch": timed(lambda: ours.predict(passes)) / len(passes),
        "heat map, torch": timed(lambda: ours.heat_map(image, box, label)),
        "training step, torch": timed(step(ours.detector)),
    }
    print("CPU milliseconds an image                 ratio to onnxruntime's answer")
    for name, spent in rows.items():
        print(f"{name:26s} {spent * 1e3:8.1f}   {spent / usual:17.2f}")
    ratio = rows["answer, torch"] / usual
    print(f"ratio of an answer: {ratio:.2f} (target: under {MOST_RATIO:g})")
    paths = [*folders["photographs"].rglob("*.jpg"), *folders["driving"].glob("images/**/*.jpg")]
    for weighting in ("local", "mean"):
        subject = opened(folders["yolov4-tiny"], kind="torch", explain={"weighting": weighting})
        found = [
            one for path in sorted(paths)[:PHOTOGRAPHS] for one in warmest_inside(subject, path)
        ]
        hits, shares = zip(*found, strict=True)
        print(
            f"weighting {weighting}: the warmest pixel is in the box for {sum(hits)} of "
            f"{len(hits)} answers, with {np.mean(shares):.0%} of the heat"
        )


def warmest_inside(subject: Any, path: Path) -> list[tuple[bool, float]]:
    """For each sure answer: whether the warmest pixel is in its box, and the heat's share there."""
    image = np.asarray(Image.open(path).convert("RGB"))
    answer = subject.predict([image])[0].above(SURE)
    found = []
    for box, label in list(zip(answer.boxes, answer.labels, strict=True))[:ANSWERS]:
        heat = subject.heat_map(image, box, int(label))
        left, top, right, bottom = np.round(box).astype(int)
        inside = np.zeros(heat.shape, dtype=bool)
        inside[top:bottom, left:right] = True
        found.append((bool(inside.flat[heat.argmax()]), float(heat[inside].sum() / heat.sum())))
    return found


def opened(folder: Path, **values: Any) -> Any:
    files = {"cfg": "yolov4-tiny.cfg", "weights": "yolov4-tiny.weights"}
    return open_subject({**files, **values}, folder)


def step(detector: Any) -> Callable[[], None]:
    """One image forward, its loss, and its gradients."""
    batch = torch.rand(1, 3, 416, 416, generator=torch.Generator().manual_seed(0))
    boxes = torch.tensor([[40.0, 50, 200, 300], [210, 60, 260, 120]])
    targets = Targets(boxes, torch.tensor([0, 2]), torch.ones(2), torch.zeros(0, 4))

    def run() -> None:
        detector.module.zero_grad()
        sum(detector.loss(detector.outputs(batch), [targets]).values()).backward()

    return run


def timed(call: Callable[[], Any]) -> float:
    """The median CPU seconds of a call, the first one not counted."""
    call()
    spent = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        spent.append(time.process_time() - start)
    return float(np.median(spent))


if __name__ == "__main__":
    main()
