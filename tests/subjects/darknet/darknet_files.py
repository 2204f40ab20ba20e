"""Small Darknet networks with random weights, written layer by layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

CLASSES = 3
ANCHORS = "10,14, 23,27, 37,58, 81,82, 35,69, 44,19"


class Writer:
    """The text of a cfg and its weights; records the channels of every layer."""

    def __init__(self, size: tuple[int, int], seed: int = 0) -> None:
        self.text = f"[net]\n# a comment\nheight={size[0]}\nwidth={size[1]}\nchannels=3\n\n"
        self.numbers: list[np.ndarray] = []
        self.channels: list[int] = []
        self._rng = np.random.default_rng(seed)

    def layer(self, kind: str, channels: int, **values: object) -> Writer:
        lines = "\n".join(f"{key} = {value}" for key, value in values.items())
        self.text += f"[{kind}]\n{lines}\n\n"
        self.channels.append(channels)
        return self

    def conv(
        self,
        filters: int,
        size: int = 3,
        stride: int = 1,
        activation: str = "leaky",
        groups: int = 1,
        normalised: int = 1,
    ) -> Writer:
        before = self.channels[-1] if self.channels else 3
        rng, fan = self._rng, before // groups * size * size
        parts = [rng.normal(size=filters) * 0.3]
        if normalised:
            parts += [rng.uniform(0.5, 1.5, filters), rng.normal(size=filters) * 0.1]
            parts += [rng.uniform(0.3, 2.0, filters)]
        parts.append(rng.normal(size=filters * fan) * np.sqrt(2 / fan))
        self.numbers += parts
        return self.layer(
            "convolutional",
            filters,
            batch_normalize=normalised,
            filters=filters,
            size=size,
            stride=stride,
            pad=1,
            groups=groups,
            activation=activation,
        )

    def pool(self, size: int, stride: int) -> Writer:
        return self.layer("maxpool", self.channels[-1], size=size, stride=stride)

    def route(self, *layers: int, **values: int) -> Writer:
        channels = sum(self.channels[layer] for layer in layers) // values.get("groups", 1)
        return self.layer("route", channels, layers=", ".join(map(str, layers)), **values)

    def shortcut(self, layer: int, activation: str = "linear") -> Writer:
        return self.layer("shortcut", self.channels[-1], **{"from": layer}, activation=activation)

    def upsample(self) -> Writer:
        return self.layer("upsample", self.channels[-1], stride=2)

    def head(self, mask: str = "0,1,2", activation: str = "linear", **values: object) -> Writer:
        self.conv((5 + CLASSES) * len(mask.split(",")), 1, 1, activation, normalised=0)
        return self.layer(
            "yolo",
            self.channels[-1],
            mask=mask,
            anchors=ANCHORS,
            classes=CLASSES,
            num=6,
            **values,
        )

    def save(self, folder: Path, drop: int = 0, extra: int = 0) -> tuple[Path, Path]:
        """(cfg, weights); numbers can be dropped or added at the end."""
        numbers = np.concatenate([*self.numbers, np.zeros(extra)]).astype("<f4")
        header = np.array([0, 2, 5], dtype="<i4").tobytes() + np.array([0], "<i8").tobytes()
        (folder / "net.cfg").write_text(self.text, encoding="utf-8")
        (folder / "net.weights").write_bytes(header + numbers[: len(numbers) - drop].tobytes())
        return folder / "net.cfg", folder / "net.weights"


def tiny_v3() -> Writer:
    """Max-pools of both kinds, a route back, an upsampling, two heads."""
    net = Writer((64, 96), seed=1).conv(8).pool(2, 2).conv(16).pool(2, 2).conv(16).pool(2, 1)
    net.conv(24).head("3,4,5")
    return net.route(-3).conv(8, 1).pool(2, 2).upsample().route(-1, 4).conv(16).head("0,1,2")


def v3() -> Writer:
    """Strided convolutions and residual sums."""
    net = Writer((64, 64), seed=2).conv(8).conv(16, 3, 2).conv(8, 1).conv(16).shortcut(-3)
    net.conv(8, 1).conv(16).shortcut(-3, "leaky").conv(16, 3, 2)
    return net.head("0,1,2").route(-3).conv(8, 1).upsample().route(-1, 7).head("3,4")


def v4() -> Writer:
    """Mish, cross-stage routes, spatial pyramid pooling, shifted cells."""
    net = Writer((96, 64), seed=3).conv(8, 3, 2, "mish").conv(8, 1, 1, "mish").route(-2)
    net.conv(8, 1, 1, "mish").conv(8, 3, 1, "mish").shortcut(-2).route(-1, -5)
    net.conv(16, 3, 2, "swish").pool(5, 1).route(-2).pool(9, 1).route(-4).pool(13, 1)
    return net.route(-1, -3, -5, -6).conv(16, 1).head("1,2,3", scale_x_y=1.2)


def v4_tiny() -> Writer:
    """Half of a layer's channels, grouped convolutions, relu."""
    net = Writer((64, 64), seed=4).conv(16, 3, 2).route(-1, groups=2, group_id=1).conv(8)
    net.conv(8, groups=2, activation="relu").route(-1, -2).conv(16, 1).route(-6, -1)
    return net.pool(2, 2).conv(16).head("0,1,2", scale_x_y=1.05)


def v4x() -> Writer:
    """Heads with outputs that are already between 0 and 1."""
    net = Writer((64, 64), seed=5).conv(8, 3, 2, "swish").conv(16, 3, 2, "swish")
    return net.head("0,1,2", activation="logistic", scale_x_y=2.0, new_coords=1)
