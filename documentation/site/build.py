"""The site, built strictly and checked."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from documentation.site.site_check import problems
from documentation.site.staging import stage

CONFIG = "zensical.toml"
PAGES = Path("build", "pages")
SITE = Path("site")


def build(root: Path, place: Path) -> list[str]:
    """A line for each problem of the site of a repository, which is then in `place / SITE`.

    place: the folder to work in, which may be the repository itself.
    """
    stage(root, place / PAGES)
    if place != root:
        shutil.copyfile(root / CONFIG, place / CONFIG)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=place, check=False)
    if done.returncode:
        return [f"zensical ended with exit code {done.returncode}; its messages are above"]
    return problems(place / SITE)
