"""The interval of 1,000 scenes of unequal size, against a studentised bootstrap by scene.

Run: python -m benchmarks.clustered_intervals
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.box_ap import cpu
from snellen.statistics import difference, paired_difference, rate
from snellen.statistics.bootstrap import interval_by_scene, ratio, scene_weights

TARGET = 20.0
"""Milliseconds."""
SCENES = 1000
REPLICATES = 2000


def main() -> None:
    rng = np.random.default_rng(1)
    cases = rng.geometric(1 / 40, SCENES).astype(np.float64)
    chance = rng.beta(0.5, 4, SCENES)
    first, second = (
        rng.binomial(cases.astype(int), chance * share).astype(np.float64) for share in (1, 0.8)
    )
    weighted = rng.random(SCENES)
    jobs: dict[str, Callable[[], object]] = {
        "rate": lambda: rate(first, cases),
        "rate, fractional counts": lambda: rate(first * weighted, cases * weighted),
        "paired difference": lambda: paired_difference(first, second, cases),
        "different cases": lambda: difference(first, cases, second, cases),
    }
    rows = np.stack([first, cases], axis=1)

    def bootstrap() -> object:
        weights = scene_weights(SCENES, REPLICATES, np.random.default_rng(1))
        return interval_by_scene(rows, ratio, weights)

    peer = cpu(bootstrap, 3) * 1e3
    print(f"studentised bootstrap of a rate, {REPLICATES} replicates: {peer:.1f} ms")
    for name, job in jobs.items():
        mine = cpu(job, 10) * 1e3
        print(
            f"{name}: {mine:.1f} ms (target: at most {TARGET:.0f}), {peer / mine:.1f} times as fast"
        )


if __name__ == "__main__":
    main()
