"""How Snellen was installed, and the command that adds an extra to that installation."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

PACKAGE = "snellen"
RECEIPTS = {"uv-receipt.toml": "uv tool install", "pipx_metadata.json": "pipx install --force"}
"""Files in the environment of a tool, by the program that made it, and how that reinstalls it."""


@dataclass(frozen=True)
class Installation:
    """What the metadata of the installed package and its environment say.

    source: the folder or file that it was installed from, a URL; empty for an index. editable:
    whether it is used from the folder of its source. tool: the command of the program that gave it
    an environment of its own; empty elsewhere.
    """

    installer: str
    source: str = ""
    editable: bool = False
    tool: str = ""

    def command(self, extra: str, here: Path) -> str:
        """The shell command that adds an extra, for a shell in the folder `here`."""
        pip = "uv pip install" if self.installer == "uv" else "pip install"
        if self.editable:
            flag = f"{self.tool} --editable" if self.tool else f"{pip} -e"
            return f"{flag} {shlex.quote(f'{self._folder(here)}[{extra}]')}"
        if self.tool:
            source = f" @ {self.source}" if self.source else ""
            return f"{self.tool} {shlex.quote(f'{PACKAGE}[{extra}]{source}')}"
        # The installed version already satisfies this, so only what the extra lists is fetched.
        return f"{pip} {shlex.quote(f'{PACKAGE}[{extra}]')}"

    def _folder(self, here: Path) -> str:
        from urllib.parse import urlsplit
        from urllib.request import url2pathname  # slow to import, and rarely needed

        folder = Path(url2pathname(urlsplit(self.source).path))
        return "." if folder.resolve() == here.resolve() else str(folder)


def installation(prefix: Path | None = None) -> Installation:
    """How this Snellen was installed. prefix: the folder of the environment; default: this one's.

    A source tree on the path that was never installed counts as editable.
    """
    place = Path(sys.prefix) if prefix is None else prefix
    tool = next((command for name, command in RECEIPTS.items() if (place / name).is_file()), "")
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError:
        return _source_tree(tool)
    installer = (package.read_text("INSTALLER") or "").strip()
    source: dict[str, Any] = json.loads(package.read_text("direct_url.json") or "{}")
    editable = bool(source.get("dir_info", {}).get("editable"))
    return Installation(installer, source.get("url", ""), editable, tool)


def _source_tree(tool: str) -> Installation:
    folder = Path(__file__).resolve().parents[3]
    if (folder / "pyproject.toml").is_file():
        return Installation("", folder.as_uri(), editable=True, tool=tool)
    return Installation("", tool=tool)


def install_command(extra: str) -> str:
    """The shell command that adds an extra to this installation."""
    return installation().command(extra, Path.cwd())
