"""The pages of the site, gathered in one folder.

Pages under `docs/` link to examples, experiments and tests beside it, which is right where the
repository is browsed. A site has only what is in its folder, so what is linked to comes along:
Markdown as it is, code as a page that shows it, a folder as a list of its files.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from documentation.site.link import with_targets

OUTSIDE = Path("repository")
"""Where files from outside of `docs/` stand in the site."""
LANGUAGES = {".css": "css", ".json": "json", ".pl": "perl", ".py": "python", ".toml": "toml",
             ".yaml": "yaml", ".yml": "yaml"}  # fmt: skip
"""Languages of the files that are shown as pages."""
ASSETS = Path(__file__).parent / "assets"
"""Scripts of the site."""
_GENERATED = ("__pycache__", ".egg-info", ".pyc")


def stage(root: Path, out: Path) -> list[Path]:
    """The staged pages and files, relative to `out`, which is made new.

    root: the repository. All of `docs/` is staged, and what it links to, in turn.
    """
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(ASSETS, out / "assets")
    staged: dict[Path, Path] = {}
    waiting = [path for path in sorted((root / "docs").rglob("*")) if path.is_file()]
    while waiting:
        source = waiting.pop()
        if source not in staged:
            staged[source] = _place(root, source)
            waiting += _stage_one(root, source, out / staged[source])
    return sorted(staged.values())


def _stage_one(root: Path, source: Path, destination: Path) -> list[Path]:
    """Stage one file or folder; the files and folders outside of `docs/` that it links to."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    if source.suffix != ".md" and destination.suffix != ".md":
        shutil.copyfile(source, destination)
        return []
    linked: list[Path] = []

    def renamed(path: str) -> str:
        target = Path(os.path.normpath((source if source.is_dir() else source.parent) / path))
        if not target.exists() or not target.is_relative_to(root):
            return path
        linked.append(target)
        return Path(os.path.relpath(_place(root, target), _place(root, source).parent)).as_posix()

    destination.write_text(with_targets(_text(root, source), renamed), encoding="utf-8")
    return linked


def _place(root: Path, source: Path) -> Path:
    """Where a file or folder of the repository stands in the site."""
    path = source.relative_to(root)
    if path.parts[0] == "docs":
        return Path(*path.parts[1:])
    if source.is_dir():
        return OUTSIDE / path / "files.md"
    shown = source.suffix in LANGUAGES or not source.suffix
    return OUTSIDE / (path.with_name(f"{path.name}.md") if shown else path)


def _text(root: Path, source: Path) -> str:
    """The page of a file or folder, links as they stand in the repository."""
    title = source.relative_to(root).as_posix()
    if source.is_dir():
        files = (path.relative_to(source).as_posix() for path in _files(source))
        return "\n".join([f"# {title}", "", *(f"- [{name}]({name})" for name in files), ""])
    text = source.read_text(encoding="utf-8")
    if source.suffix == ".md":
        return text
    return f"# {title}\n\n~~~{LANGUAGES.get(source.suffix, 'text')}\n{text.rstrip()}\n~~~\n"


def _files(folder: Path) -> list[Path]:
    """The files in a folder, without what Python and installers leave there."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [path for path in found if not any(word in str(path) for word in _GENERATED)]
