"""Pictures of streets with boxes, for training the camera's detector."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.streets_camera.architecture import HEIGHT, KINDS, WIDTH
from snellen.starter.streets.photograph import camera_view, photograph
from snellen.starter.streets.street import SIZE, calibration, drawn_light
from snellen.starter.streets.street_labels import camera_traces, in_picture
from snellen.starter.streets.street_layout import layout
from snellen.starter.streets.world import world

Floats = npt.NDArray[np.float64]


class TrainingPicture(NamedTuple):
    """One picture: image (H, W, 3) float32 in [0, 1], boxes (N, 4) xyxy in its pixels, kinds (N,),
    and the visible share of each (N,).
    """

    image: npt.NDArray[np.float32]
    boxes: Floats
    kinds: npt.NDArray[np.int64]
    seen: Floats


def training_picture(seed: int, index: int) -> TrainingPicture:
    """The picture of a street in the network's size, without LiDAR for speed."""
    import cv2

    draws = [np.random.default_rng((seed, index, part)) for part in range(5)]
    frames = calibration().frames()
    built = world(layout(draws[0]), draws[1])
    built = built.without([k for k, thing in enumerate(built.objects) if thing.pose[0] < 0.5])
    shown = camera_view(built, frames, SIZE)
    image = photograph(built, shown, frames, drawn_light(draws[2]), draws[3])
    small = cv2.resize(image, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    pairs = zip(built.objects, camera_traces(built, shown, frames, SIZE), strict=True)
    kept = [(thing, trace) for thing, trace in pairs if in_picture(trace)]
    scale = np.array([WIDTH / SIZE[1], HEIGHT / SIZE[0]] * 2)
    return TrainingPicture(
        (np.asarray(small) / 255).astype(np.float32),
        np.array([trace.amodal for _, trace in kept]).reshape(-1, 4) * scale,
        np.array([KINDS.index(thing.mesh.label) for thing, _ in kept], dtype=np.int64),
        np.array([trace.visible_pixels / trace.pixels for _, trace in kept]),
    )


def augmented(one: TrainingPicture, rng: np.random.Generator) -> TrainingPicture:
    """The picture flipped, scaled or with different brightness, at random."""
    image, boxes, kinds, seen = one
    if rng.random() < 0.5:
        image = image[:, ::-1]
        boxes = boxes[:, [2, 1, 0, 3]] * [-1, 1, -1, 1] + [WIDTH, 0, WIDTH, 0]
    if rng.random() < 0.6:
        image, boxes, kinds, seen = _moved(TrainingPicture(image, boxes, kinds, seen), rng)
    light = rng.uniform(0.7, 1.3) * (1 + 0.08 * rng.standard_normal(3)) * image
    light = np.clip(light + rng.uniform(-0.06, 0.06), 0, 1)
    return TrainingPicture(light.astype(np.float32), boxes, kinds, seen)


def _moved(one: TrainingPicture, rng: np.random.Generator) -> TrainingPicture:
    import cv2

    zoom = rng.uniform(0.85, 1.5)
    right = rng.uniform(0, 1) * WIDTH * (1 - zoom)
    down = rng.uniform(0.2, 0.8) * HEIGHT * (1 - zoom)
    move = np.array([[zoom, 0, right], [0, zoom, down]])
    image = cv2.warpAffine(
        np.ascontiguousarray(one.image), move, (WIDTH, HEIGHT), borderValue=(0.4, 0.4, 0.4)
    )
    boxes = one.boxes * zoom + [right, down, right, down]
    before = np.maximum(_areas(boxes), 1e-6)
    boxes = np.clip(boxes, 0, [WIDTH, HEIGHT, WIDTH, HEIGHT])
    left = _areas(boxes) / before
    kept = left > 0.02
    seen = one.seen * (left > 0.3)
    return TrainingPicture(np.asarray(image), boxes[kept], one.kinds[kept], seen[kept])


def _areas(boxes: Floats) -> Floats:
    return np.asarray((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))
