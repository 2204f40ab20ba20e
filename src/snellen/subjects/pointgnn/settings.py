"""The configuration of Point-GNN's weights, as far as inference needs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import AliasChoices, ConfigDict, Field, field_validator, model_validator

from snellen.configuration import Options, parse
from snellen.errors import UserError

POOLING = "scatter_max_point_set_pooling"
GRAPH = "scatter_max_graph_auto_center_net"
PREDICTOR = "classaware_predictor"
SPACE = 3

Depths: TypeAlias = tuple[int, ...]


class ConfigSection(Options):
    """A section of the file; keys for training are ignored."""

    model_config = ConfigDict(extra="ignore")


class Reach(ConfigSection):
    """The radius of a neighbourhood in metres, and its maximum size; -1 for all."""

    radius: float = Field(gt=0)
    num_neighbors: int = Field(ge=-1)


class Level(ConfigSection):
    """One graph: level 0 joins points to vertices, level 1 joins vertices to each other."""

    graph_scale: float = Field(gt=0)
    graph_gen_method: Literal["disjointed_rnn_local_graph_v3"]
    graph_gen_kwargs: Reach


class Graphs(ConfigSection):
    """The graphs, finest first. Vertices are in voxels of `base_voxel_size` x scale metres."""

    base_voxel_size: float = Field(gt=0)
    add_rnd3d: Literal[False] = False
    downsample_method: Literal["center"] = "center"
    level_configs: tuple[Level, ...] = Field(min_length=1, max_length=2)

    @model_validator(mode="after")
    def _one_set_of_vertices(self) -> Graphs:
        if len({level.graph_scale for level in self.level_configs}) > 1:
            raise ValueError("the levels have different values of graph_scale, expected equal ones")
        return self

    @property
    def voxel(self) -> float:
        """The side of a voxel in metres."""
        return self.base_voxel_size * self.level_configs[0].graph_scale


class Depth(ConfigSection):
    """The widths of a layer's dense layers."""

    point_MLP_depth_list: Depths = ()  # noqa: N815
    output_MLP_depth_list: Depths = ()  # noqa: N815
    edge_MLP_depth_list: Depths = ()  # noqa: N815
    update_MLP_depth_list: Depths = ()  # noqa: N815
    auto_offset_MLP_depth_list: Depths = ()  # noqa: N815
    auto_offset: bool = False

    @model_validator(mode="before")
    @classmethod
    def _only_relu(cls, values: Any) -> Any:
        for key, value in values.items() if isinstance(values, dict) else ():
            expected = "ReLU" if key.endswith("activation_type") else "NONE"
            if key.endswith(("activation_type", "normalization_type")) and value != expected:
                raise ValueError(f"{key} is {value!r}, expected {expected!r}")
        return values


class LayerSettings(ConfigSection):
    """One layer of the network."""

    scope: str
    type: Literal[
        "scatter_max_point_set_pooling", "scatter_max_graph_auto_center_net", "classaware_predictor"
    ]
    graph_level: int
    depth: Depth = Field(validation_alias=AliasChoices("kwargs"))

    @property
    def edge_widths(self) -> Depths:
        """The widths of the dense layers on each edge."""
        pools = self.type == POOLING
        return self.depth.point_MLP_depth_list if pools else self.depth.edge_MLP_depth_list

    @property
    def vertex_widths(self) -> Depths:
        """The widths of the dense layers on each vertex, after its edges."""
        pools = self.type == POOLING
        return self.depth.output_MLP_depth_list if pools else self.depth.update_MLP_depth_list

    @property
    def offset(self) -> Depths:
        """The widths of the dense layers that shift each vertex, none if it is fixed."""
        moves = self.type == GRAPH and self.depth.auto_offset
        return self.depth.auto_offset_MLP_depth_list if moves else ()

    @model_validator(mode="after")
    def _deep_enough(self) -> LayerSettings:
        if self.type != PREDICTOR and (len(self.edge_widths) < 2 or not self.vertex_widths):
            raise ValueError(
                f"{self.scope} has too few dense layers, expected at least 2 on edges and 1 on "
                "vertices"
            )
        if self.offset and self.offset[-1] != SPACE:
            raise ValueError(
                f"{self.scope} has an offset of {self.offset[-1]} numbers, expected {SPACE}"
            )
        return self


class Model(ConfigSection):
    """The layers: one that pools points, any number on the graph, one that predicts."""

    layer_configs: tuple[LayerSettings, ...] = Field(min_length=2)

    @field_validator("layer_configs")
    @classmethod
    def _in_order(cls, layers: tuple[LayerSettings, ...]) -> tuple[LayerSettings, ...]:
        kinds = [layer.type for layer in layers]
        if kinds != [POOLING, *[GRAPH] * (len(kinds) - 2), PREDICTOR]:
            raise ValueError(f"the layers are {kinds}, expected {POOLING}, {GRAPH}..., {PREDICTOR}")
        if len({layer.vertex_widths[-1] for layer in layers[:-1]}) > 1:
            raise ValueError("layers have outputs of different widths, expected equal ones")
        return layers


class Settings(ConfigSection):
    """The settings of the network."""

    model_name: Literal["multi_layer_fast_local_graph_model_v2"]
    model_kwargs: Model
    runtime_graph_gen_kwargs: Graphs
    graph_gen_method: Literal["multi_level_local_graph_v3"]
    input_features: Literal["i"]
    label_method: Literal["Car"]
    num_classes: Literal[4]
    box_encoding_method: Literal["classaware_all_class_box_encoding"]
    downsample_by_voxel_size: None = None
    nms_overlapped_thres: float = Field(ge=0, lt=1)

    @model_validator(mode="after")
    def _graphs_for_all_layers(self) -> Settings:
        levels = len(self.runtime_graph_gen_kwargs.level_configs)
        for layer in self.model_kwargs.layer_configs[:-1]:
            expected = 0 if layer.type == POOLING else 1
            if layer.graph_level != expected or expected >= levels:
                raise ValueError(
                    f"layer {layer.scope} uses graph_level {layer.graph_level} of {levels}, "
                    f"expected {expected}"
                )
        return self


def read_settings(path: Path) -> Settings:
    """The settings in a JSON file."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise UserError(
            f"{path}: cannot be read as JSON: {error}. Give the `config` of the weights."
        ) from None
    if not isinstance(values, dict):
        raise UserError(f"{path}: found {type(values).__name__}, expected keys and values")
    return parse(Settings, values, str(path))
