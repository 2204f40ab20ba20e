"""Every generated page of the reference."""

from __future__ import annotations

import snellen
import snellen.api
from documentation.reference.command_line import NAME, command_line_page
from documentation.reference.configuration import configuration_pages
from documentation.reference.signatures import signature_page

PYTHON = (
    "Every name of `import snellen as sn`, with its signature. [The list](python.md) has them by "
    "purpose."
)
API = (
    "Every name that a plug-in may import from `snellen.api`, with its signature. "
    "[The list](api.md) has them by purpose."
)


def reference_pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {
        **configuration_pages(),
        NAME: command_line_page(),
        "python-signatures.md": signature_page(
            "Signatures of `snellen`", PYTHON, vars(snellen)["_PLACES"]
        ),
        "api-signatures.md": signature_page(
            "Signatures of `snellen.api`", API, vars(snellen.api)["_PLACES"]
        ),
    }
