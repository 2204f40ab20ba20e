"""Run every benchmark, one after the other, each in a process of its own."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run the benchmarks named on the command line, or all of them."""
    found = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    names = sys.argv[1:] or [name for name in found if not name.startswith("_")]
    for name in names:
        print(f"== {name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)


if __name__ == "__main__":
    main()
