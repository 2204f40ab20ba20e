"""IoU of 1,000 x 1,000 boxes: ours against faster-coco-eval's, in CPU time of one thread.

Run: python -m benchmarks.box_iou
"""

from __future__ import annotations

import faster_coco_eval.core.mask as peer
import numpy as np

from benchmarks.box_ap import cpu
from snellen.vision.boxes.box_geometry import iou, to_xywh

TARGET = 1.2


def main() -> None:
    rng = np.random.default_rng(1)
    corner = rng.uniform(0, 500, (2, 1000, 2))
    boxes, others = np.concatenate([corner, corner + rng.uniform(5, 200, corner.shape)], -1)
    theirs_in = to_xywh(boxes), to_xywh(others), [0] * len(others)
    reference = peer.iou(*theirs_in)
    theirs = cpu(lambda: peer.iou(*theirs_in), 30)
    print(f"faster-coco-eval: {theirs * 1e3:.2f} ms")
    for dtype in (np.float64, np.float32):
        worst = np.abs(iou(boxes, others, dtype=dtype) - reference).max()

        def ours(dtype: type = dtype) -> object:
            return iou(boxes, others, dtype=dtype)

        seconds = cpu(ours, 30)
        print(
            f"snellen, {np.dtype(dtype).name}: {seconds * 1e3:.2f} ms, "
            f"{theirs / seconds:.1f} times faster (target: at least {TARGET}); "
            f"largest difference {worst:.0e}"
        )


if __name__ == "__main__":
    main()
