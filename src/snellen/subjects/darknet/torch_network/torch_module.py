"""A Darknet network as a trainable torch module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from torch import Tensor, nn

from snellen.subjects.darknet.cfg_file import Convolutional, DarknetModel, Route, Shortcut, Yolo
from snellen.subjects.darknet.layer_shapes import shapes_of
from snellen.subjects.darknet.torch_network.layers import Convolution, module_of
from snellen.subjects.darknet.weights_file import Kernel


@dataclass(frozen=True, eq=False)
class PartialPass:
    """The state of a forward pass before one of the layers.

    layer: the next layer. value: the output of the previous one. heads: the head inputs so far.
    kept: outputs by layer that later layers need.
    """

    layer: int
    value: Tensor
    heads: tuple[Tensor, ...] = ()
    kept: Mapping[int, Tensor] = field(default_factory=dict)


class DarknetModule(nn.Module):  # type: ignore[misc]
    """The layers of a Darknet network: images in, the inputs of its heads out.

    Layer 7 of the cfg (counted from 0, without `[net]`) is the submodule `layer_7`; a convolution's
    parts are `layer_7.convolution`, `layer_7.normalisation` and `layer_7.activation`. The
    normalisations are not folded into the convolutions. In training they use the biased variance of
    the batch, as torch does; Darknet uses the unbiased one.
    """

    def __init__(self, model: DarknetModel, kernels: Mapping[int, Kernel]) -> None:
        super().__init__()
        shapes_of(model)
        self.model = model
        self._sources = [_sources(layer) for layer in model.layers]
        self._needed = {one for sources in self._sources for one in sources}
        for index, layer in enumerate(model.layers):
            self.add_module(f"layer_{index}", module_of(layer, kernels.get(index)))

    def forward(self, batch: Tensor) -> list[Tensor]:
        """(N, A * (5 + C), h, w) of each head in order, from images (N, 3, H, W) from 0 to 1."""
        return list(self.run(PartialPass(0, batch), len(self.model.layers)).heads)

    def run(self, midway: PartialPass, end: int) -> PartialPass:
        """The state before layer `end`, continued from `midway`, which is not modified."""
        value, heads, kept = midway.value, list(midway.heads), dict(midway.kept)
        for index in range(midway.layer, end):
            others = [kept[one] for one in self._sources[index]]
            value = self.get_submodule(f"layer_{index}")(value, others)
            if index in self._needed:
                kept[index] = value
            if isinstance(self.model.layers[index], Yolo):
                heads.append(value)
        return PartialPass(end, value, tuple(heads), kept)

    def kernels(self) -> dict[int, Kernel]:
        """The current weights of each convolution by layer."""
        found = {}
        for index, layer in enumerate(self.model.layers):
            if isinstance(layer, Convolutional):
                part = self.get_submodule(f"layer_{index}")
                assert isinstance(part, Convolution)
                found[index] = part.kernel()
        return found

    @property
    def head_layers(self) -> tuple[str, ...]:
        """The names of the convolutions whose outputs the heads read, in the heads' order."""
        found = []
        for index, layer in enumerate(self.model.layers):
            if isinstance(layer, Yolo):
                last = max(
                    one for one in range(index) if isinstance(self.model.layers[one], Convolutional)
                )
                found.append(f"layer_{last}.convolution")
        return tuple(found)

    @property
    def shared_layers(self) -> tuple[str, ...]:
        """The names of the convolutional layers that all heads depend on, without the last ones."""
        heads = [index for index, one in enumerate(self.model.layers) if isinstance(one, Yolo)]
        common = set.intersection(*(self._below(head) for head in heads))
        read = {name.partition(".")[0] for name in self.head_layers}
        names = [
            f"layer_{index}"
            for index in sorted(common)
            if isinstance(self.model.layers[index], Convolutional)
        ]
        return tuple(name for name in names if name not in read)

    def _below(self, index: int) -> set[int]:
        """The layers that a layer's output depends on."""
        found: set[int] = set()
        waiting = [index]
        while waiting:
            one = waiting.pop()
            before = () if isinstance(self.model.layers[one], Route) or one == 0 else (one - 1,)
            new = {*before, *self._sources[one]} - found
            found |= new
            waiting += new
        return found


def _sources(layer: object) -> tuple[int, ...]:
    return layer.layers if isinstance(layer, Route | Shortcut) else ()
