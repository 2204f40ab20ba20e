"""Which parameters are trained and which stay as they are, bit for bit."""

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
    """The names of the parameters that `freeze` names by patterns.

    A pattern is a parameter's name, the name of a module that has it, or either with `*`, `?`.
    `backbone` stands for the patterns in the detector's attribute `backbone`, `but-heads` for all
    but what its attribute `heads` names.
    """
    patterns = [freeze] if isinstance(freeze, str) else list(freeze)
    names = [name for name, _ in detector.module.named_parameters()]
    frozen: set[str] = set()
    for pattern in _spelt_out(detector, names, patterns):
        found = {name for name in names if _matches(name, pattern)}
        if not found:
            raise UserError(
                f"training.freeze: '{pattern}' names no parameter of the detector; its parameters "
                f"are {', '.join(names[:4])} ... {names[-1]}."
            )
        frozen |= found
    if names and len(frozen) == len(names):
        raise UserError("training.freeze: nothing is left to train. Freeze fewer parameters.")
    return frozenset(frozen)


def _spelt_out(detector: Any, names: Sequence[str], patterns: Sequence[str]) -> Iterator[str]:
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
            "that names its modules. Give patterns of parameter names instead."
        )
    return own


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*")


@contextmanager
def trainable(module: nn.Module, frozen: frozenset[str]) -> Iterator[list[tuple[str, Any]]]:
    """The parameters to train, by name; the frozen ones get no gradients inside the block."""
    before = {name: one.requires_grad for name, one in module.named_parameters()}
    try:
        for name, one in module.named_parameters():
            one.requires_grad_(name not in frozen)
        yield [(name, one) for name, one in module.named_parameters() if name not in frozen]
    finally:
        for name, one in module.named_parameters():
            one.requires_grad_(before[name])


def set_training(module: nn.Module, frozen: frozenset[str], norms_frozen: bool) -> None:
    """Put a module into training mode, but for batch norms that are not to change.

    A batch norm keeps its running figures if all are to, or if its own parameters are frozen.
    """
    from torch.nn.modules.batchnorm import _BatchNorm

    module.train()
    for name, part in module.named_modules():
        own = [f"{name}.{one}" if name else one for one, _ in part.named_parameters(recurse=False)]
        fixed = norms_frozen or (bool(own) and frozen.issuperset(own))
        if isinstance(part, _BatchNorm) and fixed:
            part.eval()
