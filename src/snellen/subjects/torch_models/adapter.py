"""`kind: torch`: opens a torch detector; torch is imported only then."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from snellen.errors import MissingExtraError
from snellen.subjects.registry import Adapter
from snellen.subjects.torch_models.options import TorchOptions

if TYPE_CHECKING:
    from snellen.subjects.torch_models.torch_subject import TorchSubject


def open_torch(options: TorchOptions, folder: Path) -> TorchSubject:
    """The subject, with its module loaded and checked on a grey image."""
    try:
        import torch  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtraError("kind: torch", "torch") from None
    from snellen.subjects.torch_models.torch_factory import open_torch_subject

    return open_torch_subject(options, folder)


ADAPTER = Adapter(TorchOptions, open_torch, page="subjects-torch", runs=("target",))
