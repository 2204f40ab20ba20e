"""A cut-out pasted with a soft edge, independent of Snellen's blending."""

from __future__ import annotations

import cv2
import numpy as np

from snellen.scenes.scene import Scene
from snellen.vision.arrays import F32, Image


def cut_out(scene: Scene, index: int) -> tuple[Image, F32]:
    """The pixels (h, w, 3) and the soft alpha (h, w) in [0, 1] of one object."""
    assert scene.annotations is not None
    assert scene.annotations.masks is not None
    x1, y1, x2, y2 = scene.annotations.boxes[index].astype(int)
    mask = scene.annotations.masks[index].to_array()[0, y1:y2, x1:x2]
    alpha = cv2.GaussianBlur(mask.astype(np.float32), (3, 3), 0, borderType=cv2.BORDER_CONSTANT)
    return scene.pixels()[y1:y2, x1:x2], alpha


def paste(image: Image, cut: tuple[Image, F32], x: int, y: int, w: int, h: int) -> Image:
    """The image with the cut-out, scaled to w x h, at (x, y)."""
    pixels = cv2.resize(cut[0], (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    alpha = cv2.resize(cut[1], (w, h), interpolation=cv2.INTER_AREA)[..., None]
    out = image.copy()
    under = out[y : y + h, x : x + w].astype(np.float32)
    out[y : y + h, x : x + w] = np.rint(alpha * pixels + (1 - alpha) * under).astype(np.uint8)
    return out


def jpeg(image: Image, quality: int) -> Image:
    """The image after JPEG at this quality."""
    _, code = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    decoded = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), dtype=np.uint8)
    return np.ascontiguousarray(decoded[..., ::-1])
