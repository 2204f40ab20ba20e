"""What is exact about the pages, run by Node: frames, geometry, outlines, waiting times."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import snellen

UNITS = Path(__file__).parent
PAGES = Path(snellen.__file__).parent / "study" / "pages"


def test_the_pure_parts_of_the_pages_hold() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    number = int(version.lstrip("v").partition(".")[0])
    if number < 20:
        pytest.skip(f"Node {version.strip()} is older than 20")
    files = [str(path) for path in sorted(UNITS.glob("*.test.mjs"))]
    assert files
    environment = os.environ | {"PAGES": PAGES.as_uri(), "NODE_NO_WARNINGS": "1"}
    done = subprocess.run(
        [node, *(["--experimental-default-type=module"] if number < 22 else []), "--test", *files],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
