"""Damaged configurations, and what is saved of those that are read."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path

from snellen.configuration.stored_configuration import as_yaml
from snellen.disk.yaml_text import parse_yaml
from snellen.engine.campaign import load_campaign
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import (
    DIGITS_5000,
    TEXT,
    damage_bytes,
    damaged_value,
)

FILE = "snellen.yaml"
CONTENT = """\
method: insertion
seed: 1
subject: {kind: onnx, model: model.onnx, score: 0.3, size: [64, 64], classes: [cat, dog]}
scenes:
  kind: coco
  annotations: val.json
  images: images
  limit: 5
objects: {kind: library, path: objects/}
insertion: {placement: guided, per_object: 10, blending: feather, relocate: true, controls: 0.1}
engine: {kind: local, workers: auto, batch: auto, questions: 5000}
out: runs/first
"""
OTHER = """\
method: requirements
subject: {kind: darknet, cfg: net.cfg, weights: net.weights}
scenes: {kind: yolo, data: data.yaml, split: val}
requirements: {file: requirements.yaml}
"""


def damage_values(chance: random.Random, data: bytes) -> bytes:
    """One value of a YAML text changed; the rest is written as JSON, which is YAML as well."""
    try:
        tree = parse_yaml(data.decode())
        return json.dumps(damaged_value(chance, tree)).encode()
    except Exception:
        return damage_bytes(chance, data)


def read(folder: Path) -> None:
    for name in (FILE, "other.yaml"):
        campaign = load_campaign(folder / name)
        campaign.digest()
        as_yaml(campaign.resolved()).encode()


TARGET = Target(
    "configuration",
    {FILE: CONTENT.encode(), "other.yaml": OTHER.encode()},
    {FILE: (*TEXT, damage_values, damage_values), "other.yaml": (*TEXT, damage_values)},
    read,
)


def text(old: str, new: str) -> Files:
    return {FILE: CONTENT.replace(old, new, 1).encode()}


LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + level)}: &{chr(98 + level)} [{', '.join([f'*{chr(97 + level)}'] * 9)}]\n"
    for level in range(9)
)
PAST: Mapping[str, Files] = {
    "a billion laughs": {FILE: (LAUGHS + CONTENT).encode()},
    "a billion laughs in keys": {
        FILE: b"a: &a {x: 1}\n" + b"".join(b"b%d: &a {<<: [%s]}\n" % (n, b",".join([b"*a"] * 9))
                                         for n in range(9))
    },
    "a seed of 5,000 digits": text("seed: 1", f"seed: {DIGITS_5000}"),
    "a seed of 5,000 hexadecimal digits": text("seed: 1", "seed: 0x" + "f" * 5000),
    "a seed that is infinite": text("seed: 1", "seed: .inf"),
    "a method that is a list": text("method: insertion", "method: [insertion]"),
    "a kind that is a list": text("kind: onnx", "kind: [onnx]"),
    "a kind that is a mapping": text("kind: library", "kind: {a: b}"),
    "keys that are numbers": text("limit: 5", "5: 5"),
    "keys that are dates": text("limit: 5", "2001-01-01: 5"),
    "keys of several types": text("limit: 5", "5: 5\n  ~: 3\n  1.5: 3\n  true: 1"),
    "keys that are lists": text("limit: 5", "? [a]\n  : 5"),
    "top keys that are numbers": text("seed: 1", "5: 5\n~: 3"),
    "a date for a path": text("model.onnx", "2001-01-01"),
    "bytes for a path": text("model.onnx", "!!binary /w=="),
    "a null for the options": text("insertion: {", "x: {"),
    "a base with a null": text("seed: 1", 'base: "a\\0b"'),
    "half a pair": text("model.onnx", '"\\ud800"'),
    "a model of 300 characters": text("model.onnx", "n" * 300),
    "deep lists": {FILE: b"[" * 100_000},
    "deep lists in an option": text("val.json", "[" * 99 + "]" * 99),
    "a set": text("[cat, dog]", "!!set {cat, dog}"),
    "ordered pairs": text("[cat, dog]", "!!omap [a: b]"),
    "nothing": {FILE: b""},
    "a byte order of UTF-16": {FILE: CONTENT.encode("utf-16")},
    "bytes that are not text": {FILE: b"\xff\xfe\xfd"},
    "two documents": {FILE: b"a: b\n---\nc: d\n"},
}  # fmt: skip


class TestConfiguration(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
