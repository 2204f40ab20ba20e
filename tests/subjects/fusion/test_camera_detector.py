from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.subjects.fusion.camera_detector import NAMES, Camera, _tiles
from snellen.subjects.fusion.priors import CLASSES
from snellen.subjects.subject import Task
from snellen.vision.detections import Detections

COCO = ("person", "bicycle", "car", "truck")


class Eye:
    """A detector that finds rectangles by colour, which encodes class and score."""

    name, fingerprint = "eye", "eye"
    score, batch, deterministic, tolerance = 0.3, 1, True, 0.0
    classes: tuple[str, ...] = COCO
    task: Task = Task.DETECTION

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def predict(self, images: Sequence[Any]) -> Sequence[Detections]:
        self.shapes += [image.shape for image in images]
        return [self._seen(image) for image in images]

    def _seen(self, image: np.ndarray) -> Detections:
        found = []
        for value in np.unique(image[..., 0])[1:]:
            rows, columns = np.nonzero(image[..., 0] == value)
            box = [columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]
            pixel = image[rows[0], columns[0]]
            found.append((box, int(pixel[1]), pixel[2] / 100))
        boxes, labels, scores = zip(*found, strict=True) if found else ((), (), ())
        return Detections(np.array(boxes), np.array(labels), np.array(scores))

    def close(self) -> None:
        pass


def picture(*things: tuple[list[int], str, float], size: tuple[int, int] = (300, 900)) -> Any:
    image = np.zeros((*size, 3), np.uint8)
    for number, ((x1, y1, x2, y2), name, score) in enumerate(things, start=1):
        image[y1:y2, x1:x2] = [number, COCO.index(name), round(score * 100)]
    return image


def test_each_thing_is_reported_once_where_it_is_whichever_tiles_show_it() -> None:
    boxes = [[10, 50, 60, 90], [280, 100, 330, 150], [420, 20, 470, 70], [800, 200, 900, 260]]
    [seen] = Camera(Eye(), NAMES).detect([picture(*((box, "car", 0.8) for box in boxes))])
    assert sorted(seen.boxes.tolist()) == boxes
    assert set(seen.labels.tolist()) == {CLASSES.index("Car")}


def test_a_thing_that_tiles_cut_is_seen_whole_or_not_at_all() -> None:
    wide = [100, 50, 650, 200]
    [seen] = Camera(Eye(), NAMES).detect([picture((wide, "car", 0.9))])
    assert seen.boxes.tolist() == [wide]


def test_tiles_cover_the_image_and_overlap() -> None:
    for width in (449, 450, 451, 900, 1242, 2000):
        whole, *tiles = _tiles((300, width), True)
        assert whole == (0, 0, width, 300)
        if width < 450:
            assert not tiles
            continue
        assert tiles[0][0] == 0
        assert tiles[-1][2] == width
        assert all(x2 - x1 == 300 and (y1, y2) == (0, 300) for x1, y1, x2, y2 in tiles)
        assert all(a[2] - b[0] >= 99 for a, b in pairwise(tiles))


def test_without_tiles_the_image_is_looked_at_once() -> None:
    eye = Eye()
    Camera(eye, NAMES, tiles=False).detect([picture()])
    assert eye.shapes == [(300, 900, 3)]


def test_only_who_sits_on_a_bicycle_is_a_cyclist() -> None:
    person, bicycle = ([100, 50, 140, 130], "person", 0.7), ([90, 100, 150, 160], "bicycle", 0.6)
    walker = ([300, 50, 340, 150], "person", 0.8)
    [seen] = Camera(Eye(), NAMES).detect([picture(bicycle, person, walker)])
    assert [CLASSES[label] for label in seen.labels] == ["Pedestrian", "Cyclist"]
    assert seen.boxes.tolist() == [[300, 50, 340, 150], [90, 50, 150, 160]]
    assert seen.scores.tolist() == pytest.approx([0.8, 0.7])


def test_a_bicycle_that_is_hardly_seen_makes_no_cyclist() -> None:
    person, bicycle = ([100, 50, 140, 130], "person", 0.7), ([90, 100, 150, 160], "bicycle", 0.1)
    [seen] = Camera(Eye(), NAMES).detect([picture(bicycle, person)])
    assert [CLASSES[label] for label in seen.labels] == ["Pedestrian"]


def test_what_is_no_class_of_ours_is_left_out() -> None:
    [seen] = Camera(Eye(), NAMES).detect([picture(([10, 10, 90, 90], "truck", 0.9))])
    assert len(seen) == 0
    [seen] = Camera(Eye(), {**NAMES, "truck": "Car"}).detect(
        [picture(([10, 10, 90, 90], "truck", 0.9))]
    )
    assert len(seen) == 1


def test_a_batch_gives_each_image_its_own() -> None:
    images = [picture(([10, 10, 90, 90], "car", 0.9)), picture(), picture(size=(300, 310))]
    seen = Camera(Eye(), NAMES).detect(images)
    assert [len(one) for one in seen] == [1, 0, 0]


def test_a_camera_without_a_class_of_ours_is_refused() -> None:
    with pytest.raises(UserError, match=r"subject\.names"):
        Camera(Eye(), {"tram": "Car"})


def test_a_classifier_is_no_camera() -> None:
    eye = Eye()
    eye.task = Task.LABELS
    with pytest.raises(UserError, match="expected detection or segmentation"):
        Camera(eye, NAMES)
