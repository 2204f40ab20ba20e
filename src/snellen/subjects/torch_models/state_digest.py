"""The digest of a torch module's parameters and buffers."""

from __future__ import annotations

import hashlib

import torch
from torch import nn


def state_digest(module: nn.Module) -> str:
    """BLAKE2 of the names and values of all parameters and buffers, 32 hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=16)
    for name, value in sorted(module.state_dict().items()):
        if isinstance(value, torch.Tensor):
            digest.update(f"{name} {value.dtype} {tuple(value.shape)}".encode())
            flat = value.detach().cpu().contiguous().reshape(-1)
            digest.update(flat.view(torch.uint8).numpy())
    return digest.hexdigest()
