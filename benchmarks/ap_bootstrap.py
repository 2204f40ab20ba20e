"""1,000 bootstrap replicates of box AP (0.50:0.95, all classes) against one evaluation.

Run: python -m benchmarks.ap_bootstrap
"""

from __future__ import annotations

import numpy as np

from benchmarks.box_ap import CLASSES, cpu, synthetic_set
from snellen.statistics.ap_bootstrap import precision_interval
from snellen.vision.precision.average_precision import coco_summary, evaluate

TARGET = 20
REPLICATES = 1000


def main() -> None:
    answers, truths = synthetic_set()
    matched = evaluate(answers, truths, classes=CLASSES).matched
    precision_interval(matched, np.random.default_rng(1), replicates=2)
    one = cpu(lambda: coco_summary(evaluate(answers, truths, classes=CLASSES)), 20)
    many = cpu(
        lambda: precision_interval(matched, np.random.default_rng(1), replicates=REPLICATES), 5
    )
    found = precision_interval(matched, np.random.default_rng(1), replicates=REPLICATES)
    print(f"AP {found.value:.4f}, 95% interval {found.low:.4f} to {found.high:.4f}")
    print(
        f"one evaluation: {one * 1e3:.1f} ms; {REPLICATES} replicates, drawing of scenes included: "
        f"{many * 1e3:.0f} ms, {many / one:.1f} times as long (target: at most {TARGET})"
    )


if __name__ == "__main__":
    main()
