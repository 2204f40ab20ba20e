"""The camera's detector of the demonstration: its graph, its aims, and what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from experiments.streets_camera.architecture import HEIGHT, KINDS, OUTPUTS, WIDTH, cells
from experiments.streets_camera.cell_targets import cell_targets
from experiments.streets_camera.onnx_graph import camera_model
from experiments.streets_camera.training_pictures import TrainingPicture, augmented


def _run(model: Any, image: np.ndarray) -> np.ndarray:
    import onnxruntime

    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    return np.asarray(session.run(None, {"images": image})[0])


def test_the_graph_answers_as_the_network_that_was_trained() -> None:
    torch = pytest.importorskip("torch")
    from experiments.streets_camera.training import StreetCameraNetwork, _boxes

    torch.manual_seed(3)
    network = StreetCameraNetwork()
    with torch.no_grad():
        for part in network.modules():
            if isinstance(part, torch.nn.BatchNorm2d):
                part.running_mean.normal_(0, 0.1)
                part.running_var.uniform_(0.5, 2)
        network.eval()
        image = torch.rand(1, 3, HEIGHT, WIDTH)
        raw = network(image)
        boxes, scores = _boxes(raw)[0].numpy(), torch.sigmoid(raw[0, 4:]).numpy()
    answer = _run(camera_model(network.weights()), image.numpy())[0]
    assert answer.shape == (OUTPUTS, len(cells()))
    middle, size = answer[:2].T, answer[2:4].T
    corners = np.concatenate([middle - size / 2, middle + size / 2], axis=1)
    assert np.abs(corners - boxes).max() < 0.5, "weights are kept in 16 bits"
    assert np.abs(answer[4:] - scores).max() < 0.01


def _taught(*boxes: tuple[float, float, float, float], seen: float = 1.0) -> TrainingPicture:
    count = len(boxes)
    image = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    kinds = np.arange(count) % len(KINDS)
    return TrainingPicture(image, np.array(boxes, np.float64), kinds, np.full(count, seen))


@pytest.mark.parametrize(
    ("box", "stride"),
    [((100, 80, 130, 100), 8), ((100, 60, 180, 110), 16), ((10, 20, 230, 150), 32)],
)
def test_a_level_answers_for_things_of_its_size(box: Any, stride: int) -> None:
    found = cell_targets(_taught(box))
    assert found.there.any()
    assert set(cells()[found.there, 2].tolist()) == {stride}
    middle = cells()[found.there, :2].mean(axis=0)
    assert middle == pytest.approx([(box[0] + box[2]) / 2, (box[1] + box[3]) / 2], abs=stride)
    assert (found.boxes[found.there] == np.array(box)).all()
    assert not (found.there & found.open).any()


def test_what_is_hidden_is_neither_taught_nor_forbidden() -> None:
    found = cell_targets(_taught((100, 80, 130, 100), seen=0.2))
    assert not found.there.any()
    assert found.open.any()


def test_a_varied_picture_keeps_its_boxes_on_what_they_show() -> None:
    one = _taught((200, 60, 300, 120))
    one.image[60:120, 200:300] = 1.0
    rng = np.random.default_rng(0)
    for _ in range(20):
        image, boxes, _, seen = augmented(one, rng)
        if not len(boxes) or seen[0] == 0:
            continue
        bright = image.mean(axis=2) > image.mean(axis=2).max() * 0.8
        rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
        shown = [columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]
        assert boxes[0] == pytest.approx(shown, abs=2.5)
