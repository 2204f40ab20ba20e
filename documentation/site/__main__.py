"""Build the site from `docs/` into `site/`; any warning or broken link is an error."""

from __future__ import annotations

import sys
from pathlib import Path

from documentation.site.build import SITE, build

ROOT = Path(__file__).parents[2]


def main() -> int:
    """The exit code: 0 if the site is built and whole."""
    found = build(ROOT, ROOT)
    print(*found or [f"the site: {SITE / 'index.html'}"], sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
