from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.subjects.registry import checked_subject, open_subject
from tests.subjects.pointgnn import tiny_network as tiny


def opened(folder: Path, values: Any = None, arrays: Any = None, **options: Any) -> Any:
    values = tiny.config() if values is None else values
    arrays = tiny.tensors(tiny.config()) if arrays is None else arrays
    return open_subject({**tiny.written(folder, values, arrays), **options}, folder)


def test_a_missing_file_is_named_with_its_option(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"subject\.weights: .*nowhere\.npz: no such file"):
        opened(tmp_path, weights="nowhere.npz")
    with pytest.raises(UserError, match=r"subject\.config: .*nowhere\.json: no such file"):
        opened(tmp_path, config="nowhere.json")


def test_weights_are_asked_for() -> None:
    with pytest.raises(UserError, match=r"subject: weights: missing"):
        checked_subject({"kind": "pointgnn", "config": "config.json"}, "subject")


def without(name: str) -> dict[str, Any]:
    arrays = tiny.tensors(tiny.config())
    del arrays[name]
    return arrays


def changed(name: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    arrays = tiny.tensors(tiny.config())
    return {**arrays, name: change(arrays[name])}


def spoilt(array: Any) -> Any:
    array = array.copy()
    array[0] = np.nan
    return array


FIRST = "layer1.extract_vertex_features.fully_connected.weights"


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (without(FIRST), rf"weights\.npz: the tensor {FIRST} is missing"),
        (changed(FIRST, np.transpose), rf"{FIRST} has shape \(5, 4\), expected \(4"),
        (changed(FIRST, spoilt), rf"{FIRST} has a value that is not finite"),
        (
            tiny.tensors(tiny.config(2)),
            r"12 tensors that are not in the configuration, first: layer3",
        ),
        (tiny.tensors(tiny.config(0)), r"layer2\.\S+ is missing.*`config` of the weights"),
    ],
)
def test_weights_that_do_not_fit_the_configuration_are_refused(
    tmp_path: Path, arrays: Any, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        opened(tmp_path, arrays=arrays)


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    options = tiny.written(tmp_path, tiny.config(), {})
    for content in (b"", b"PK\x03\x04 but no archive", b"something else"):
        (tmp_path / "weights.npz").write_bytes(content)
        with pytest.raises(UserError, match=r"weights\.npz: not an archive of arrays"):
            open_subject(options, tmp_path)


def test_a_single_array_is_no_archive(tmp_path: Path) -> None:
    options = tiny.written(tmp_path, tiny.config(), {})
    with (tmp_path / "weights.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(UserError, match=r"weights\.npz: not an archive of arrays"):
        open_subject(options, tmp_path)


def edited(path: str, value: Any) -> dict[str, Any]:
    """The configuration with the value at a path such as `a.0.b`."""
    values = json.loads(json.dumps(tiny.config()))
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    place = values
    for key in way:
        place = place[key]
    place[last] = value
    return dict(values)


LAYERS = "model_kwargs.layer_configs"
GRAPHS = "runtime_graph_gen_kwargs"


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("label_method", "Pedestrian_and_Cyclist", r"config\.json: label_method: found 'Ped"),
        ("num_classes", 6, r"num_classes: found 6"),
        ("downsample_by_voxel_size", 0.1, r"downsample_by_voxel_size: found 0\.1"),
        (f"{LAYERS}.1.type", "transformer", r"layer_configs\.1\.type: found 'transformer'"),
        (f"{LAYERS}.1.kwargs.edge_MLP_activation_type", "ELU", r"edge_MLP_activation_type is 'ELU"),
        (f"{LAYERS}.1.kwargs.edge_MLP_depth_list", [8], r"layer2 has too few dense layers"),
        (f"{LAYERS}.1.kwargs.update_MLP_depth_list", [9], r"outputs of different widths"),
        (f"{LAYERS}.1.kwargs.auto_offset_MLP_depth_list", [4, 2], r"offset of 2 numbers"),
        (f"{LAYERS}.1.graph_level", 0, r"layer2 uses graph_level 0 of 2, expected 1"),
        (f"{GRAPHS}.level_configs.1.graph_scale", 1, r"different values of graph_scale"),
        (f"{GRAPHS}.downsample_method", "random", r"downsample_method: found 'random'"),
        (f"{GRAPHS}.level_configs.0.graph_gen_kwargs.radius", -1, r"radius: found -1"),
    ],
)
def test_a_configuration_of_another_network_is_refused(
    tmp_path: Path, path: str, value: Any, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        opened(tmp_path, edited(path, value))


def test_layers_in_another_order_are_refused(tmp_path: Path) -> None:
    values = tiny.config()
    values["model_kwargs"]["layer_configs"].reverse()
    with pytest.raises(UserError, match=r"the layers are \['classaware_predictor'"):
        opened(tmp_path, values)


@pytest.mark.parametrize("text", ["{", "[1, 2]", "\udcff"])
def test_a_configuration_that_is_no_json_object_is_refused(tmp_path: Path, text: str) -> None:
    options = tiny.written(tmp_path, tiny.config(), {})
    (tmp_path / "config.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match=r"config\.json: "):
        open_subject(options, tmp_path)
