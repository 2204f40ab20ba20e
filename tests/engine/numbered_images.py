"""Images that carry a number, and answers that say which number they are about.

Only the standard library is imported here, so that a program starts quickly.
"""

from __future__ import annotations

from collections.abc import Sequence

SIDE = 64
CLASSES = ("a", "b", "c")


def image_bytes(number: int) -> bytes:
    """A PPM file whose first pixel is the number."""
    head = f"P6 {SIDE} {SIDE} 255\n".encode()
    return head + number.to_bytes(3, "big") + bytes(range(1, 4)) * (SIDE * SIDE - 1)


def number_in(data: bytes) -> int:
    """The number in a PPM file, whatever its header."""
    return int.from_bytes(data[-SIDE * SIDE * 3 :][:3], "big")


def box_of(number: int) -> list[int]:
    """The box that stands for a number below 18,000."""
    x, y, wide = number % 30, number // 30 % 30, number // 900
    return [x, y, x + 5 + wide, y + 20]


def answer_of(number: int) -> dict[str, list[object]]:
    """The right answer for a number."""
    return {"boxes": [box_of(number)], "labels": [number % 3], "scores": [0.9]}


def number_of(boxes: Sequence[Sequence[float]], labels: Sequence[int]) -> int:
    """The number that an answer is about; -1 if it is about none."""
    if len(boxes) != 1:
        return -1
    x, y, right, _ = map(int, boxes[0])
    number = x + 30 * y + 900 * (right - x - 5)
    return number if [*boxes[0]] == box_of(number) and [*labels] == [number % 3] else -1


class Schedule:
    """Which images make a subject fail, and how: every third, each fault in its turn.

    Half of them fail whenever they are asked about, the others only the first time.
    """

    def __init__(self, faults: Sequence[str], always_once: Sequence[str] = ()) -> None:
        self._faults = tuple(faults)
        self._always_once = always_once

    def fault(self, number: int) -> str | None:
        """The fault of an image."""
        turn, rest = divmod(number, 3)
        return None if rest else self._faults[turn % len(self._faults)]

    def persistent(self, number: int) -> bool:
        """Whether an image makes the subject fail each time."""
        fault = self.fault(number)
        if fault is None or fault in self._always_once:
            return False
        return number // 3 // len(self._faults) % 2 == 0
