"""Files that are small, or simple, and would fill memory or time: refused within 2 s and 200 MB."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzzing.driver import linux_only
from tests.fuzzing.scene_files import photograph
from tests.fuzzing.test_configuration import LAUGHS
from tests.fuzzing.test_masks import png

SECONDS, MEGABYTES = 2.0, 200
"""Of processor time, as other tests may run beside this one; and of all memory of the process."""
SIZE = 200_000_000
CHILD = """
import json, sys, time
from pathlib import Path
from snellen.configuration import read_yaml
from snellen.errors import SnellenError
from snellen.scenes.coco.json_file import read_coco_json
from snellen.scenes.image_files.mask_image import read_region
from snellen.scenes.pictures import picture_size, read_picture
from snellen.scenes.problems import Problems

readers = {
    "coco": lambda path: read_coco_json(path, Problems(False)),
    "yaml": read_yaml,
    "picture": read_picture,
    "header": picture_size,
    "mask": read_region,
}
began = time.process_time()
try:
    readers[sys.argv[1]](Path(sys.argv[2]))
    said = ""
except SnellenError as error:
    said = str(error)
# Not ru_maxrss: a process starts with the peak of the one that forked it.
[peak] = [int(line.split()[1]) / 1024 for line in open("/proc/self/status") if "VmHWM" in line]
print(json.dumps([said, time.process_time() - began, peak]))
"""


def repeated(start: bytes, text: bytes) -> Callable[[Path], None]:
    """Writes a file of 200 MB."""

    def write(path: Path) -> None:
        block = text * (1_000_000 // len(text))
        with path.open("wb") as file:
            file.write(start)
            for _ in range(SIZE // len(block)):
                file.write(block)

    return write


def whole(data: bytes) -> Callable[[Path], None]:
    """Writes a small file."""

    def write(path: Path) -> None:
        path.write_bytes(data)

    return write


MERGES = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + level)}: &{chr(98 + level)} {{<<: [{', '.join([f'*{chr(97 + level)}'] * 9)}]}}\n"
    for level in range(9)
)
BOMBS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "nested JSON lists": ("coco", repeated(b"", b"[")),
    "flat JSON lists": ("coco", repeated(b"[", b"[],")),
    "nested JSON objects": ("coco", repeated(b"", b'{"a":')),
    "lists nested in an image": ("coco", repeated(b'{"images": [{"id": ', b"[")),
    "deep lists in a small file": ("coco", whole(b"[" * 900_000)),
    "nested YAML lists": ("yaml", repeated(b"", b"[")),
    "flat YAML lists": ("yaml", repeated(b"a: [", b"[],")),
    "flat YAML lists in a small file": ("yaml", whole(b"a: [" + b"[]," * 1_000_000 + b"]")),
    "nested YAML blocks": ("yaml", whole(b"- " * 1_000_000)),
    "a billion laughs": ("yaml", whole(LAUGHS.encode())),
    "a billion merged keys": ("yaml", whole(MERGES.encode())),
    "a mapping in itself": ("yaml", whole(b"a: &a {b: *a}")),
    "a picture of 13,000 x 13,000": (
        "picture", lambda path: whole(png(13_000, 13_000, data=bytes(169_013_000)))(path)
    ),
    "a header of 13,000 x 13,000": ("header", whole(png(13_000, 13_000))),
    "a mask of 13,000 x 13,000": (
        "mask",
        lambda path: whole(png(13_000, 13_000, data=bytes(169_013_000)))(path),
    ),
    "a header of 2**31 pixels a side": ("header", whole(png(2**31 - 1, 2**31 - 1))),
}  # fmt: skip


FIRST = {
    "nested JSON lists", "flat JSON lists", "nested YAML lists", "flat YAML lists in a small file",
    "a billion laughs", "a picture of 13,000 x 13,000", "a mask of 13,000 x 13,000",
}  # fmt: skip
EACH = [
    pytest.param(name, marks=() if name in FIRST else pytest.mark.thorough, id=name)
    for name in BOMBS
]


@linux_only
@pytest.mark.parametrize("name", EACH)
def test_a_bomb_is_refused_within_2_seconds_and_200_megabytes(name: str, tmp_path: Path) -> None:
    reader, write = BOMBS[name]
    path = tmp_path / "bomb"
    write(path)
    command = [sys.executable, "-c", CHILD, reader, str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    path.unlink()
    said, seconds, peak = json.loads(ran.stdout)
    assert str(path) in said
    assert reader in ("coco", "yaml") or "limit" in said or "too many pixels" in said
    assert seconds < SECONDS
    assert peak < MEGABYTES


def test_a_limit_of_the_user_s_own_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from snellen.errors import UserError
    from snellen.scenes.image_files.mask_image import read_region
    from snellen.scenes.pictures import picture_size, read_picture

    path = tmp_path / "a.png"
    path.write_bytes(photograph())
    large = tmp_path / "large.png"
    large.write_bytes(png(9_500, 9_500, depth=1, data=bytes(9_500 * 1_189)))
    for read in (picture_size, read_picture, read_region):
        monkeypatch.setenv("SNELLEN_MAX_PIXELS", "767")
        with pytest.raises(UserError, match=r"a\.png: has 32 x 24 pixels, more than the limit"):
            read(path)
    monkeypatch.setenv("SNELLEN_MAX_PIXELS", "768")
    assert picture_size(path) == (24, 32)
    with pytest.raises(UserError, match="has 9,500 x 9,500 pixels"):
        picture_size(large)
    monkeypatch.setenv("SNELLEN_MAX_PIXELS", "200000000")
    assert picture_size(large) == (9_500, 9_500)
    monkeypatch.setenv("SNELLEN_MAX_PIXELS", "many")
    with pytest.raises(UserError, match="SNELLEN_MAX_PIXELS: found 'many'"):
        picture_size(path)
