"""How much longer a run takes than its subject alone.

The subject sleeps 20 ms an image and is asked in batches of 8; scenes are 640x480 JPEG files, so
that reading and decoding count. Target: wall time within 10% of the subject's own.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from snellen.engine.campaign import campaign_from
from snellen.engine.run import run_campaign
from snellen.scenes.pictures import write_picture
from snellen.scenes.synthetic.generator import SyntheticOptions, synthetic_scenes
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections

SECONDS_AN_IMAGE = 0.020
SCENES = 500


def sleepy(images: Sequence[Image]) -> list[Detections]:
    time.sleep(SECONDS_AN_IMAGE * len(images))
    return [Detections.empty() for _ in images]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for scene in synthetic_scenes(SyntheticOptions(count=SCENES, size=(480, 640))):
            write_picture(folder / "photos" / f"{scene.id}.jpg", scene.pixels())
        for workers in (0, 1):
            campaign = campaign_from(
                {
                    "method": "identity",
                    "subject": {
                        "kind": "python",
                        "target": "benchmarks.engine_overhead:sleepy",
                        "classes": ["thing"],
                        "batch": 8,
                    },
                    "scenes": {"kind": "folder", "path": "photos"},
                    "engine": {"workers": workers, "cache": False},
                    "out": f"run-{workers}",
                },
                folder / "bench.yaml",
            )
            start = time.perf_counter()
            tally = run_campaign(campaign)
            wall = time.perf_counter() - start
            own = tally.questions * SECONDS_AN_IMAGE
            print(
                f"engine, {workers} worker processes, {tally.questions} questions: "
                f"wall {wall:.2f} s, subject's own {own:.2f} s, "
                f"ratio {wall / own:.3f} (target at most 1.10)"
            )


if __name__ == "__main__":
    main()
