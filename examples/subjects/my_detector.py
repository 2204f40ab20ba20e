"""A detector of one's own: any function from a list of images to a list of answers.

It finds coloured things on a grey ground. `snellen run python.yaml` tests it.
"""

import cv2
import numpy as np

CLASSES = ["tomato", "lemon", "lime", "ice", "plum", "rose"]


def detect(images):
    """One answer for each image; an image is a height x width x 3 array of RGB bytes."""
    return [find(image) for image in images]


detect.classes = CLASSES


def find(image):
    hue, saturation, _ = cv2.split(cv2.cvtColor(image, cv2.COLOR_RGB2HSV))
    _, places, stats, _ = cv2.connectedComponentsWithStats((saturation > 100).astype(np.uint8))
    boxes, labels, scores = [], [], []
    for number, (x, y, w, h, area) in enumerate(stats):
        if number > 0 and area > 30:
            typical = np.median(hue[places == number])
            boxes.append([x, y, x + w, y + h])
            labels.append(CLASSES[round(typical / 30) % 6])
            scores.append(area / (w * h))
    return {"boxes": boxes, "labels": labels, "scores": scores}
