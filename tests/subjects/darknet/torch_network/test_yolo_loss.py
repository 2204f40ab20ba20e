"""The loss: against a hand-written formula, numeric differences, extremes, and by training."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from snellen.subjects.darknet.cfg_file import Yolo
from snellen.subjects.darknet.head_decoder import decode
from snellen.subjects.darknet.torch_network.anchor_assignment import (
    BatchObjects,
    assign_anchors,
    ignored_boxes,
)
from snellen.subjects.darknet.torch_network.box_overlap import ciou, iou, share_inside
from snellen.subjects.darknet.torch_network.head_settings import HeadSettings, read_settings
from snellen.subjects.darknet.torch_network.yolo_heads import read_head
from snellen.subjects.darknet.torch_network.yolo_loss import yolo_loss
from snellen.subjects.decoders.outputs import DecoderSettings, Outputs
from snellen.subjects.registry import open_subject
from snellen.subjects.torch_models.trainable_detector import Targets
from tests.subjects.darknet import darknet_files

SIZE = (32, 48)
COARSE = Yolo(anchors=((12.0, 10.0), (20.0, 26.0)), classes=3, scale=1.05, new_coords=False)
FINE = Yolo(anchors=((4.0, 5.0), (8.0, 6.0)), classes=3, scale=1.0, new_coords=False)
GRIDS = ((2, 3), (4, 6))
EPSILON = 1e-6


def targets_of(*objects: tuple[list[float], int], **values: Any) -> Targets:
    boxes = torch.tensor([box for box, _ in objects], dtype=torch.float64).reshape(-1, 4)
    labels = torch.tensor([label for _, label in objects], dtype=torch.int64)
    usual = Targets(
        boxes, labels, torch.ones(len(objects), dtype=torch.float64), torch.zeros((0, 4))
    )
    return replace(usual, **values)


def random_outputs(count: int, seed: int = 0) -> list[torch.Tensor]:
    rng = torch.Generator().manual_seed(seed)
    return [torch.randn(count, 16, *grid, generator=rng, dtype=torch.float64) for grid in GRIDS]


def loss_of(outputs: Any, targets: Any, **settings: float) -> dict[str, torch.Tensor]:
    chosen = [HeadSettings(**settings)] * 2
    return yolo_loss(outputs, targets, (COARSE, FINE), chosen, SIZE)


def assert_true_gradient(function: Any, *given: torch.Tensor) -> None:
    """The gradient equals central differences in 8 random directions and 8 coordinates."""
    rng = torch.Generator().manual_seed(0)
    gradients = torch.autograd.grad(function(*given), given)
    assert all(one.any() for one in gradients)
    for number in range(16):
        steps = [torch.randn(one.shape, generator=rng, dtype=one.dtype) for one in given]
        if number >= 8:
            steps = [_single(one, number - 8) for one in gradients]
        with torch.no_grad():
            ahead, behind = (
                function(*(one + sign * step for one, step in zip(given, steps, strict=True)))
                for sign in (EPSILON, -EPSILON)
            )
        expected = (ahead - behind).item() / (2 * EPSILON)
        found = sum((one * step).sum().item() for one, step in zip(gradients, steps, strict=True))
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-6)


def _single(gradient: torch.Tensor, rank: int) -> torch.Tensor:
    """1 at the gradient's k-th largest entry, 0 elsewhere."""
    step = torch.zeros_like(gradient)
    step.view(-1)[gradient.abs().flatten().argsort(descending=True)[rank]] = 1
    return step


def ciou_by_hand(a: list[float], b: list[float]) -> float:
    wide = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    tall = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    overlap = wide * tall / (areas - wide * tall)
    apart = ((a[0] + a[2] - b[0] - b[2]) / 2) ** 2 + ((a[1] + a[3] - b[1] - b[3]) / 2) ** 2
    across = (max(a[2], b[2]) - min(a[0], b[0])) ** 2 + (max(a[3], b[3]) - min(a[1], b[1])) ** 2
    angle = math.atan((a[2] - a[0]) / (a[3] - a[1])) - math.atan((b[2] - b[0]) / (b[3] - b[1]))
    v = 4 / math.pi**2 * angle**2
    weight = v / (1 - overlap + v) if v else 0.0
    return overlap - apart / across - weight * v


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([0, 0, 10, 10], [0, 0, 10, 10]),
        ([0, 0, 10, 10], [5, 5, 15, 15]),
        ([0, 0, 10, 20], [1, 2, 30, 8]),
        ([0, 0, 10, 10], [40, 50, 60, 55]),
        ([3, 4, 5, 90], [2, 1, 80, 9]),
    ],
)
def test_ciou_is_the_formula(a: list[float], b: list[float]) -> None:
    first, second = (torch.tensor([box], dtype=torch.float64) for box in (a, b))
    assert ciou(first, second).item() == pytest.approx(ciou_by_hand(a, b), abs=1e-9)


def test_cious_gradient_is_the_true_one() -> None:
    rng = np.random.default_rng(0)
    low, sides = rng.uniform(0, 20, (6, 2)), rng.uniform(5, 20, (6, 2))
    first = torch.tensor(np.hstack([low, low + sides]), requires_grad=True)
    shifted = torch.tensor(np.hstack([low + 3, low + sides[:, ::-1] + 1]))
    assert_true_gradient(lambda box: ciou(box, shifted).sum(), first)


def test_overlaps_of_boxes_without_an_area_are_numbers() -> None:
    flat = torch.zeros(1, 4, requires_grad=True)
    some = torch.tensor([[0.0, 0, 5, 5]])
    for measure in (iou, ciou, share_inside):
        found = measure(flat, some)
        found.sum().backward()
        assert torch.isfinite(found).all()
    assert torch.isfinite(flat.grad).all()


@pytest.mark.parametrize("new_coords", [False, True])
def test_a_head_says_in_torch_what_its_decoder_says(new_coords: bool) -> None:
    head = replace(COARSE, new_coords=new_coords, scale=1.2)
    values = random_outputs(1)[0].float()
    values = values.sigmoid() if new_coords else values
    found = read_head(values, head, SIZE)
    expected = decode(
        Outputs(("head_0",), (values[0].numpy(),)), DecoderSettings(SIZE, 0.0), (head,)
    )
    scores = found.objectness.sigmoid()[..., None] * found.classes.sigmoid()
    assert scores.numel() == len(expected.scores)
    np.testing.assert_allclose(scores.flatten(), expected.scores, atol=1e-6)
    boxes = found.boxes[..., None, :].expand(*found.boxes.shape[:-1], 3, 4).reshape(-1, 4)
    np.testing.assert_allclose(boxes, expected.boxes, atol=1e-4)


def test_the_gradient_is_that_of_numeric_differences() -> None:
    targets = [
        targets_of(([5, 5, 22, 28], 1), ([30, 10, 35, 15], 0), weights=torch.tensor([1.0, 2.0])),
        targets_of(([1, 1, 9, 7], 2), ignored=torch.tensor([[20.0, 0, 48, 32]])),
    ]
    outputs = [one.requires_grad_() for one in random_outputs(2)]

    def total(*given: torch.Tensor) -> torch.Tensor:
        return sum(loss_of(given, targets, also=0.3, smoothing=0.1).values())

    assert_true_gradient(total, *outputs)


def test_the_gradient_is_the_true_one_for_heads_between_0_and_1() -> None:
    heads = (replace(COARSE, new_coords=True),)
    targets = [targets_of(([5, 5, 22, 28], 1))]
    values = random_outputs(1)[0].sigmoid().requires_grad_()

    def total(given: torch.Tensor) -> torch.Tensor:
        return sum(yolo_loss([given], targets, heads, [HeadSettings()], SIZE).values())

    assert_true_gradient(total, values)


def perfect(targets: Targets) -> list[torch.Tensor]:
    """Outputs that predict each object at its assigned place, and nothing else."""
    outputs = [torch.full((1, 16, *grid), -30.0, dtype=torch.float64) for grid in GRIDS]
    objects = BatchObjects.of([targets], outputs[0])
    for output, head, grid in zip(outputs, (COARSE, FINE), GRIDS, strict=True):
        aims = assign_anchors(objects, head, (COARSE, FINE), grid, SIZE, 1.0)
        cells = output.view(1, 2, 8, *grid)
        for anchor, row, column, number in zip(*aims.places[1:], aims.objects, strict=True):
            x1, y1, x2, y2 = targets.boxes[number].tolist()
            shift = torch.tensor(
                [
                    (x1 + x2) / 2 * grid[1] / SIZE[1] - column,
                    (y1 + y2) / 2 * grid[0] / SIZE[0] - row,
                ]
            )
            shift = (shift + (head.scale - 1) / 2) / head.scale
            sides = torch.tensor([x2 - x1, y2 - y1]) / torch.tensor(head.anchors[anchor])
            own = cells[0, anchor, :, row, column]
            own[:2], own[2:4] = torch.logit(shift), sides.log()
            own[4], own[5:] = 30, -30
            own[5 + int(targets.labels[number])] = 30
    return outputs


def test_perfect_outputs_cost_nothing_and_others_cost_in_the_part_that_is_wrong() -> None:
    targets = targets_of(([4, 5, 22, 29], 1), ([30, 10, 35, 15], 0), ([40, 20, 47, 27], 2))
    outputs = perfect(targets)
    fine = loss_of(outputs, [targets])
    assert all(part.item() < 1e-4 for part in fine.values()), fine
    wrong_class = replace(targets, labels=(targets.labels + 1) % 3)
    found = loss_of(outputs, [wrong_class])
    assert found["classes"] > 50
    assert found["objectness"] + found["box"] < 1e-4
    phantom = loss_of(outputs, [targets_of(([4, 5, 22, 29], 1), ([30, 10, 35, 15], 0))])
    assert phantom["objectness"] == pytest.approx(30, rel=1e-3)
    assert phantom["classes"] + phantom["box"] < 1e-4
    missed = loss_of([torch.full_like(one, -30.0) for one in outputs], [targets])
    assert missed["objectness"] == pytest.approx(90, rel=1e-3)


def test_the_box_part_is_one_minus_ciou_weighted() -> None:
    targets = targets_of(([4, 5, 22, 29], 1), weights=torch.tensor([0.25]))
    outputs = perfect(targets_of(([4, 5, 22, 29], 1)))
    moved = replace(targets, boxes=targets.boxes + torch.tensor([2.0, 0, 3, 1]))
    found = loss_of(outputs, [moved], box=0.07)["box"].item()
    expected = 0.07 * 0.25 * (1 - ciou_by_hand([4, 5, 22, 29], [6, 5, 25, 30]))
    assert found == pytest.approx(expected, rel=1e-4)


def test_a_batch_is_averaged_over_its_images() -> None:
    targets = [targets_of(([5, 5, 22, 28], 1)), targets_of()]
    outputs = random_outputs(2)
    together = loss_of(outputs, targets)
    apart = [loss_of([one[k : k + 1] for one in outputs], [targets[k]]) for k in (0, 1)]
    for name, part in together.items():
        mean = (apart[0][name] + apart[1][name]) / 2
        torch.testing.assert_close(part, mean)


def test_an_image_without_objects_can_be_learnt_from() -> None:
    outputs = [one.requires_grad_() for one in random_outputs(1)]
    parts = loss_of(outputs, [targets_of()])
    assert parts["box"] == parts["classes"] == 0
    sum(parts.values()).backward()
    assert all(torch.isfinite(one.grad).all() for one in outputs)


def test_each_object_is_aimed_at_by_the_anchor_of_its_shape_in_the_cell_of_its_centre() -> None:
    targets = targets_of(([4, 5, 24, 31], 1), ([30, 10, 34, 15], 0))
    objects = BatchObjects.of([targets], torch.zeros(1, dtype=torch.float64))
    coarse = assign_anchors(objects, COARSE, (COARSE, FINE), (2, 3), SIZE, 1.0)
    fine = assign_anchors(objects, FINE, (COARSE, FINE), (4, 6), SIZE, 1.0)
    assert [one.tolist() for one in coarse.places] == [[0], [1], [1], [0]]
    assert coarse.objects.tolist() == [0]
    assert [one.tolist() for one in fine.places] == [[0], [0], [1], [4]]
    assert fine.objects.tolist() == [1]
    more = assign_anchors(objects, FINE, (COARSE, FINE), (4, 6), SIZE, 0.3)
    assert len(more.objects) > 1


def test_boxes_near_an_object_or_in_an_ignored_region_are_not_called_phantoms() -> None:
    boxes = torch.tensor([[0.0, 0, 10, 10], [0, 0, 10, 7], [20, 20, 24, 24], [25, 20, 35, 30]])
    boxes = boxes.reshape(1, 1, 2, 2, 4)
    targets = targets_of(([0, 0, 10, 10], 0), ignored=torch.tensor([[18.0, 18, 28, 40]]))
    found = ignored_boxes(boxes, [targets], ignore=0.75)
    assert found.flatten().tolist() == [True, False, True, False]


def test_an_ignored_region_lowers_the_objectness_part_alone() -> None:
    outputs = random_outputs(1)
    plain, spared = targets_of(), targets_of(ignored=torch.tensor([[-99.0, -99, 200, 200]]))
    assert loss_of(outputs, [spared])["objectness"] == 0
    assert loss_of(outputs, [plain])["objectness"] > 1


def test_settings_are_read_from_the_cfg(tmp_path: Path, yolov4_tiny: Path) -> None:
    assert read_settings(yolov4_tiny / "yolov4-tiny.cfg") == (
        HeadSettings(ignore=0.7, box=0.07),
        HeadSettings(ignore=0.7, box=0.07),
    )
    cfg, _ = darknet_files.v3().save(tmp_path)
    assert read_settings(cfg) == (HeadSettings(), HeadSettings())


def test_two_images_are_learnt_by_heart_in_120_steps(tmp_path: Path) -> None:
    net = darknet_files.Writer((64, 64), seed=6)
    for filters in (16, 16, 32, 32):
        net.conv(filters, 3, 2)
    net.conv(32).head("2,3,4", iou_normalizer=4.0)
    net.numbers[-1] *= 0.05
    net.numbers[-2] *= 0
    cfg, weights = net.save(tmp_path)
    values = {"kind": "torch", "cfg": cfg.name, "weights": weights.name, "score": 0.5}
    subject: Any = open_subject(values, tmp_path)
    detector = subject.detector
    images = np.random.default_rng(0).integers(0, 60, (2, 64, 64, 3), dtype=np.uint8)
    images[0, 10:30, 8:34], images[1, 30:56, 20:52] = (250, 40, 40), (40, 240, 60)
    boxes = [([8.0, 10, 34, 30], 0), ([20.0, 30, 52, 56], 2)]
    targets = [targets_of(one) for one in boxes]
    batch = torch.from_numpy(images.transpose(0, 3, 1, 2) / np.float32(255))
    optimiser = torch.optim.Adam(detector.module.parameters(), lr=0.004)
    losses = []
    for _ in range(120):  # 50 to 70 suffice, depending on the processor's rounding
        loss = sum(detector.loss(detector.outputs(batch), targets).values())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]
    for image, (box, label) in zip(images, boxes, strict=True):
        found = subject.predict([image])[0].above(0.5)
        assert found.labels.tolist() == [label]
        overlap = iou(torch.tensor(found.boxes[0]), torch.tensor(box))
        assert overlap > 0.7
