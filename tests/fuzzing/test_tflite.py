"""Damaged metadata of TensorFlow Lite files, and what is made of it."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from snellen.subjects.model_file.model_options import ModelOptions
from snellen.subjects.model_file.network import NetworkInput
from snellen.subjects.model_file.subject_factory import ModelSource, open_model
from snellen.subjects.tflite import read_metadata
from snellen.vision.arrays import AnyArray
from tests.fuzzing.driver import Files, ReaderTests, Target, main
from tests.fuzzing.mutations import DIGITS_401, DIGITS_5000, damage_bytes, damage_json, damage_words

FILE = "model.tflite"
MODEL = b"\x1c\0\0\0TFL3" + bytes(64)
METADATA = {
    "description": "a detector", "task": "detect", "stride": 32, "batch": 1, "imgsz": [64, 64],
    "names": {0: "cat", 1: "dog", 2: "bird"},
}  # fmt: skip


def model(
    files: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED, start: bytes = MODEL
) -> bytes:
    """A model with an archive behind it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return start + buffer.getvalue()


def metadata(text: str | bytes) -> Files:
    return {FILE: model({"metadata.json": text})}


class Network:
    """A network with these metadata, which returns a table of boxes."""

    input = NetworkInput((1, 64, 64, 3), np.dtype(np.float32))
    output_names: tuple[str, ...] = ("output0",)
    runtime = "none"
    forward_batch = 1

    def __init__(self, path: Path) -> None:
        self.metadata: Mapping[str, str] = read_metadata(path)

    def run(self, tensor: AnyArray) -> Sequence[AnyArray]:
        return [np.full((1, 7, 84), 0.3, dtype=np.float32)]

    def close(self) -> None:
        pass


def read(folder: Path) -> None:
    path = folder / FILE
    open_model(Network(path), ModelOptions(), ModelSource(str(path), folder, "", path.stem))


def inside(damage: Callable[[random.Random, bytes], bytes]) -> Callable[..., bytes]:
    """The mutation of the metadata in the archive."""

    def mutate(chance: random.Random, data: bytes) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                [name, *_] = archive.namelist()
                text = archive.read(name)
        except Exception:
            return damage_bytes(chance, data)
        return model({name: damage(chance, text)})

    return mutate


TARGET = Target(
    "TFLite metadata",
    {FILE: model({"metadata.json": json.dumps(METADATA)})},
    {FILE: (inside(damage_json), inside(damage_words), inside(damage_bytes), damage_bytes)},
    read,
)
VALUE = json.dumps(METADATA)
PAST: Mapping[str, Files] = {
    "a bomb of zeros": {FILE: model({"metadata.json": bytes(600_000_000)})},
    "many files": {FILE: model({f"{number}": "{}" for number in range(20_000)})},
    "deep lists": metadata("[" * 100_000),
    "deep closed lists": metadata('{"names": ' + "[" * 90 + "]" * 90 + "}"),
    "deep parentheses": metadata("(" * 5_000),
    "deep minus signs": metadata("-" * 100_000 + "1"),
    "a long sum": metadata("1" + "+1" * 100_000),
    "names that are a number": metadata('{"names": 5}'),
    "names by text": metadata('{"names": {"a": "cat"}}'),
    "names by a digit that is no number": metadata('{"names": {"²": "cat"}}'),
    "names by 5,000 digits": metadata(f'{{"names": {{"{DIGITS_5000}": "cat"}}}}'),
    "names of 5,000 hexadecimal digits": metadata("{'names': 0x" + "f" * 5000 + "}"),
    "no names": metadata('{"names": []}'),
    "imgsz that is a number": metadata(VALUE.replace("[64, 64]", "64")),
    "imgsz of three": metadata(VALUE.replace("[64, 64]", "[64, 64, 3]")),
    "imgsz of text": metadata(VALUE.replace("[64, 64]", '"ab"')),
    "imgsz that is infinite": metadata(VALUE.replace("[64, 64]", "[1e999, 64]")),
    "imgsz of 401 digits": metadata(VALUE.replace("[64, 64]", f"[{DIGITS_401}, 64]")),
    "imgsz of 10**9": metadata(VALUE.replace("[64, 64]", "[1000000000, 1000000000]")),
    "imgsz of 0": metadata(VALUE.replace("[64, 64]", "[0, 0]")),
    "imgsz of -1": metadata(VALUE.replace("[64, 64]", "[-1, 64]")),
    "a task that is a list": metadata(VALUE.replace('"detect"', "[1]")),
    "half a pair": metadata('{"names": ["\\ud800"]}'),
    "a null": metadata("a\0b"),
    "bytes that are not text": metadata(b"\xff\xfe\0\xff"),
    "an encrypted file": {FILE: model({"a": "b"}).replace(b"PK\x01\x02\x14\x03\x14\0\0\0",
                                                          b"PK\x01\x02\x14\x03\x14\0\1\0")},
    "an unknown compression": {FILE: model({"a": "b"}, zipfile.ZIP_STORED).replace(
        b"PK\x01\x02\x14\x03\x14\0\0\0\0\0", b"PK\x01\x02\x14\x03\x14\0\0\0\x63\0")},
    "another checksum": {FILE: model({"a": "bbbb"}, zipfile.ZIP_STORED).replace(b"bbbb", b"bbbc")},
    "an end alone": {FILE: b"PK\x05\x06" + bytes(18)},
    "labels of no lines": {FILE: model({"labels.txt": ""})},
}  # fmt: skip


class TestTflite(ReaderTests):
    target, past = TARGET, PAST


if __name__ == "__main__":
    import sys

    main(TARGET, *map(int, sys.argv[1:]))
