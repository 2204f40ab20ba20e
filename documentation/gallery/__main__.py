"""Make the gallery: the runs, their pictures, the page, and the picture of the landing page.

Runs that were finished before are used again; remove `build/gallery` to make them all, which takes
16 minutes of CPU time. Needs the extra `fusion`, playwright, and Chromium.
"""

from __future__ import annotations

import shlex
import subprocess
import sys

from documentation.gallery.exhibits import EXHIBITS, ROOT, WORK, Exhibit
from documentation.gallery.page import gallery_page
from documentation.gallery.scorecard_picture import PICTURE, write_scorecard_picture
from snellen.report.words import REPORT

PAGE = ROOT / "docs" / "gallery.md"
FINE = (0, 1)
"""Exit codes of a run: 1 says that a requirement is violated."""


def main() -> None:
    """Make what is missing, then write pictures and page."""
    for exhibit in EXHIBITS:
        make(exhibit)
    PAGE.write_text(gallery_page(EXHIBITS, ROOT), encoding="utf-8")
    write_scorecard_picture(ROOT / WORK / "demo", ROOT / PICTURE)
    print(PAGE.relative_to(ROOT), PICTURE)


def make(exhibit: Exhibit) -> None:
    """Run an exhibit's commands unless its report is there."""
    if (ROOT / exhibit.folder / REPORT).is_file():
        return
    for command in filter(None, (exhibit.before, exhibit.made_with)):
        print(f"$ {command}", flush=True)
        words = shlex.split(command)[1:]
        done = subprocess.run([sys.executable, "-m", "snellen", *words], cwd=ROOT, check=False)
        if done.returncode not in FINE:
            sys.exit(f"{command}: ended with exit code {done.returncode}")


if __name__ == "__main__":
    main()
