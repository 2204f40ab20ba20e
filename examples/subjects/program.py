"""A detector that is a program of its own: JSON lines in, JSON lines out, no library at all.

`snellen run program.yaml` tests it. The same conversation works in any language.
"""

import json
import sys
from pathlib import Path

CLASSES = ["warm", "green", "cold"]


def read_ppm(path):
    """The width and the bytes (red, green, blue, red...) of a binary PPM file."""
    _, size, _, data = Path(path).read_bytes().split(b"\n", 3)
    return int(size.split()[0]), data


def find(path):
    """One box for each region of strong colour."""
    width, data = read_ppm(path)
    pixels = [data[i : i + 3] for i in range(0, len(data), 3)]
    strong = {i for i, pixel in enumerate(pixels) if max(pixel) - min(pixel) > 100}
    boxes, labels, scores = [], [], []
    while strong:
        first = strong.pop()
        region, border = [first], [first]
        while border:
            place = border.pop()
            for near in (place - 1, place + 1, place - width, place + width):
                if near in strong:
                    strong.remove(near)
                    region.append(near)
                    border.append(near)
        if len(region) > 30:
            xs, ys = [i % width for i in region], [i // width for i in region]
            boxes.append([min(xs), min(ys), max(xs) + 1, max(ys) + 1])
            labels.append(CLASSES[pixels[first].index(max(pixels[first]))])
            scores.append(0.9)
    return {"boxes": boxes, "labels": labels, "scores": scores}


print(json.dumps({"snellen": 1, "name": "my program", "classes": CLASSES}), flush=True)
for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"id": question["id"], **find(question["image"])}), flush=True)
