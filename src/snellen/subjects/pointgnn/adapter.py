"""Options of Point-GNN, and how it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from snellen.configuration import Options
from snellen.subjects.fingerprints import file_digest, fingerprint_of
from snellen.subjects.model_file.model_options import Positive, Share, existing_file
from snellen.subjects.pointgnn.graph_network import PointGnnNetwork
from snellen.subjects.pointgnn.pointgnn_subject import PointGnnSubject, VoteSettings
from snellen.subjects.pointgnn.settings import read_settings
from snellen.subjects.pointgnn.weights import read_weights
from snellen.subjects.registry import Adapter

VERSION = 1
"""Incremented when the same frame gives a different answer."""


class PointGnnOptions(Options):
    """Options of Point-GNN."""

    kind: Literal["pointgnn"] = "pointgnn"
    weights: str = Field(description="NumPy archive of the tensors (.npz)")
    config: str = Field(description="configuration of the weights (JSON)")
    name: str | None = Field(
        default=None, description="name for reports; null: name of the weights"
    )
    score: Share = Field(default=0.6, description="operating threshold")
    floor: Share = Field(default=0.05, description="lowest score that is kept")
    voxel: float | None = Field(
        default=None, gt=0, description="voxel size of the vertices in metres; null: as in config"
    )
    neighbours: Positive | None = Field(
        default=None, description="maximum number of edges per vertex; null: as in config"
    )
    glance: Positive | None = Field(
        default=32, description="edges per vertex of a cheap first pass that selects vertices"
    )
    overlap: float | None = Field(
        default=None, ge=0, lt=1, description="IoU above which two votes are merged"
    )
    outside: Share = Field(
        default=0.4, description="cars with more than this share outside the image are left out"
    )
    size: tuple[Positive, Positive] = Field(
        default=(375, 1242), description="height and width, for frames without an image"
    )
    threads: Positive | None = Field(
        default=None, description="number of threads; null: the runtime's default"
    )


def open_pointgnn(options: PointGnnOptions, folder: Path) -> PointGnnSubject:
    """The subject, with its weights loaded and checked."""
    weights = existing_file(folder, options.weights, "subject.weights")
    config = existing_file(folder, options.config, "subject.config")
    settings = read_settings(config)
    network = PointGnnNetwork(
        settings,
        read_weights(weights, settings),
        voxel=options.voxel,
        neighbours=options.neighbours,
        glance=options.glance,
        threads=options.threads,
    )
    overlap = settings.nms_overlapped_thres if options.overlap is None else options.overlap
    floor = min(options.floor, options.score)
    return PointGnnSubject(
        network,
        VoteSettings(overlap, options.outside, options.size, floor),
        name=options.name or weights.stem,
        score=options.score,
        fingerprint=_fingerprint(options, file_digest(weights), file_digest(config), floor),
    )


def _fingerprint(options: PointGnnOptions, weights: str, config: str, floor: float) -> str:
    import onnxruntime

    other = {"name", "score", "floor", "weights", "config", "threads"}
    return fingerprint_of(
        version=VERSION,
        runtime=onnxruntime.__version__,
        weights=weights,
        config=config,
        floor=floor,
        **options.model_dump(mode="json", exclude=other),
    )


ADAPTER = Adapter(PointGnnOptions, open_pointgnn, page="subjects-pointgnn", runs=())
