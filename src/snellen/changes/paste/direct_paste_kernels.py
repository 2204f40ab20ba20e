"""Compiled resizing and compositing of an object that is pasted once at its size.

The result equals that of `stencil.cut_stencil` and `alpha_composite.composite` bit for bit. Those
prepare what many pastes of a stencil share; this code prepares nothing and refines only the edge.
"""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F32, Bytes, Image, Ints
from snellen.vision.compilation import compiled


@compiled
def weighted_layers(pixels: Bytes) -> F32:
    """(H, W, 4): colours times opacity, and the opacity from 0 to 1, of (H, W, 4) RGBA."""
    height, width = pixels.shape[:2]
    layers = np.empty((height, width, 4), np.float32)
    for row in range(height):
        for column in range(width):
            opacity = np.float32(pixels[row, column, 3]) / np.float32(255)
            for channel in range(3):
                layers[row, column, channel] = np.float32(pixels[row, column, channel]) * opacity
            layers[row, column, 3] = opacity
    return layers


@compiled
def depth_of(solid: Bytes, deep: Bytes, near: Ints, most: float) -> F32:
    """(H, W): distance in pixels from each solid pixel to the nearest that is not, at most `most`.

    deep: where the distance is known to be `most`. near: (N, 2) offsets shorter than `most`,
    shortest first. Nothing outside the rectangle is solid.
    """
    height, width = solid.shape
    depth = np.zeros((height, width), np.float32)
    for row in range(height):
        for column in range(width):
            if solid[row, column] == 0:
                continue
            depth[row, column] = most
            if deep[row, column] != 0:
                continue
            for k in range(len(near)):
                y, x = row + near[k, 0], column + near[k, 1]
                if y < 0 or x < 0 or y >= height or x >= width or solid[y, x] == 0:
                    depth[row, column] = math.sqrt(near[k, 0] ** 2 + near[k, 1] ** 2)
                    break
    return depth


@compiled
def faded_alpha(layers: F32, depth: F32, deep: Bytes, around: Ints, most: float) -> Bytes:
    """(H, W): opacity of layers (H, W, 4) that fades towards the edge, 0 to 255.

    depth, deep, most: see `depth_of`. around: (N, 2) offsets of the neighbourhood whose greatest
    depth is the depth of full opacity of a pixel.
    """
    height, width = depth.shape
    alpha = np.zeros((height, width), np.uint8)
    one, top = np.float32(1), np.float32(most)
    for row in range(height):
        for column in range(width):
            opacity = layers[row, column, 3]
            if opacity == 0:
                continue
            if deep[row, column] == 0:
                full = one
                for k in range(len(around)):
                    y, x = row + around[k, 0], column + around[k, 1]
                    if 0 <= y < height and 0 <= x < width:
                        full = max(full, depth[y, x])
                share = max(depth[row, column], opacity) / min(full, top)
                opacity = opacity * min(share, one)
            alpha[row, column] = to_byte(opacity * np.float32(255))
    return alpha


@compiled
def to_byte(value: np.float32) -> np.uint8:
    """The nearest integer from 0 to 255."""
    return np.uint8(min(max(np.rint(value), np.float32(0)), np.float32(255)))


@compiled
def mix(target: Image, layers: F32, alpha: Bytes) -> None:
    """Composite layers (h, w, 4) over the target (h, w, 3) in place, with alpha from 0 to 255."""
    height, width = alpha.shape
    for row in range(height):
        for column in range(width):
            share = np.uint32(alpha[row, column])
            if share == 0:
                continue
            opacity = max(layers[row, column, 3], np.float32(1e-6))
            for channel in range(3):
                colour = np.uint32(to_byte(layers[row, column, channel] / opacity))
                rest = np.uint32(target[row, column, channel]) * (np.uint32(255) - share)
                total = colour * share + rest + np.uint32(128)
                target[row, column, channel] = (total + (total >> np.uint32(8))) >> np.uint32(8)
