"""The documentation that comes with Snellen, by topic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from snellen.errors import UserError, nearest

FOLDERS = ("tutorial", "how-to", "explanation", "reference")
"""The folders of the documentation, in the order of the list."""
PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Topic:
    """One page. name: what `snellen docs` takes."""

    name: str
    folder: str
    path: Path

    @property
    def title(self) -> str:
        """The page's heading."""
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return next((line[2:] for line in lines if line.startswith("# ")), self.name)


def documentation_folder() -> Path:
    """The folder of the pages: inside the installed package, or in the source tree."""
    places = [PACKAGE / "docs", PACKAGE.parents[1] / "docs"]
    found = next((place for place in places if (place / "how-to").is_dir()), None)
    if found is None:
        raise UserError(
            "the documentation is not part of this installation. Install Snellen again: "
            "pip install --force-reinstall --no-deps snellen"
        )
    return found


def topics() -> dict[str, Topic]:
    """Every page by name; a name that an earlier folder has gets its folder's name in front."""
    found: dict[str, Topic] = {}
    root = documentation_folder()
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.md")):
            name = path.stem if path.stem not in found else f"{folder}/{path.stem}"
            found[name] = Topic(name, folder, path)
    return found


def topic_named(name: str) -> Topic:
    """The page of a name, with or without its folder and `.md`."""
    known = topics()
    wanted = name.removeprefix("docs/").removesuffix(".md")
    for one in (wanted, wanted.rpartition("/")[2]):
        if one in known:
            return known[one]
    raise UserError(f"unknown topic '{name}'{nearest(name, known)}", next="snellen docs")
