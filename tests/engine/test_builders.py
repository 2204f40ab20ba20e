"""Worker processes that are abandoned hold up nobody."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ABANDONS = """
import sys, time
from pathlib import Path
import numpy as np
from snellen.engine.builders import Builders
from snellen.scenes.scene import PictureArray, Scene
from tests.engine.slow_recipe import Slow

started, seconds, side, scene_side = sys.argv[1], *map(float, sys.argv[2:])
large = np.zeros((int(scene_side), int(scene_side), 3), np.uint8)
scene = Scene("a", PictureArray(large), large.shape[:2])
builders = Builders(2, {})
for number in range(12):
    builders.submit(scene, Slow(started, seconds, int(side) + number), (), lambda future: None)
while not Path(started).exists():
    time.sleep(0.01)
time.sleep(0.2)
builders.abandon()
builders.close()
print("abandoned", flush=True)
"""


@pytest.mark.parametrize(
    ("seconds", "side", "scene_side"),
    [(600, 8, 8), (0, 3000, 8), (600, 8, 3000)],
    ids=["long", "large cases on their way", "large scenes on their way"],
)
def test_a_process_that_abandons_its_builders_ends(
    seconds: float, side: int, scene_side: int, tmp_path: Path
) -> None:
    """Python joins the threads of a pool at its end; a hang ends the test by its time-out."""
    words = [str(tmp_path / "started"), str(seconds), str(side), str(scene_side)]
    done = subprocess.run(
        [sys.executable, "-c", ABANDONS, *words], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "abandoned\n"
    assert "Traceback" not in done.stderr, done.stderr
