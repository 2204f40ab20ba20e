from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.scenes.registry import open_scenes
from snellen.scenes.scene import PictureArray
from snellen.scenes.synthetic.generated_picture import colour, ring_width
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.scenes.synthetic.scene_layout import Background


def test_a_scene_does_not_depend_on_how_many_there_are() -> None:
    few = synthetic_scenes(SyntheticOptions(count=3))
    many = synthetic_scenes(SyntheticOptions(count=11))
    for a, b in zip(few, many[:3], strict=True):
        assert a.id == b.id
        assert a.digest == b.digest
        assert a.annotations == b.annotations
        np.testing.assert_array_equal(a.pixels(), b.pixels())


def test_another_seed_or_index_gives_another_scene() -> None:
    scenes = [*synthetic_scenes(SyntheticOptions(count=20))]
    scenes += [*synthetic_scenes(SyntheticOptions(count=20, seed=2))]
    assert len({scene.digest for scene in scenes}) == 40
    assert len({PictureArray(scene.pixels()).digest() for scene in scenes}) == 40


def test_a_scene_travels_as_a_few_bytes_and_draws_the_same_pixels_there() -> None:
    scene = synthetic_scenes(SyntheticOptions(count=1))[0]
    sent = pickle.dumps(scene.picture)
    assert len(sent) < 1000
    np.testing.assert_array_equal(pickle.loads(sent).pixels(), scene.pixels())


@pytest.mark.parametrize("background", list(Background))
def test_the_truth_is_where_the_pixels_are(background: Background) -> None:
    options = SyntheticOptions(count=20, background=background)
    for scene in synthetic_scenes(options):
        assert scene.annotations is not None
        assert scene.annotations.masks is not None
        image = scene.pixels().astype(int)
        assert image.shape == (240, 320, 3)
        masks = scene.annotations.masks.to_array()
        outside = ~masks.any(axis=0)
        spread = image.max(axis=2) - image.min(axis=2)
        assert image[outside].min() > 100, "the background is nowhere dark"
        assert spread[outside].max() <= 12, "the background is nowhere saturated"
        for mask, box, label in zip(
            masks, scene.annotations.boxes.astype(int), scene.annotations.labels, strict=True
        ):
            ys, xs = np.nonzero(mask)
            assert [xs.min(), ys.min(), xs.max() + 1, ys.max() + 1] == box.tolist()
            ring = ring_width(box[2] - box[0], box[3] - box[1])
            middle = (box[1] + box[3]) // 2
            assert (image[middle, box[0] : box[0] + ring] == 25).all()
            centre = image[middle, (box[0] + box[2]) // 2]
            assert np.abs(centre - colour(int(label), 6, 235)).max() <= 10


def test_objects_keep_their_gap_and_their_number() -> None:
    options = SyntheticOptions(count=100, objects=(3, 4), gap=20)
    for scene in synthetic_scenes(options):
        assert scene.annotations is not None
        boxes = scene.annotations.boxes
        assert 3 <= len(boxes) <= 4
        for i, a in enumerate(boxes):
            for b in boxes[i + 1 :]:
                apart = max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3])
                assert apart >= 20


def test_every_class_count_and_shape_comes_up() -> None:
    scenes = synthetic_scenes(SyntheticOptions(count=100, objects=(0, 3)))
    counts = {len(scene.annotations or []) for scene in scenes}
    labels = {int(i) for scene in scenes if scene.annotations for i in scene.annotations.labels}
    assert counts == {0, 1, 2, 3}
    assert labels == set(range(6))
    filled = np.concatenate(
        [
            s.annotations.areas
            / np.prod(s.annotations.boxes[:, 2:] - s.annotations.boxes[:, :2], 1)
            for s in scenes
            if s.annotations
        ]
    )
    assert 0.3 < (filled == 1).mean() < 0.7


def test_a_configuration_opens_it_by_kind(tmp_path: Path) -> None:
    values = {"kind": "synthetic", "count": 2, "size": [120, 160], "classes": ["a", "b"]}
    scenes = open_scenes(values, tmp_path)
    assert len(scenes) == 2
    assert scenes.classes == ("a", "b")
    assert scenes.class_ids == (1, 2)
    assert scenes[0].pixels().shape == (120, 160, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"objects": [5, 2]}, r"scenes\.objects: found \[5, 2\]"),
        ({"sides": [40, 300]}, r"scenes\.sides: .*room for 232"),
        ({"objects": [90, 90]}, "no room for 90 objects"),
        ({"backdrop": "plain"}, "backdrop: unknown key"),
        ({"classes": []}, "classes: found"),
        ({"count": 0}, "count: found 0"),
    ],
)
def test_what_cannot_be_drawn_is_the_users_mistake(
    values: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        open_scenes({"kind": "synthetic", **values}, tmp_path)
