"""Made-up people whose answers break at a known visual change."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from snellen.vision.arrays import F64

CLEAN = 0.97


def falling(delta_v: F64, from_: float, slope: float = 4.0, clean: float = CLEAN) -> F64:
    """The chance to be right: `clean` up to a visual change, then a steep fall."""
    return np.where(delta_v <= from_, clean, np.maximum(clean - slope * (delta_v - from_), 0.02))


def write_bins(path: Path, right: F64, asked: F64, edges: F64) -> Path:
    """ICRAF's bins file."""
    rows = zip(edges.tolist(), right.astype(int), asked.astype(int), strict=True)
    lines = [f"{edge},{k / n},{n},{k}" for edge, k, n in rows]
    path.write_text("\n".join(["IQA,Accuracy,Count,Num_Accs", *lines]) + "\n")
    return path


def write_class_answers(path: Path, breaks_at: float, rng: np.random.Generator) -> Path:
    """ICRAF's answers: 5 people for each of 600 images, unchanged and changed once."""
    lines = ["WorkerId,image_link,transformation,ground_truth,human_label,IQA"]
    for image in range(600):
        delta_v = rng.uniform()
        truth = "car" if rng.uniform() < 0.5 else "not car"
        other = "not car" if truth == "car" else "car"
        for _ in range(5):
            clean = truth if rng.uniform() < CLEAN else other
            seen = truth if rng.uniform() < falling(np.array(delta_v), breaks_at) else other
            lines.append(f"A1SECRET,http://x/n1_{image}.JPEG,original,{truth},{clean},1")
            changed = f"http://x/n1_{image}.JPEG.frost_{image}.png"
            lines.append(f"A1SECRET,{changed},frost,{truth},{seen},{1 - delta_v:.6f}")
    path.write_text("\n".join(lines) + "\n")
    return path


def write_boxes(
    path: Path, rng: np.random.Generator, localise: float, classify: float, segment: float
) -> Path:
    """Boxes on 500 images with two people in each, whose subtasks break at given changes."""
    lines = ["image,transformation,delta_v,object,truth,answer,confidence,segmented,measure"]
    for image in range(500):
        for transformation, delta_v in (("original", 0.0), ("frost", rng.uniform(0.001, 1))):
            at = np.array(delta_v)
            for number in range(2):
                head = f"i{image},{transformation},{delta_v:.5f},o{number},person"
                tail = "vifp(sigma_nsq=0.4)"
                if rng.uniform() >= falling(at, localise):
                    lines.append(f"{head},,,,{tail}")
                    continue
                right = rng.uniform() < falling(at, classify)
                mask = int(rng.uniform() < falling(at, segment)) if right else ""
                lines.append(f"{head},{'person' if right else 'dog'},0.8,{mask},{tail}")
    path.write_text("\n".join(lines) + "\n")
    return path
