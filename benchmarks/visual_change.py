"""Visual change at 640x480: ours against sewar's VIF, the wavelet VIF beside it, and what a
calibration costs and hits.

CPU time of one thread. The second part takes photographs, every corruption and 20 wanted visual
changes each, uniform in what the corruption reaches.

Run: python -m benchmarks.visual_change [FOLDER OF PHOTOGRAPHS]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from snellen.changes.corruptions.registry import CORRUPTIONS, corruption
from snellen.changes.measures.level_calibration import calibrate
from snellen.scenes.pictures import read_picture
from snellen.vision.visual_change.built_in_measures import Ssim, Vifp
from snellen.vision.visual_change.grey_planes import grey
from snellen.vision.visual_change.measure import delta_v
from snellen.vision.visual_change.vif import VifReference
from snellen.vision.visual_change.wavelet_vif import WaveletVifReference

DATA = Path(os.environ.get("SNELLEN_DATA", Path(__file__).parents[2] / "shared" / "data"))
TARGET, TARGET_MS, WAVELET_TARGET = 30, 10, 3
PHOTOGRAPHS, WANTED, NEAR = 6, 20, 0.03
Bytes = npt.NDArray[np.uint8]


def cpu(call: Callable[[], object], times: int) -> float:
    """CPU seconds of a call: the least of several."""
    call()
    spent = []
    for _ in range(times):
        begin = time.process_time()
        call()
        spent.append(time.process_time() - begin)
    return min(spent)


def pair() -> tuple[Bytes, Bytes]:
    """A soft random image of 640 x 480 and the same with noise."""
    import cv2

    rng = np.random.default_rng(1)
    image = cv2.GaussianBlur(rng.normal(127, 400, (480, 640, 3)), (0, 0), 3)
    changed = image + rng.normal(0, 8, image.shape)
    return tuple(np.clip(one, 0, 255).astype(np.uint8) for one in (image, changed))


def speed() -> None:
    import sewar  # type: ignore[import-untyped,unused-ignore]

    image, changed = pair()
    first, second = grey(image), grey(changed)
    reference = VifReference(image)
    theirs = cpu(lambda: sewar.vifp(first, second), 3)
    afresh = cpu(lambda: VifReference(image).vif(changed), 20)
    kept = cpu(lambda: reference.vif(changed), 20)
    difference = sewar.vifp(first, second) - reference.vif(changed)
    print(f"sewar {theirs * 1e3:.0f} ms, difference {difference:.0e}")
    print(
        f"snellen {afresh * 1e3:.1f} ms, {theirs / afresh:.0f} times faster (target: at least "
        f"{TARGET}); with the reference kept {kept * 1e3:.1f} ms (target: at most {TARGET_MS}), "
        f"{theirs / kept:.0f} times faster"
    )
    wavelet = WaveletVifReference(image)
    slow_fresh = cpu(lambda: WaveletVifReference(image).vif(changed), 20)
    slow_kept = cpu(lambda: wavelet.vif(changed), 20)
    print(
        f"wavelet VIF {slow_fresh * 1e3:.1f} ms, {slow_fresh / afresh:.2f} times the pixel VIF; "
        f"with the reference kept {slow_kept * 1e3:.1f} ms, {slow_kept / kept:.2f} times (target: "
        f"at most {WAVELET_TARGET})"
    )
    likeness = Ssim().against(image)
    print(f"ssim, with the reference kept: {cpu(lambda: likeness(changed), 20) * 1e3:.1f} ms")


def hits(image: Bytes, name: str, measure: Vifp) -> tuple[list[float], int]:
    """How far off each wanted visual change is, and how many evaluations were needed."""
    kind = corruption(name)
    found = calibrate(
        image,
        lambda level: kind.change(image, level, 1),
        measure,
        start=kind.start,
        scale=kind.scale,
    )
    likeness = measure.against(image)
    errors = []
    for wanted in found.reach * (np.arange(WANTED) + 0.5) / WANTED:
        made = delta_v(likeness(kind.change(image, found.level_for(float(wanted)), 1)))
        errors.append(abs(made - wanted))
    return errors, len(found.levels) - 1


def accuracy(folder: Path) -> None:
    images = [read_picture(path) for path in sorted(folder.iterdir())[30 : 30 + PHOTOGRAPHS]]
    every: list[float] = []
    most = 0
    for name in CORRUPTIONS.builtin:
        errors: list[float] = []
        for image in images:
            more, evaluations = hits(image, name, Vifp(0.4))
            errors, most = errors + more, max(most, evaluations)
        every += errors
        near = np.mean(np.array(errors) <= NEAR)
        print(f"  {name:18s} {near:6.1%} within {NEAR}, worst {max(errors):.3f}")
    print(
        f"all {len(every)}: {np.mean(np.array(every) <= NEAR):.1%} within {NEAR} (target: at least "
        f"95%), with at most {most} evaluations an image and corruption"
    )


def main() -> None:
    import cv2

    cv2.setNumThreads(1)
    speed()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA / "coco_val64" / "images"
    if not folder.is_dir():
        print("the photographs are absent; set SNELLEN_DATA to where coco_val64 is")
        return
    accuracy(folder)


if __name__ == "__main__":
    main()
