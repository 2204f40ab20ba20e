"""Trained and frozen parameters; frozen ones do not change by a bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from snellen.errors import UserError

if TYPE_CHECKING:
    from torch import nn

BACKBONE, BUT_HEADS = "backbone", "but-heads"


def frozen_names(detector: Any, freeze: Sequence[str] | str) -> frozenset[str]:
    """The names of the parameters that match the patterns in `freeze`.

    A pattern is the name of a parameter or of its module, with `*` and `?` as wildcards.
    `backbone` stands for the patterns in the detector's attribute `backbone`, `but-heads` for
    everything except the patterns in its attribute `heads`.
    """
    patterns = [freeze] if isinstance(freeze, str) else list(freeze)
    names = [name for name, _ in detector.module.named_parameters()]
    frozen: set[str] = set()
    for pattern in _expanded(detector, names, patterns):
        found = {name for name in names if _matches(name, pattern)}
        if not found:
            raise UserError(
                f"training.freeze: '{pattern}' matches no parameter of the detector, which has "
                f"{', '.join(names[:4])} ... {names[-1]}."
            )
        frozen |= found
    if names and len(frozen) == len(names):
        raise UserError("training.freeze: nothing is left to train. Freeze fewer parameters.")
    return frozenset(frozen)


def _expanded(detector: Any, names: Sequence[str], patterns: Sequence[str]) -> Iterator[str]:
    for pattern in patterns:
        if pattern == BACKBONE:
            yield from _own(detector, "backbone", pattern)
        elif pattern == BUT_HEADS:
            heads = _own(detector, "heads", pattern)
            yield from (one for one in names if not any(_matches(one, head) for head in heads))
        else:
            yield pattern


def _own(detector: Any, attribute: str, word: str) -> Sequence[str]:
    own: Sequence[str] = getattr(detector, attribute, ())
    if not own:
        raise UserError(
            f"training.freeze: found '{word}', but the detector has no attribute `{attribute}` "
            "that names its modules. Use patterns of parameter names instead."
        )
    return own


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*")


@contextmanager
def trainable(module: nn.Module, frozen: frozenset[str]) -> Iterator[list[tuple[str, Any]]]:
    """The parameters to train, by name; frozen ones have no gradients inside the block."""
    before = {name: one.requires_grad for name, one in module.named_parameters()}
    try:
        for name, one in module.named_parameters():
            one.requires_grad_(name not in frozen)
        yield [(name, one) for name, one in module.named_parameters() if name not in frozen]
    finally:
        for name, one in module.named_parameters():
            one.requires_grad_(before[name])


def set_training(module: nn.Module, frozen: frozenset[str], norms_frozen: bool) -> None:
    """Put a module into training mode, except for frozen batch norms.

    A batch norm keeps its running statistics if all do, or if its own parameters are frozen.
    """
    from torch.nn.modules.batchnorm import _BatchNorm

    module.train()
    for name, part in module.named_modules():
        own = [f"{name}.{one}" if name else one for one, _ in part.named_parameters(recurse=False)]
        fixed = norms_frozen or (bool(own) and frozen.issuperset(own))
        if isinstance(part, _BatchNorm) and fixed:
            part.eval()
