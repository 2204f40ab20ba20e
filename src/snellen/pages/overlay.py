"""Pictures with predictions drawn on the input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from snellen.scenes.pictures import write_picture
from snellen.subjects.subject import Prediction
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.label_vector import LabelVector

Colour: TypeAlias = tuple[int, int, int]

# Okabe and Ito's colour-blind safe palette.
PALETTE: tuple[Colour, ...] = (
    (230, 159, 0),
    (86, 180, 233),
    (0, 158, 115),
    (240, 228, 66),
    (0, 114, 178),
    (213, 94, 0),
    (204, 121, 167),
)
INK: Colour = (20, 20, 20)
PAPER: Colour = (255, 255, 255)
LUMINANCE = (0.299, 0.587, 0.114)


def draw_prediction(
    image: Image, prediction: Prediction, classes: Sequence[str], score: float
) -> Image:
    """A copy of the image with the subject's answer at its score threshold."""
    if isinstance(prediction, LabelVector):
        shown = np.flatnonzero(prediction.present(score)).tolist()
        lines = [f"{classes[label]} {prediction.scores[label]:.2f}" for label in shown]
        return draw_lines(image, lines or ["no label"])
    kept = prediction.above(score)
    if isinstance(kept, Detections3D):
        kept = kept[kept.has_image_box].in_image
    return draw_boxes(image, kept, classes)


def draw_boxes(image: Image, detections: Detections, classes: Sequence[str]) -> Image:
    """A copy of the image with a box, the class and the score of each detection."""
    canvas = Pillow.fromarray(_tinted(image, detections))
    draw = ImageDraw.Draw(canvas)
    thick = max(2, round(max(image.shape[:2]) / 320))
    font = _font(image)
    for box, label, score in zip(
        detections.boxes.tolist(), detections.labels.tolist(), detections.scores, strict=True
    ):
        colour = PALETTE[label % len(PALETTE)]
        draw.rectangle(box, outline=colour, width=thick)
        write_tag(draw, (box[0], box[1]), f"{classes[label]} {score:.2f}", colour, font)
    return np.asarray(canvas)


def draw_lines(image: Image, lines: Sequence[str]) -> Image:
    """A copy of the image with lines of text from its top-left corner."""
    canvas = Pillow.fromarray(image)
    draw, font = ImageDraw.Draw(canvas), _font(image)
    height = font.getbbox("Ag")[3] + 4
    for number, line in enumerate(lines):
        write_tag(draw, (4, height * (number + 1) + 4), line, PAPER, font)
    return np.asarray(canvas)


def _tinted(image: Image, detections: Detections) -> Image:
    if detections.masks is None:
        return image
    out = image.astype(np.float32)
    for mask, label in zip(detections.masks.to_array(), detections.labels, strict=True):
        out[mask] = 0.55 * out[mask] + 0.45 * np.array(PALETTE[label % len(PALETTE)])
    return out.round().astype(np.uint8)


def _font(image: Image) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=max(11, round(max(image.shape[:2]) / 50)))


def write_tag(
    draw: ImageDraw.ImageDraw,
    corner: tuple[float, float],
    text: str,
    colour: Colour,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
) -> None:
    """Text on a filled strip whose bottom-left corner is given, moved into the picture."""
    left, top, _, _ = font.getbbox(text)
    width, height = tag_size(text, font)
    x = max(0.0, min(corner[0], draw.im.size[0] - width))
    y = max(height, corner[1])
    draw.rectangle((x, y - height, x + width, y), fill=colour)
    ink = INK if np.dot(colour, LUMINANCE) > 110 else PAPER
    draw.text((x + 3 - left, y - height + 3 - top), text, fill=ink, font=font)


def tag_size(text: str, font: ImageFont.FreeTypeFont | ImageFont.ImageFont) -> tuple[float, float]:
    """Width and height of the strip that `write_tag` fills, in pixels."""
    left, top, right, bottom = font.getbbox(text)
    return right - left + 6, bottom - top + 6


def contact_sheet(images: Sequence[Image], width: int = 480, gap: int = 8) -> Image:
    """The images side by side, each scaled to one height, on white."""
    heights = [round(image.shape[0] * width / image.shape[1]) for image in images]
    height = max(heights)
    sheet = Pillow.new("RGB", (len(images) * (width + gap) + gap, height + 2 * gap), PAPER)
    for place, (image, tall) in enumerate(zip(images, heights, strict=True)):
        scaled = Pillow.fromarray(image).resize((width, tall), Pillow.Resampling.LANCZOS)
        sheet.paste(scaled, (gap + place * (width + gap), gap))
    return np.asarray(sheet)


def save(image: Image, path: Path) -> None:
    """Write a picture."""
    write_picture(path, image)
