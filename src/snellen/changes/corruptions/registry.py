"""All corruptions by name, and the published sets of them."""

from __future__ import annotations

from snellen.changes.corruptions.corruption import Corruption
from snellen.plugins import Registry

_HERE = "snellen.changes.corruptions"

CORRUPTIONS = Registry(
    "corruption",
    "snellen.corruptions",
    {
        "gaussian_noise": f"{_HERE}.noise:GAUSSIAN_NOISE",
        "shot_noise": f"{_HERE}.noise:SHOT_NOISE",
        "impulse_noise": f"{_HERE}.noise:IMPULSE_NOISE",
        "speckle_noise": f"{_HERE}.noise:SPECKLE_NOISE",
        "gaussian_blur": f"{_HERE}.blur:GAUSSIAN_BLUR",
        "defocus_blur": f"{_HERE}.blur:DEFOCUS_BLUR",
        "glass_blur": f"{_HERE}.blur:GLASS_BLUR",
        "motion_blur": f"{_HERE}.blur:MOTION_BLUR",
        "zoom_blur": f"{_HERE}.blur:ZOOM_BLUR",
        "fog": f"{_HERE}.fog:FOG",
        "frost": f"{_HERE}.frost:FROST",
        "snow": f"{_HERE}.precipitation:SNOW",
        "rain": f"{_HERE}.precipitation:RAIN",
        "spatter": f"{_HERE}.spatter:SPATTER",
        "brightness": f"{_HERE}.tone:BRIGHTNESS",
        "contrast": f"{_HERE}.tone:CONTRAST",
        "saturate": f"{_HERE}.tone:SATURATE",
        "desaturate": f"{_HERE}.tone:DESATURATE",
        "gamma": f"{_HERE}.tone:GAMMA",
        "darkness": f"{_HERE}.tone:DARKNESS",
        "jpeg_compression": f"{_HERE}.digital_distortions:JPEG_COMPRESSION",
        "pixelate": f"{_HERE}.digital_distortions:PIXELATE",
        "elastic_transform": f"{_HERE}.digital_distortions:ELASTIC_TRANSFORM",
        "rgb_shift": f"{_HERE}.colour:RGB_SHIFT",
        "color_jitter": f"{_HERE}.colour:COLOR_JITTER",
    },
)

SETS = {
    "imagenet-c": (
        *("gaussian_noise", "shot_noise", "impulse_noise"),
        *("defocus_blur", "glass_blur", "motion_blur", "zoom_blur"),
        *("snow", "frost", "fog", "brightness"),
        *("contrast", "elastic_transform", "pixelate", "jpeg_compression"),
    ),
    "imagenet-c-extra": ("speckle_noise", "gaussian_blur", "spatter", "saturate"),
}


def corruption(name: str) -> Corruption:
    """The corruption with this name.

    >>> corruption("frost").settings(5 / 6)
    (0.3, 0.7)
    """
    CORRUPTIONS.check(name, "corruption")
    found: Corruption = CORRUPTIONS.load(name)
    return found
