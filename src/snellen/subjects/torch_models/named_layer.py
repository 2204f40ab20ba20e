"""Look-up of a module's layers by name."""

from __future__ import annotations

from difflib import get_close_matches

from torch import nn

from snellen.errors import UserError


def named_layer(module: nn.Module, layer: str, where: str) -> nn.Module:
    """The submodule of this name; `where` is the option that names it.

    >>> named_layer(nn.Sequential(nn.Conv2d(3, 8, 1), nn.ReLU()), "1", "explain")
    ReLU()
    """
    parts = {name: part for name, part in module.named_modules() if name}
    if layer not in parts:
        close = get_close_matches(layer, parts, n=1)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise UserError(
            f"subject.{where}: the module has no layer '{layer}'.{hint} Its layers are: "
            f"{', '.join(parts)}."
        )
    return parts[layer]
