"""How high things usually are, and which of them fly: what their sizes in a picture go by."""

from __future__ import annotations

from snellen.objects.label_names import plain_name

HEIGHTS = {
    "person": 1.7, "pedestrian": 1.7, "bicycle": 1.1, "car": 1.5, "van": 2.0, "motorcycle": 1.2,
    "bus": 3.0, "train": 3.8, "truck": 3.0, "fire hydrant": 0.8,
    "parking meter": 1.4, "bench": 0.9, "cat": 0.3, "dog": 0.6, "horse": 1.7, "sheep": 0.9,
    "cow": 1.5, "elephant": 3.0, "bear": 1.3, "zebra": 1.4, "giraffe": 4.5, "suitcase": 0.7,
    "chair": 0.9, "couch": 0.9, "potted plant": 0.6, "dining table": 0.75,
    "toilet": 0.7, "refrigerator": 1.7,
}  # fmt: skip
"""Typical heights in metres of what stands on the ground, by plain name."""
HANGING = (
    "bird", "clock", "traffic light", "stop sign", "tie", "handbag", "backpack", "umbrella",
    "tennis racket", "baseball bat", "baseball glove", "surfboard", "snowboard", "skis",
)  # fmt: skip
"""What hangs, perches, is held or worn."""
AIRBORNE = ("bird", "airplane", "kite", "frisbee", "sports ball")
"""What need not stand on anything."""

UPRIGHT = ("person", "pedestrian")
"""What is higher than wide as long as it stands."""


def typical_height(label: str) -> float | None:
    """The typical height in metres of what stands on the ground; None where it is unknown.

    >>> typical_height("Person"), typical_height("kite")
    (1.7, None)
    """
    return HEIGHTS.get(plain_name(label))


def hangs(label: str) -> bool:
    """Whether a thing hangs, perches or is held, so that no free place is a likely one for it."""
    return plain_name(label) in HANGING


def stands_upright(label: str) -> bool:
    """Whether a thing is higher than wide as long as it stands: a person."""
    return plain_name(label) in UPRIGHT


def flies(label: str) -> bool:
    """Whether a thing may be in the air."""
    return plain_name(label) in AIRBORNE
